// What an item is expected to change, and that items that would conflict do not begin beside each other.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chooseApart, expectedFiles } from './expected-files.ts';

const NOTHING = { title: '', testFile: null, mayChangeTests: [], steps: [] };
const named = (text: string): readonly string[] => [...expectedFiles({ ...NOTHING, title: text })];

describe('an item is expected to change', () => {
  test('its own test, old tests that it may change, files that its author lists, and those of its unfinished work', () => {
    const subject = { ...NOTHING, testFile: 'tests/a.test', mayChangeTests: ['tests/b.test'], files: ['src/c.ts'] };
    expect([...expectedFiles(subject, ['src/d.ts'])]).toEqual(['tests/a.test', 'tests/b.test', 'src/c.ts', 'src/d.ts']);
  });

  test.each([
    ['Sessions in src/session.ts expire', ['src/session.ts']],
    ['Change ./src/a.ts and `lib/b.js`.', ['src/a.ts', 'lib/b.js']],
    ['In `shop.js` (see src/cart.tsx)', ['src/cart.tsx', 'shop.js']],
    ['Found in packages/@shop/core/src/index.mjs: it grows', ['packages/@shop/core/src/index.mjs']],
  ])('what its text names: %j', (text, files) => expect(named(text)).toEqual(files));

  test.each([
    'Users can log in, e.g. by name and/or address',
    'See https://example.com/a/b.html and shop.js',
    'As docs/design.md and `README.md` say',
    'Version 1.2/3.4 of the API',
    '',
  ])('nothing else: %j', (text) => expect(named(text)).toEqual([]));
});

const NAMES = ['a', 'b', 'c', 'd'].map((name) => `src/${name}.ts`);
/** Items of a list in its order, and the files of each; the first of them are at work. */
const lists = fc
  .array(fc.uniqueArray(fc.constantFrom(...NAMES), { maxLength: 2 }), { maxLength: 12 })
  .chain((all) => fc.record({ all: fc.constant(all), busy: fc.nat(Math.min(4, all.length)) }));
const play = (all: readonly (readonly string[])[], busy: number, prefer: string | null = null) => {
  const ids = all.map((_, n) => String(n));
  const atWork = ids.slice(0, busy);
  const filesOf = (id: string): ReadonlySet<string> => new Set(all[Number(id)]);
  const free = ids.slice(busy);
  const pick = (without: ReadonlySet<string>): string | null =>
    (prefer !== null && free.includes(prefer) ? prefer : free.find((id) => !without.has(id))) ?? null;
  const share = (a: string, b: string): boolean => [...filesOf(a)].some((file) => filesOf(b).has(file));
  return { ...chooseApart({ pick, filesOf, atWork, prefer }), atWork, free, share, filesOf };
};

describe('the item that begins', () => {
  test('shares no expected file with one at work, nor with one before it in the list that does not begin', () => {
    fc.assert(
      fc.property(lists, ({ all, busy }) => {
        const { next, atWork, free, share } = play(all, busy);
        if (next === null) return;
        const before = free.slice(0, free.indexOf(next));
        for (const other of [...atWork, ...before]) expect(share(next, other)).toBe(false);
      }),
    );
  });

  test('is there whenever one of them shares nothing with those at work and those before it', () => {
    fc.assert(
      fc.property(lists, ({ all, busy }) => {
        const { next, atWork, free, share } = play(all, busy);
        const could = free.find((id, n) => [...atWork, ...free.slice(0, n)].every((other) => !share(id, other)));
        expect(next).toBe(could ?? null);
      }),
    );
  });

  test('is the first of the list where nothing is at work', () => {
    fc.assert(
      fc.property(lists, ({ all }) => {
        const { next, apart, free } = play(all, 0);
        expect([next, apart]).toEqual([free[0] ?? null, []]);
      }),
    );
  });

  test('is the preferred one whatever it changes', () => {
    fc.assert(
      fc.property(lists, fc.nat(12), ({ all, busy }, n) => {
        const prefer = String(n);
        const { next, free } = play(all, busy, prefer);
        if (free.includes(prefer)) expect(next).toBe(prefer);
      }),
    );
  });

  test('each item that does not begin says which one it waits for, and a file of both', () => {
    fc.assert(
      fc.property(lists, ({ all, busy }) => {
        const { apart, atWork, filesOf } = play(all, busy);
        for (const [n, { item, after, file }] of apart.entries()) {
          const before = [...atWork, ...apart.slice(0, n).map((one) => one.item)];
          expect([before.includes(after), filesOf(item).has(file), filesOf(after).has(file)]).toEqual([
            true,
            true,
            true,
          ]);
        }
      }),
    );
  });
});
