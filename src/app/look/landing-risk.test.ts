import { expect, test } from 'vitest';
import { compareRisk, MANY_LINES, risksOf, type Weighed } from './landing-risk.ts';

const safe: Weighed = { isConfirmed: true, strength: 'tests', decisions: [], warnings: 0, lines: 10 };
const doubted: Weighed = { ...safe, decisions: [{ subject: 'doubtful-proof', option: 'land' }] };

test('what was proved by tests, is small and has no doubts carries no risk', () => {
  expect(risksOf(safe)).toEqual([]);
});

test.each<[string, Partial<Weighed>, readonly string[]]>([
  ['a doubt that was overruled', doubted, ['doubt']],
  [
    'a failed check that a person answered for',
    { decisions: [{ subject: 'verification-failed', option: 'manual-verify' }] },
    ['doubt'],
  ],
  ['a planned check by hand', { decisions: [{ subject: 'manual-verification', option: 'verified' }] }, []],
  [
    'a doubt that was answered with a new attempt',
    { decisions: [{ subject: 'doubtful-proof', option: 'reject' }] },
    [],
  ],
  ['exit codes only', { strength: 'exit-code' }, ['exit-code']],
  ['the word of a person', { strength: 'person' }, ['person']],
  ['no proof at all', { strength: null }, ['unproved']],
  ['many lines', { lines: MANY_LINES }, ['large']],
  ['a size that is not known', { lines: null }, ['large']],
  [
    'all of it',
    { ...doubted, isConfirmed: false, strength: null, warnings: 2, lines: null },
    ['unconfirmed', 'doubt', 'unproved', 'warned', 'large'],
  ],
])('%s', (_what, change, risks) => {
  expect(risksOf({ ...safe, ...change })).toEqual(risks);
});

test('what a person should look at first comes first: not confirmed, doubted, weakly proved, warned, large', () => {
  const ordered: readonly Weighed[] = [
    { ...safe, isConfirmed: false },
    { ...doubted, lines: 1 },
    { ...safe, strength: null },
    { ...safe, strength: 'person' },
    { ...safe, strength: 'exit-code', lines: 1 },
    { ...safe, warnings: 1, lines: 1 },
    { ...safe, lines: null },
    { ...safe, lines: 2_000 },
    safe,
  ];
  expect(ordered.toReversed().toSorted(compareRisk)).toEqual(ordered);
});
