// How strong a proof is called.
import { describe, expect, test } from 'vitest';
import { strength, verdict } from '../../../test/support/outcomes.ts';
import type { Proof } from '../../model/action.ts';
import { claimOf, proofOf } from './proof.ts';

const proof = (name: Proof['proof'], came: Proof['came'], params: Proof['params'] = {}): Proof => ({
  proof: name,
  came,
  command: 'x',
  ms: 1,
  params,
});
const of = (...proofs: readonly Proof[]) => proofOf({ verdict: verdict(), strength: strength({ proofs }) });
const check = (name: string, tests: number | null, passed = true) => ({
  name,
  command: name,
  passed,
  exit: 0,
  ms: 1,
  tests: tests === null ? null : { total: tests, passed: tests, failed: 0, skipped: 0 },
  tail: '',
});

describe('the strength of a proof', () => {
  test('is that of a test report where its runner was shown to report the truth', () => {
    expect(of(proof('canary', 'held'), proof('red', 'held'), proof('hidden', 'not-possible'))).toEqual({
      strength: 'tests',
      held: ['feature', 'canary', 'red'],
      notPossible: ['hidden'],
    });
  });
  test('is that of an exit code where nothing shows that the runner reports the truth', () => {
    expect(of(proof('canary', 'not-possible'), proof('hidden', 'not-possible')).strength).toBe('exit-code');
    expect(of(proof('canary', 'held', { how: 'exit-code' }), proof('hidden', 'not-possible')).strength).toBe(
      'exit-code',
    );
  });
  test('is that of an exit code where the own command of an item has no report, whatever the suite has', () => {
    const checks = [check('feature', null), check('full', 40)];
    expect(proofOf({ verdict: { checks }, strength: null }).strength).toBe('exit-code');
    expect(proofOf({ verdict: { checks: [check('full', 40)] }, strength: null }).strength).toBe('tests');
    const withOwnTest = [check('feature', null), check('own-test', 2), check('full', 40)];
    expect(proofOf({ verdict: { checks: withOwnTest }, strength: null }).strength).toBe('tests');
  });
  test('is a person’s word where a person decided or verified', () => {
    const answer = { option: 'land', note: '', by: 'Ada', at: 'then' };
    const summary = proofOf({ verdict: verdict(), strength: strength(), decided: answer });
    expect(summary.strength).toBe('person');
    expect(claimOf('flip', summary)).toBe('person');
    expect(claimOf('flip', of())).toBe('flip');
  });
  test('names no check that failed, such as lint', () => {
    const checks = [check('feature', 1), check('lint', null, false)];
    expect(proofOf({ verdict: { checks }, strength: null }).held).toEqual(['feature']);
  });
});
