// Folders that are remembered: however many versions of them there are, only so much is kept, and what is asked for stays.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFolderCache } from './folder-cache.ts';

const folder = (files: number) =>
  new Map(Array.from({ length: files }, (_, n) => [`f${n}`, { mode: '100644', id: 'a' }] as const));

test('a thousand versions of a large folder take no more than a few of them', () => {
  const cache = createFolderCache(2_000);
  cache.keep('root', folder(3));
  for (let n = 0; n < 1_000; n += 1) {
    cache.trim();
    expect(cache.get('root')?.size).toBe(3);
    cache.keep(`plans-${n}`, folder(800));
    expect(cache.size()).toBeLessThanOrEqual(2_000 + 801);
  }
  expect([cache.get('plans-0'), cache.get('plans-999')?.size]).toEqual([undefined, 800]);
});

test('a repository that is larger than that is kept whole', () => {
  const cache = createFolderCache(100);
  const all = Array.from({ length: 50 }, (_, n) => `t${n}`);
  for (const id of all) cache.keep(id, folder(20));
  cache.listed(1_000);
  cache.trim();
  expect(all.every((id) => cache.get(id) !== undefined)).toBe(true);
});

test('within one question nothing is forgotten, and the count is that of what is there', () => {
  const acts = fc.array(fc.tuple(fc.constantFrom('keep', 'get', 'trim'), fc.nat(20), fc.nat(30)), { maxLength: 60 });
  fc.assert(
    fc.property(acts, (all) => {
      const cache = createFolderCache(50);
      const since = new Map<string, number>();
      for (const [act, n, files] of all) {
        const id = `t${n}`;
        if (act === 'keep') {
          cache.keep(id, folder(files));
          since.set(id, files);
        } else if (act === 'get') cache.get(id);
        else {
          cache.trim();
          since.clear();
          expect(cache.size()).toBeLessThanOrEqual(50);
        }
        for (const [known, count] of since) expect(cache.get(known)?.size).toBe(count);
      }
    }),
  );
});
