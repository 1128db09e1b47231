// The rules by which a review ends, as properties: it always ends, and only with nothing that blocks or with the question of its budget.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  addedScope,
  blockingIn,
  curveOf,
  decide,
  filesNamedBy,
  followUps,
  isBlocking,
  judgeFinding,
  lineOccursIn,
  ORIGINS,
  plainPath,
  type JudgedFinding,
  type Pass,
} from './convergence.ts';
import { SEVERITIES } from './severities.ts';

const finding = fc.record({
  severity: fc.constantFrom(...SEVERITIES),
  title: fc.string({ minLength: 1, maxLength: 5 }),
  path: fc.constantFrom('src/a.mjs', 'src/b.mjs', ''),
  quote: fc.constantFrom('const a = 1;', 'return b + 2;', ''),
  why: fc.string({ maxLength: 5 }),
});
const judged: fc.Arbitrary<JudgedFinding> = fc
  .tuple(finding, fc.boolean(), fc.constantFrom(...ORIGINS))
  .map(([one, proven, origin]) => ({ ...one, proven, origin }));
const pass: fc.Arbitrary<Pass> = fc.array(judged, { maxLength: 6 }).map((findings) => ({ findings }));

test('a reviewer that always finds something ends with the budget, never later', () => {
  fc.assert(
    fc.property(fc.array(pass, { minLength: 1, maxLength: 12 }), fc.integer({ min: 1, max: 8 }), (all, most) => {
      let passes: Pass[] = [];
      for (const one of all) {
        passes = [...passes, one];
        const decision = decide(passes, most);
        expect(decision === 'converged').toBe(blockingIn(one).length === 0);
        if (decision !== 'fix') break;
        expect(passes.length).toBeLessThan(most);
      }
      expect(passes.length).toBeLessThanOrEqual(Math.max(most, 1));
    }),
  );
});

test('what enters a fix and what becomes a follow-up are all findings, and nothing is both', () => {
  fc.assert(
    fc.property(pass, (one) => {
      const fixed = blockingIn(one);
      const later = followUps([one]);
      expect(later.some((each) => fixed.includes(each))).toBe(false);
      expect(fixed.every(({ severity }) => severity !== 'low')).toBe(true);
      for (const each of one.findings) if (each.severity === 'low') expect(isBlocking(each)).toBe(false);
    }),
  );
});

test('without evidence a finding is an opinion, whatever its severity', () => {
  fc.assert(
    fc.property(finding, fc.boolean(), fc.boolean(), (one, isChanged, wasThere) => {
      expect(isBlocking(judgeFinding(one, { isThere: false, isChanged, wasThere }))).toBe(false);
    }),
  );
});

const high = { severity: 'high', title: 't', path: 'src/a.mjs', quote: 'const a = 1;', why: '' } as const;
test.each([
  ['base', { isThere: true, isChanged: false, wasThere: true }, false],
  ['change', { isThere: true, isChanged: true, wasThere: true }, true],
  ['last-fix', { isThere: true, isChanged: true, wasThere: false }, true],
] as const)('a finding is attributed to %s', (origin, looked, isHeld) => {
  const one = judgeFinding(high, looked);
  expect(one.origin).toBe(origin);
  expect(isBlocking(one)).toBe(isHeld);
});

test('the curve shows how many block in each pass, and which of them are new', () => {
  const of = (...quotes: string[]): Pass => ({
    findings: quotes.map((quote) => ({ ...high, quote, proven: true, origin: 'change' })),
  });
  expect(curveOf([of('one line;', 'two lines;'), of('two lines;'), of('three lines;'), of()])).toBe(
    '2 → 1 → 1 (1 new) → 0',
  );
  expect(curveOf([])).toBe('');
});

test('a fix may change what the work changed, what a finding names, and tests; the rest is refused', () => {
  const findings = [{ path: 'src/b.mjs:4', title: 'rounding', why: 'also in src/c.mjs' }];
  const fixed = ['src/a.mjs', 'src/b.mjs', 'src/c.mjs', 'tests/new.mjs', 'src/a.test.mjs', 'package.json', 'src/d.mjs'];
  expect(addedScope(fixed, { changed: ['src/a.mjs'], findings })).toEqual(['package.json', 'src/d.mjs']);
});

test('scope is refused only where it is new', () => {
  const path = fc.constantFrom('a', 'src/b.mjs', 'c/d.ts', 'tests/e.mjs');
  fc.assert(
    fc.property(fc.array(path), fc.array(path), (fixed, changed) => {
      for (const refused of addedScope(fixed, { changed, findings: [] })) {
        expect(fixed).toContain(refused);
        expect(changed).not.toContain(refused);
      }
      expect(addedScope(fixed, { changed: fixed, findings: [] })).toEqual([]);
    }),
  );
});

test.each([
  ['src/a.mjs:12', 'src/a.mjs'],
  ['./src/a.mjs:12-14', 'src/a.mjs'],
  ['src/a.mjs', 'src/a.mjs'],
  ['src/a.mjs:12:5', 'src/a.mjs'],
  ['src/a.mjs#L12-L14', 'src/a.mjs'],
  ['`src/a.mjs` ', 'src/a.mjs'],
  ['src/a.mjs (lines 12-14)', 'src/a.mjs'],
])('%s names the file %s', (path, plain) => {
  expect(plainPath(path)).toBe(plain);
});

test('a quote is found whatever its white space, unless it is too short to say anything', () => {
  expect(lineOccursIn('const  a =\n  1 + 2;', 'const a = 1 + 2;')).toBe(true);
  expect(lineOccursIn('const a = 1;', 'a = 1;')).toBe(false);
  expect(lineOccursIn('const a = 1;', '')).toBe(false);
});

test('of a quote of several lines one that is there is enough', () => {
  expect(lineOccursIn('const a = 1;\nreturn b + 2;', '// src/a.mjs\n…\nreturn b + 2;')).toBe(true);
  expect(lineOccursIn('const a = 1;\nreturn b + 2;', '// src/a.mjs\n}\n…')).toBe(false);
});

test('a finding may name a file by where it is on the machine; nothing outside of the repository or in .git is looked at', () => {
  expect(filesNamedBy('/work/shop/src/a.mjs:3')).toEqual([
    'work/shop/src/a.mjs',
    'shop/src/a.mjs',
    'src/a.mjs',
    'a.mjs',
  ]);
  expect(filesNamedBy('b/src/a.mjs')).toContain('src/a.mjs');
  for (const path of ['../secret.txt', 'src/../../secret.txt', '.git/config', ''])
    expect(filesNamedBy(path)).not.toContain(path);
  expect(filesNamedBy('/work/shop/.git/config')).not.toContain('.git/config');
});
