// Sizes of features: what must be split, what is only worth knowing.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { feature } from '../../../test/support/features.ts';
import { mustSplit, sizeFlags, splitAdvice } from './granularity.ts';

const names = (description: string, more = {}) => sizeFlags(feature(1, { description, ...more })).map((f) => f.flag);
const steps = (n: number) => Array.from({ length: n }, (_, i) => `step ${i}`);

test.each([
  ['User can manage their profile', 'manages'],
  ['Admin manages users', 'manages'],
  ['CRUD for invoices', 'manages'],
  ['Admin dashboard', 'whole-area'],
  ['The complete billing system', 'whole-area'],
  ['User can create, edit and delete posts', 'several-capabilities'],
])('%j is too big: %s', (description, flag) => {
  expect(names(description)).toEqual([flag]);
});

test.each([
  'User can view their profile',
  'Admin can view list of users',
  'Admin can search users by email',
  'Dashboard layout matches design mockup',
  'User is redirected to dashboard',
  'User can upload and crop a picture',
  'The package manager prints its version',
])('%j is one capability', (description) => {
  expect(names(description)).toEqual([]);
});

describe('numbers', () => {
  test('seven steps fit, eight do not', () => {
    expect(names('d', { verification_steps: steps(7) })).toEqual([]);
    expect(sizeFlags(feature(1, { verification_steps: steps(8) }))).toEqual([
      { flag: 'too-many-steps', weight: 'split', params: { steps: 8, max: 7 } },
    ]);
  });
  test('more than five files, three hundred lines or xlarge do not fit', () => {
    expect(
      names('d', { files: ['a', 'b', 'c', 'd', 'e', 'f'], estimated_lines: 301, size_estimate: 'xlarge' }),
    ).toEqual(['too-many-files', 'too-many-lines', 'xlarge']);
  });
  test('an estimate below the number of steps is a note, and stops no run', () => {
    const flags = sizeFlags(feature(1, { size_estimate: 'small', verification_steps: steps(5) }));
    expect(flags).toEqual([
      { flag: 'estimate-too-small', weight: 'note', params: { estimate: 'small', steps: 5, max: 3 } },
    ]);
    expect(mustSplit(flags)).toBe(false);
  });
  test('a size that a person accepted is not flagged again', () => {
    expect(names('Admin dashboard', { size_accepted: true, verification_steps: steps(12) })).toEqual([]);
  });
});

describe('split advice', () => {
  test('managing becomes four operations', () => {
    expect(splitAdvice(feature(1, { description: 'User can manage their profile' }))).toEqual([
      {
        by: 'operations',
        parts: [
          ['User can view their profile'],
          ['User can create their profile'],
          ['User can update their profile'],
          ['User can delete their profile'],
        ],
      },
    ]);
  });
  test('files go by folder', () => {
    const files = ['api/a.py', 'ui/b.ts', 'api/c.py', 'ui/d.ts', 'db/e.sql', 'f.md'];
    expect(splitAdvice(feature(1, { files }))[0]?.parts).toEqual([
      ['api/a.py', 'api/c.py'],
      ['ui/b.ts', 'ui/d.ts'],
      ['db/e.sql'],
      ['f.md'],
    ]);
  });
  test('steps are dealt in order into groups that fit and differ by at most one', () => {
    fc.assert(
      fc.property(fc.integer({ min: 8, max: 60 }), (n) => {
        const parts = splitAdvice(feature(1, { verification_steps: steps(n) })).find((a) => a.by === 'steps')!.parts;
        expect(parts.flat()).toEqual(steps(n));
        const sizes = parts.map((p) => p.length);
        expect(Math.max(...sizes)).toBeLessThanOrEqual(7);
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
        expect(sizeFlags(feature(1, { verification_steps: parts[0]! }))).toEqual([]);
      }),
    );
  });
});

test('any description is judged, none is followed', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 2_000 }), (description) => {
      expect(sizeFlags(feature(1, { description })).length).toBeLessThan(3);
    }),
  );
  expect(names('manage '.repeat(20_000))).toEqual(['manages']);
});
