// Proofs combined: what rejects the work, what a user decides, what is only reported.
import { describe, expect, test } from 'vitest';
import type { StrengthAsk } from '../../model/action.ts';
import { isCrash, judgeStrength, judgeTexts, thrownIn, type Proofs, type ClassifiedFile } from './judge.ts';

const check = {
  name: 'feature',
  command: 'node --test a',
  runner: 'node',
  needsTests: true,
  timeoutMs: 1,
  weight: 'must',
  against: null,
} as const;
const ask = (more: Partial<StrengthAsk> = {}): StrengthAsk => ({
  item: '1',
  session: 1,
  since: 'a',
  tree: 'b',
  testFile: 'tests/a.test.mjs',
  itemKind: 'code',
  feature: check,
  full: null,
  tookMs: { feature: 1, full: 1 },
  passedBy: [],
  scripts: [],
  rules: { mutation: 'warn', minKilled: 0.5 },
  ...more,
});
const source: ClassifiedFile = { path: 'src/a.mjs', kind: 'source', before: '', after: 'a' };
const GOOD: Proofs = {
  canary: 'true',
  copyHolds: true,
  isAboutBehaviour: true,
  red: 'red',
  mutants: ['noticed'],
  installed: [],
  hidden: null,
  frozen: null,
};
const judged = (proofs: Partial<Proofs>, given = ask(), files: readonly ClassifiedFile[] = [source]) => {
  const { problems, doubts, warnings } = judgeStrength(
    given,
    files,
    { ...GOOD, ...proofs },
    judgeTexts(given, files, null),
  );
  const codes = (all: typeof problems) => all.map((p) => p.code);
  return { problems: codes(problems), doubts: codes(doubts), warnings: codes(warnings) };
};
const nothing = { problems: [], doubts: [], warnings: [] };

describe('a proof', () => {
  test.each<[string, Partial<Proofs>, Partial<ReturnType<typeof judged>>]>([
    ['red before green and a true canary says nothing', {}, {}],
    ['a lying canary goes back', { canary: 'lies' }, { problems: ['canary-passed'] }],
    ['a silent canary is doubted', { canary: 'silent' }, { doubts: ['canary-lost'] }],
    ['no canary, where none is possible, is not', { canary: null }, {}],
    ['a copy that differs is doubted', { copyHolds: false }, { doubts: ['copy-differs'] }],
    ['a test of the text is doubted', { isAboutBehaviour: false }, { doubts: ['test-reads-text'] }],
    ['green before, a fault noticed, is enough', { red: 'green', mutants: ['unnoticed', 'noticed'] }, {}],
    [
      'green before and nothing noticed is doubted',
      { red: 'green', mutants: ['crashed'] },
      { doubts: ['test-not-red'] },
    ],
    ['green before and nothing to try is doubted', { red: 'green', mutants: [] }, { doubts: ['test-not-red'] }],
    ['not loading before, an assertion noticed, is enough', { red: 'crash', mutants: ['noticed'] }, {}],
    [
      'not loading before and only crashes is doubted',
      { red: 'crash', mutants: ['crashed', 'crashed'] },
      { doubts: ['test-notices-nothing'] },
    ],
    [
      'red before and blind to three faults is doubted',
      { mutants: ['unnoticed', 'unnoticed', 'unnoticed'] },
      { doubts: ['test-notices-nothing'] },
    ],
    [
      'red before and few noticed is told',
      { mutants: ['noticed', 'unnoticed', 'unnoticed'] },
      { warnings: ['mutants-survived'] },
    ],
    [
      'old tests that fail as they were are doubted',
      { frozen: { holds: false, ids: ['a'] } },
      { doubts: ['frozen-tests-fail'] },
    ],
  ])('of %s', (_what, proofs, expected) => {
    expect(judged(proofs)).toEqual({ ...nothing, ...expected });
  });

  test('of few detected mutants rejects the work if that is required, and is not reported if none are tried', () => {
    const few = { mutants: ['noticed', 'unnoticed', 'unnoticed'] } as const;
    const by = (mutation: 'off' | 'require') => judged(few, ask({ rules: { mutation, minKilled: 0.5 } }));
    expect(by('require')).toEqual({ ...nothing, problems: ['mutants-survived'] });
    expect(by('off')).toEqual(nothing);
  });

  test('of old tests is only reported if allowed, unless the test configuration changed too', () => {
    const leave = ask({ opens: ['tests/a.py'] });
    const frozen = { holds: false, ids: ['pytest|tests/a.py||x'] };
    expect(judged({ frozen }, leave)).toEqual({ ...nothing, warnings: ['frozen-tests-fail'] });
    const others = { holds: false, ids: ['pytest|tests/a.py||x', 'pytest|tests/b.py||y'] };
    expect(judged({ frozen: others }, leave)).toEqual({ ...nothing, doubts: ['frozen-tests-fail'] });
    const runner: ClassifiedFile = { path: 'conftest.py', kind: 'runner', before: null, after: '' };
    expect(judged({ frozen }, leave, [source, runner])).toEqual({ ...nothing, doubts: ['frozen-tests-fail'] });
  });

  test('of the test alone is not asked of a cleanup', () => {
    expect(judged({ red: 'green', mutants: [] }, ask({ itemKind: 'exempt' }))).toEqual(nothing);
  });

  test('without any source is a question', () => {
    expect(judged({ red: 'green' }, ask(), [])).toEqual({ ...nothing, doubts: ['source-unchanged'] });
  });
});

describe('a failing test has asked nothing', () => {
  test.each([
    'TypeError: a is not a function',
    'discounted is not a function',
    "Cannot find module './a.mjs'",
    "The requested module './a.mjs' does not provide an export named 'b'",
    'AttributeError: module has no attribute',
    'RangeError: out of range',
    'a share of a hundred',
    'Error: no book 7',
  ])('where it says %j', (message) => {
    const thrown = thrownIn(["throw new RangeError('a share of a hundred');", 'throw new Error(`no book ${id}`)']);
    expect(isCrash({ name: 'a', message }, thrown)).toBe(true);
  });
  test.each([
    'Expected values to be strictly equal: 1 !== 2',
    'AssertionError: expected 1 to be 2',
    'assert 1 == 2',
    'Missing expected exception.',
    'Error: expect(received).toBe(expected)',
    'the total is wrong',
  ])('but has where it says %j', (message) => {
    expect(isCrash({ name: 'a', message }, ['a share of a hundred'])).toBe(false);
  });
});
