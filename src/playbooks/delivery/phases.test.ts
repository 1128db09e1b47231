// How far a plan has come, and which phase may run: every plan reaches its merge by one phase after the other, and no phase runs before its time.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  askedPhase,
  hasReached,
  nextPhase,
  onBase,
  phaseBefore,
  PHASES,
  REACHED,
  reachedText,
  readReached,
  type PlanPhase,
  type Reached,
} from './phases.ts';
import { sentences as de } from './sentences/de.ts';
import { sentences as en } from './sentences/en.ts';

const id = fc.stringMatching(/^[0-9a-f]{40}$/);
const reached: fc.Arbitrary<Reached> = fc
  .tuple(fc.constantFrom(...REACHED), id, id)
  .map(([at, commit, base]) => ({ at, proposed: REACHED.indexOf(at) >= 6 ? { commit, base } : null }));

test('what is kept with the work in progress is read as it was written, and nothing else is', () => {
  fc.assert(
    fc.property(reached, (one) => {
      expect(readReached(reachedText(one))).toEqual(one);
    }),
  );
  fc.assert(
    fc.property(fc.string({ maxLength: 60 }), (text) => {
      const read = readReached(text);
      if (read !== null) expect(reachedText(read)).toBe(text);
    }),
  );
  for (const text of [undefined, '', 'merged', 'ci', 'ci abc def', `ci ${'a'.repeat(40)}`, 'review ci'])
    expect(readReached(text)).toBeNull();
});

test('each phase that comes next may run, and leads to the merge', () => {
  const after: { readonly [P in PlanPhase]?: Reached['at'] } = { implement: 'implement', fix: 'fix' };
  const walk = (isClean: readonly boolean[]): readonly PlanPhase[] => {
    const ran: PlanPhase[] = [];
    let at: Reached | null = null;
    let reviews = 0;
    while (ran.at(-1) !== 'merge') {
      const phase = nextPhase(at);
      expect(phaseBefore(phase, at)).toBeNull();
      ran.push(phase);
      if (phase === 'merge') break;
      const clean = phase === 'review' && (isClean[reviews++] ?? true);
      const next: Reached['at'] = phase === 'review' ? (clean ? 'review' : 'findings') : (after[phase] ?? phase);
      at = { at: next, proposed: REACHED.indexOf(next) >= 6 ? { commit: 'a'.repeat(40), base: 'b'.repeat(40) } : null };
    }
    return ran;
  };
  const rest = ['prepare-pr', 'open-pr', 'ci', 'e2e-verify', 'merge-check', 'merge'];
  expect(walk([])).toEqual(['implement', 'review', ...rest]);
  expect(walk([false])).toEqual(['implement', 'review', 'fix', 'review', ...rest]);
});

test('no phase runs before its time, and what has to run first is never the phase itself', () => {
  fc.assert(
    fc.property(fc.option(reached), fc.constantFrom(...PHASES), (one, phase) => {
      const first = phaseBefore(phase, one);
      expect(first).not.toBe(phase);
      if (phase === 'merge') expect(first === null).toBe(one?.at === 'merge-check');
      if (phase === 'implement') expect(first).toBeNull();
      if (first !== null) expect(phaseBefore(first, one)).toBeNull();
    }),
  );
  expect(phaseBefore('merge', null)).toBe('implement');
  expect(phaseBefore('fix', { at: 'implement', proposed: null })).toBe('review');
});

test('a base branch that moved takes back what was found out about the proposed commit, and nothing else', () => {
  fc.assert(
    fc.property(reached, id, (one, base) => {
      const now = onBase(one, base);
      expect(hasReached(now, 'review')).toBe(hasReached(one, 'review'));
      expect(hasReached(now, 'open-pr')).toBe(hasReached(one, 'open-pr') && one.proposed?.base === base);
      if (one.proposed !== null) expect(onBase(one, one.proposed.base)).toEqual(one);
    }),
  );
});

test('the command line names a phase, all, or nothing', () => {
  const of = (phase: string | null) => askedPhase({ runOptions: { phase } });
  expect([of('ci'), of('all'), of(null), of('plan')]).toEqual(['ci', null, null, null]);
});

test.each([
  ['en', en],
  ['de', de],
])('each phase has words for the status, in %s', (_language, { words }) => {
  expect(PHASES.filter((phase) => words[`stage-${phase}`] === undefined)).toEqual([]);
});
