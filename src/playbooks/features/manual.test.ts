// Work that a person looks at: what is asked when, and that only the answer `verified` counts as one.
import { describe, expect, test } from 'vitest';
import { configOf } from '../../../test/support/config.ts';
import { checkpoint, facts, problem, usage, verdict } from '../../../test/support/outcomes.ts';
import { scriptedRun } from '../../../test/support/run.ts';
import { featureChecks } from '../session/checks.ts';
import { land } from '../session/landing.ts';
import { hooksFor } from './ending-hooks.ts';
import { askManual, manualResult, show } from './manual.ts';

const byHand = {
  kind: 'hybrid',
  checks: ['matches\nthe mockup'],
  steps: ['open it'],
  commands: ['npm run a11y'],
} as const;
const session = {
  facts: facts({ byHand }),
  checkpoint,
  startedAt: '2026-01-01T00:00:00.000Z',
  endedAt: '2026-01-01T00:10:00.000Z',
  text: '',
  session: 4,
  verdict: verdict(),
};

test('automated checks that are commands are run in addition to the test, and decide', () => {
  const checks = featureChecks(session.facts, configOf());
  expect(checks.map(({ name, command, weight }) => [name, command, weight])).toContainEqual([
    'automated-1',
    'npm run a11y',
    'must',
  ]);
});

describe('showing', () => {
  test('closes the session, then keeps what a person is to see', async () => {
    const { run, steps, asked } = scriptedRun({
      close: { usage, tampering: [] },
      keep: { file: '.harness/sessions/4/manual.json', files: ['.harness/sessions/4/screenshots/a.png'] },
    });
    const shown = await show(run, session);
    expect(steps).toEqual(['close', 'keep']);
    expect(asked('keep')).toMatchObject({
      what: 'manual',
      manual: {
        kind: 'hybrid',
        checks: byHand.checks,
        steps: byHand.steps,
        item: '1',
        startedAt: session.startedAt,
        evidence: '.harness/evidence/1',
      },
    });
    expect(shown).toEqual({
      tampering: [],
      files: ['.harness/sessions/4/manual.json', '.harness/sessions/4/screenshots/a.png'],
    });
  });

  test('keeps nothing of a session that changed files of the harness', async () => {
    const tampering = [problem('config-edited')];
    const { run, steps } = scriptedRun({ close: { usage, tampering } });
    expect(await show(run, session)).toEqual({ tampering, files: [] });
    expect(steps).toEqual(['close']);
  });
});

test('the question names the checks, the steps and where to look', () => {
  const asked = askManual(session.facts, { verdict: verdict(), strength: null }, [
    '.harness/sessions/4/screenshots/a.png',
  ]);
  expect(asked.options.map(({ id }) => id)).toEqual(['verified', 'failed', 'skip']);
  expect(asked.params).toMatchObject({ checks: '- matches the mockup', steps: '- open it', passed: 3 });
  expect(asked.evidence).toEqual(['.harness/evidence/1', '.harness/sessions/4/screenshots/a.png']);
});

test.each([
  ['verified', 'verified'],
  ['failed', 'failed'],
  ['skip', 'skip'],
  ['an option of a later version', 'failed'],
])('the answer %s is taken as %s', (option, is) => {
  const result = manualResult({ option, note: 'because', by: 'Ada', at: 'then' }, 'e');
  expect(result.is).toBe(is);
  if (result.is === 'verified') expect(result.person).toEqual({ by: 'Ada', at: 'then', note: 'because' });
  if (result.is === 'skip') expect(result.note).toBe('because');
  if (result.is === 'failed')
    expect(result.why).toMatchObject({
      reason: 'manual-failed',
      evidence: 'e',
      problems: [{ code: 'manual-failed', params: { by: 'Ada', note: 'because' } }],
    });
});

test('the landing says who looked at it, in the commit and in the record', async () => {
  const person = { by: 'Ada', at: '2026-01-01T01:00:00.000Z', note: 'fine on a phone too' };
  const { run, asked } = scriptedRun({
    close: { usage, tampering: [] },
    commit: { commit: 'c', tree: 't', refused: null },
    push: { pushed: false, remote: null, failure: null },
    remember: { file: 'f' },
    publish: { told: 0 },
  });
  const proof = { strength: null, decided: null, person };
  await land(run, { ...session, ...proof }, configOf(), hooksFor(configOf()));
  expect(asked('commit')['body']).toContain('Verified by hand: Ada, 2026-01-01T01:00:00.000Z\nfine on a phone too');
  expect(asked('record')['summary']).toMatchObject({ verifiedBy: person });
});
