import { describe, expect, test } from 'vitest';
import type { StrengthAsk, StrengthOutcome } from '../../model/action.ts';
import type { TestBaseline } from '../../model/report.ts';
import type { NewerChange } from './earlier.ts';
import { provedEarlier } from './prove.ts';

const outcome: StrengthOutcome = { problems: [], doubts: [], warnings: [], proofs: [], evidence: 'then' };
const baseline = { passing_tests: ['spec/cart.js > adds'] } as unknown as TestBaseline;
const ask = (changes: Partial<StrengthAsk> = {}): StrengthAsk =>
  ({
    item: '1',
    session: 1,
    since: 'base',
    tree: 'merged',
    testFile: 'test/own.test.js',
    itemKind: 'code',
    feature: { name: 'feature', command: 'sh ci/check.sh test/own.test.js', timeoutMs: 1, runner: null },
    full: { name: 'full', command: 'npm test', timeoutMs: 1, runner: null },
    tookMs: { feature: 1, full: 1 },
    passedBy: ['features.json'],
    scripts: ['init.sh'],
    rules: { mutation: 'warn', minKilled: 0 },
    earlier: { from: 'a', to: 'b', outcome },
    ...changes,
  }) as StrengthAsk;
const WORK = ['src/own.js', 'test/own.test.js'];
const proved = (newer: readonly NewerChange[], changes: Partial<StrengthAsk> = {}) =>
  provedEarlier(ask(changes), { baseline, changed: WORK, newer });
const changed = (path: string): NewerChange => ({ path, isNew: false });
const added = (path: string): NewerChange => ({ path, isNew: true });

describe('what was proved of the work is still proved', () => {
  test.each([
    ['other source files', [changed('src/cart.js'), added('src/new.js')]],
    ['documents', [changed('README.md')]],
    ['new tests of others', [added('test/other.test.js')]],
    ['the list of the items', [changed('features.json')]],
  ])('where newer commits bring %s', (_, newer) => expect(proved(newer)).toEqual(outcome));

  test.each([
    ['a file of the work', 'src/own.js'],
    ['the test of the item', 'test/own.test.js'],
    ['an older test', 'test/older.test.js'],
    ['a file that reports say has tests', 'spec/cart.js'],
    ['what tests use', 'test/helpers/server.js'],
    ['what rules the tests', 'vitest.config.js'],
    ['a file with scripts', 'package.json'],
    ['a script that decides what passes', 'ci/check.sh'],
    ['a script that starts the project', 'init.sh'],
    ['what is installed', 'package-lock.json'],
    ['a snapshot', 'test/__snapshots__/a.snap'],
  ])('but not where they change %s', (_, path) => expect(proved([changed('src/cart.js'), changed(path)])).toBeNull());

  test.each([
    ['what tests use', 'test/setup/all.js'],
    ['what rules the tests', 'conftest.py'],
    ['a test in the place of the item’s own', 'test/own.test.js'],
  ])('nor where they add %s', (_, path) => expect(proved([added(path)])).toBeNull());

  test('nor where there was a doubt, or nothing was proved before', () => {
    const doubt = { code: 'tests-missing', params: {} } as const;
    expect(proved([], { earlier: { from: 'a', to: 'b', outcome: { ...outcome, doubts: [doubt] } } })).toBeNull();
    const { earlier: _, ...without } = ask();
    expect(provedEarlier(without, { baseline, changed: WORK, newer: [] })).toBeNull();
  });
});
