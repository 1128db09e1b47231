// Where conventions come from: every branch of the decision.
import { describe, expect, test } from 'vitest';
import { next, entered } from '../table/next.ts';
import { NOW, stateIn } from '../../../../test/support/workflow.ts';
import {
  CONVENTION_EVENT,
  conventionsFile,
  conventionStep,
  linesOf,
  RICH_LINES,
  type ConventionFacts,
} from './conventions.ts';
import { newCounters } from '../table/counters.ts';
import { eventsIn } from '../table/stages.ts';

const LIVE = 'file:.harness/conventions.md';
const NOTHING: ConventionFacts = { value: null, live: false, persisted: false, claudeLines: null };
const RICH = { claudeLines: RICH_LINES };

describe('conventions', () => {
  test.each<readonly [string, Partial<ConventionFacts>, string]>([
    // IF state.conventions == "file:.harness/conventions.md"
    ['a live file stays, whatever a spec phase persisted', { value: LIVE, live: true, persisted: true }, 'keep'],
    ['a live file gives way to a rich CLAUDE.md', { value: LIVE, live: true, ...RICH }, 'copy CLAUDE.md'],
    [
      'a live file that is gone comes back from what was persisted',
      { value: LIVE, persisted: true, ...RICH },
      'copy persisted',
    ],
    ['both gone: as in a fresh session', { value: LIVE }, 'ask'],
    ['both gone, CLAUDE.md is rich', { value: LIVE, ...RICH }, 'copy CLAUDE.md'],
    // ELIF state.conventions IN { null, "skipped" }
    ['a fresh session takes what was persisted', { persisted: true, ...RICH }, 'copy persisted'],
    ['so does one whose scan was skipped', { value: 'skipped', persisted: true }, 'copy persisted'],
    ['nothing persisted, CLAUDE.md is rich', RICH, 'copy CLAUDE.md'],
    ['nothing persisted, CLAUDE.md is sparse', { claudeLines: RICH_LINES - 1 }, 'ask'],
    ['nothing persisted, no CLAUDE.md', {}, 'ask'],
    ['skipped before: the user is not asked again', { value: 'skipped', claudeLines: 3 }, 'keep'],
    ['skipped before, CLAUDE.md is rich now', { value: 'skipped', ...RICH }, 'copy CLAUDE.md'],
    ['a file of the user’s own stays', { value: 'file:docs/style.md', live: true, persisted: true, ...RICH }, 'keep'],
    ['a file of the user’s own that is gone', { value: 'file:docs/style.md' }, 'ask'],
  ])('%s', (_what, given, told) => {
    const step = conventionStep({ ...NOTHING, ...given });
    expect('from' in step ? `${step.do} ${step.from}` : step.do).toBe(told);
  });

  test('have a step for all facts, and every step occurs', () => {
    const taken = new Set<string>();
    for (const value of [null, 'skipped', LIVE, 'file:docs/style.md'])
      for (const live of [true, false])
        for (const persisted of [true, false])
          for (const claudeLines of [null, 0, 49, 50, 5_000]) {
            const step = conventionStep({ value, live, persisted, claudeLines });
            taken.add(JSON.stringify(step));
            expect(eventsIn('conventions')).toContain(CONVENTION_EVENT[step.do]);
            // Only a rich CLAUDE.md replaces a live file, and with one the user is not asked.
            if (value === LIVE && live)
              expect(step).toEqual(
                claudeLines !== null && claudeLines >= 50 ? { do: 'copy', from: 'CLAUDE.md' } : { do: 'keep' },
              );
          }
    expect(taken.size).toBe(4);
  });

  test('whose file is gone are removed from state.json: otherwise the next run would look for it again', () => {
    const s = entered(stateIn('plan_ready', { conventions: LIVE }), 'conventions', newCounters('auto'));
    expect(next(s, { on: CONVENTION_EVENT.ask, at: NOW })).toMatchObject({ state: { file: { conventions: null } } });
  });

  test('are read from the named file; without one there are none', () => {
    expect([LIVE, 'skipped', null].map(conventionsFile)).toEqual(['.harness/conventions.md', null, null]);
  });
});

test.each([
  ['', 0],
  ['a', 1],
  ['a\n', 1],
  ['a\nb', 2],
  ['\n'.repeat(50), 50],
])('%j has %i lines', (text, lines) => expect(linesOf(text)).toBe(lines));
