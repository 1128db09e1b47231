// Hidden failures are reported, but not for a project whose tests cannot be made to fail.
import { describe, expect, test } from 'vitest';
import type { TestStatus } from '../../model/report.ts';
import { hiddenIn, resultOfFailingRun, type FailingRunResult } from './hiding.ts';

const says = (isRed: boolean, of: { readonly [id: string]: TestStatus }): FailingRunResult => {
  const ids = (status: TestStatus) => Object.keys(of).filter((id) => of[id] === status);
  return { isRed, failed: new Set(ids('failed')), passed: ids('passed') };
};
const plain = says(true, { adds: 'failed', counts: 'failed', later: 'skipped' });

describe('every test was made to fail', () => {
  test('and all of them did: nothing is hidden, and the old source need not be asked', () => {
    expect(hiddenIn(plain, null)).toBe('none');
    expect(hiddenIn(plain, says(false, { adds: 'passed' }))).toBe('none');
  });

  test('and one came back as passed that failed with the old source: it is named', () => {
    expect(hiddenIn(says(true, { adds: 'failed', counts: 'passed' }), plain)).toEqual({ ids: ['counts'] });
  });

  test('and a new one came back as passed, where all old ones had failed: it is named', () => {
    expect(hiddenIn(says(true, { adds: 'failed', fresh: 'passed' }), plain)).toEqual({ ids: ['fresh'] });
  });

  test('and the run ended as if nothing had failed, or without a report: that is hiding too', () => {
    expect(hiddenIn(says(false, { adds: 'failed', counts: 'failed' }), plain)).toEqual({ ids: [] });
    expect(hiddenIn(null, plain)).toEqual({ ids: [] });
  });

  test('tests that are out of reach with the old source too prove nothing', () => {
    const partly = says(true, { adds: 'failed', 'in another runner': 'passed' });
    expect(hiddenIn(partly, partly)).toBe('unknown');
    expect(hiddenIn(says(true, { adds: 'failed', 'another there': 'passed' }), partly)).toBe('unknown');
    expect(hiddenIn(says(true, { adds: 'passed', 'in another runner': 'passed' }), partly)).toEqual({ ids: ['adds'] });
    expect(hiddenIn(null, null)).toBe('unknown');
    expect(hiddenIn(null, partly)).toBe('unknown');
  });
});

test('a run that was cut says nothing', () => {
  const exit = { code: 1, signal: null, ended: 'wall', ms: 1, bytes: 0, stdout: '', stderr: '' } as const;
  expect(resultOfFailingRun({ exit, read: { kind: 'none' } })).toBeNull();
  expect(resultOfFailingRun({ exit: { ...exit, ended: null }, read: { kind: 'none' } })).toBeNull();
});
