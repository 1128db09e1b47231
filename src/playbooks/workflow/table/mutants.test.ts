// Mutation tests of the table: with any row dropped or redirected, or any write or condition left out, a test other than the golden text fails.
// What the properties catch on their own is counted separately.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { play, rowKey, SCENARIOS, type Scenario } from '../../../../test/support/workflow-scenarios.ts';
import { faults } from '../../../../test/support/workflow-structure.ts';
import { noCoverage, walk, WALKS } from '../../../../test/support/workflow-walks.ts';
import { interpreter, next, question } from './next.ts';
import type { Condition } from './rules.ts';
import { STAGE_NAMES } from './stages.ts';
import { TRANSITIONS, type Row } from './transitions.ts';

type Mutant = { readonly of: Row; readonly what: string; readonly rows: readonly Row[] };
const changed = (n: number, what: string, to: readonly Row[]): Mutant => ({
  of: TRANSITIONS[n] as Row,
  what,
  rows: TRANSITIONS.flatMap((row, at) => (at === n ? to : [row])),
});
const negated = (one: Condition): Condition => (one.startsWith('not ') ? one.slice(4) : `not ${one}`) as Condition;
const each = (make: (row: Row, n: number) => readonly Mutant[]): readonly Mutant[] => TRANSITIONS.flatMap(make);

const DROPPED = each((_, n) => [changed(n, 'dropped', [])]);
const REDIRECTED = each((row, n) =>
  [...STAGE_NAMES, 'refused' as const]
    .filter((to) => to !== row.to)
    .map((to) => changed(n, `leads to ${to}`, [{ ...row, to }])),
);
const WRITES = each((row, n) =>
  (row.set ?? []).map((write) =>
    changed(n, `does not write ${write}`, [{ ...row, set: row.set?.filter((one) => one !== write) ?? [] }]),
  ),
);
const CONDITIONS = each((row, n) =>
  (row.when ?? []).flatMap((one) => [
    changed(n, `without ${one}`, [{ ...row, when: row.when?.filter((other) => other !== one) ?? [] }]),
    changed(n, `with ${negated(one)}`, [
      { ...row, when: row.when?.map((other) => (other === one ? negated(one) : other)) ?? [] },
    ]),
  ]),
);
const REASONS = each((row, n) =>
  row.why === undefined ? [] : [changed(n, 'says another why', [{ ...row, why: 'other' }])],
);

/** The scenarios that pass a row's stage and event: only they are played for its mutants. */
const THROUGH = new Map<string, Scenario[]>();
for (const scenario of SCENARIOS)
  for (const at of play({ next, question }, [scenario]).events) THROUGH.set(at, [...(THROUGH.get(at) ?? []), scenario]);

const survives = ({ of, rows }: Mutant): boolean =>
  play(interpreter(rows), THROUGH.get(`${of.from} · ${of.on}`) ?? []).wrong.length === 0;
const nameOf = ({ of, what }: Mutant): string => `${rowKey(of)} ${what}`;

describe('a table in which', () => {
  test.each([
    ['a row is dropped', DROPPED],
    ['a row leads to any other stage', REDIRECTED],
    ['a write is left out', WRITES],
    ['a stop says another reason', REASONS],
  ])('%s does not play the scenarios', (_what, mutants) => {
    expect(mutants.length).toBeGreaterThan(10);
    expect(mutants.filter(survives).map(nameOf)).toEqual([]);
  });

  test('a condition is left out or negated answers an event twice, or not at all', () => {
    expect(CONDITIONS.length).toBeGreaterThan(100);
    expect(CONDITIONS.filter(({ rows }) => faults(rows).length === 0).map(nameOf)).toEqual([]);
  });
});

test('the properties on their own, which do not know the table, notice nine of ten', () => {
  const isNoticed = ({ rows }: Mutant): boolean => {
    const walks = fc.property(WALKS, (one) => walk(interpreter(rows), one, noCoverage()));
    return fc.check(walks, { numRuns: 200, seed: 7, endOnFailure: true }).failed;
  };
  const share = (mutants: readonly Mutant[]): number => mutants.filter(isNoticed).length / mutants.length;
  const some = REDIRECTED.filter((_, n) => n % 61 === 0);
  expect(some.length).toBeGreaterThan(60);
  expect([share(DROPPED), share(some)].every((noticed) => noticed > 0.9)).toBe(true);
  expect(share(WRITES)).toBeGreaterThan(0.75); // a counter that is off by one shows only where a limit is reached
}, 300_000);
