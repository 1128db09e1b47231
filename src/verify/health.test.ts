import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  fileHealth,
  HEALTH_WEIGHTS,
  healthOf,
  lintErrors,
  lintScore,
  nextCleanup,
  shareOf,
  statusOf,
  type HealthParts,
} from './health.ts';

const share = fc.double({ min: 0, max: 1, noNaN: true });
const part = fc.option(share, { nil: null, freq: 4 });
const parts: fc.Arbitrary<HealthParts> = fc.record({ features: part, tests: part, lint: part, files: part });
const sum = (all: readonly number[]): number => all.reduce((a, b) => a + b, 0);

describe('the health of a project', () => {
  test('is the weighted sum of its parts where all are known', () => {
    fc.assert(
      fc.property(share, share, share, share, (features, tests, lint, files) => {
        const { overall, unknown } = healthOf({ features, tests, lint, files });
        expect(overall).toBeCloseTo(0.4 * features + 0.3 * tests + 0.2 * lint + 0.1 * files, 10);
        expect(unknown).toEqual([]);
      }),
    );
  });

  test('lies between the worst and the best of what is known, and what is unknown counts for nothing', () => {
    fc.assert(
      fc.property(parts, (given) => {
        const { overall, status, weights, unknown } = healthOf(given);
        const known = Object.values(given).filter((one) => one !== null);
        if (known.length === 0) {
          expect([overall, status, sum(Object.values(weights))]).toEqual([null, null, 0]);
          return;
        }
        expect(sum(Object.values(weights))).toBeCloseTo(1, 10);
        for (const name of unknown) expect(weights[name]).toBe(0);
        expect(overall).toBeGreaterThanOrEqual(Math.min(...known) - 1e-9);
        expect(overall).toBeLessThanOrEqual(Math.max(...known) + 1e-9);
      }),
    );
  });

  test('shares the weight of an unknown part out by the weights of the others', () => {
    const { weights } = healthOf({ features: 1, tests: 1, lint: null, files: 1 });
    expect(weights.features / weights.tests).toBeCloseTo(HEALTH_WEIGHTS.features / HEALTH_WEIGHTS.tests, 10);
    expect(weights.features).toBeCloseTo(0.5, 10);
  });

  test('never gets worse when a part gets better', () => {
    fc.assert(
      fc.property(parts, share, (given, better) => {
        for (const name of ['features', 'tests', 'lint', 'files'] as const) {
          const was = given[name];
          if (was === null || better < was) continue;
          const [before, after] = [healthOf(given).overall ?? 0, healthOf({ ...given, [name]: better }).overall ?? 0];
          expect(after).toBeGreaterThanOrEqual(before - 1e-9);
        }
      }),
    );
  });

  test.each([
    [1, 'GOOD'],
    [0.801, 'GOOD'],
    [0.8, 'FAIR'],
    [0.4 * 0.5 + 0.3 + 0.2 + 0.1, 'FAIR'], // 0.8, whatever the fractions make of it
    [0.601, 'FAIR'],
    [0.6, 'POOR'],
    [0, 'POOR'],
    [null, null],
  ])('of %s is %s', (overall, status) => expect(statusOf(overall)).toBe(status));
});

test('shares stay shares, and no whole is no share', () => {
  expect([shareOf(12, 47), shareOf(0, 0), shareOf(9, 3)]).toEqual([12 / 47, null, 1]);
  expect([lintScore(0, 0), lintScore(5, 100), lintScore(500, 100), lintScore(1, 0)]).toEqual([1, 0.95, 0, 0]);
  expect([fileHealth(0, 0), fileHealth(1, 10), fileHealth(10, 10)]).toEqual([1, 0.9, 0]);
});

test('a cleanup is due after every so many landed features, and never where none is wanted', () => {
  expect([nextCleanup(0, 10), nextCleanup(12, 10), nextCleanup(20, 10), nextCleanup(5, 0)]).toEqual([10, 20, 30, null]);
});

describe('errors of a linter', () => {
  test.each<[string, number, string, number | null]>([
    ['none where it is content', 0, 'anything: 3 errors', 0],
    ['eslint', 1, '/a.js\n  1:1  error  x\n\n✖ 5 problems (3 errors, 2 warnings)\n', 3],
    ['ruff', 1, 'a.py:1:1: F401 unused\nFound 1 error.\n', 1],
    ['oxlint', 1, 'Found 2 warnings and 4 errors.\n', 4],
    ['tsc', 2, 'src/a.ts(3,5): error TS1: x\nsrc/b.ts(4,5): error TS1: x\n', 2],
    ['one a line', 1, 'a.sh:3:1: note\nb.sh:9: warning\n', 2],
    ['nothing that can be counted', 1, 'Segmentation fault\n', null],
    ['a linter that is not there', 127, 'sh: 1: ruff: not found\n', null],
  ])('%s', (_, exit, output, errors) => expect(lintErrors(exit, output)).toBe(errors));
});
