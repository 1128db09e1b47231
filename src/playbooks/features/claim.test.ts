// What a session did to features.json: one claim is legal, everything else has a name.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { feature, featureLists, fileOf, REFERENCE_FILE } from '../../../test/support/features.ts';
import { flipPasses } from './change.ts';
import { checkClaim } from './claim.ts';
import type { Feature, FeaturesFile } from './schema.ts';

const edited = (change: (file: { [key: string]: unknown; features: { [key: string]: unknown }[] }) => void): string => {
  const file = JSON.parse(REFERENCE_FILE) as Parameters<typeof change>[0];
  change(file);
  return JSON.stringify(file);
};
const codes = (after: string | null, item = '1') => {
  const check = checkClaim(REFERENCE_FILE, after, item);
  return check.problems.map((p) => (p.ids === undefined ? p.code : `${p.code} ${p.ids.join(',')}`));
};
const claimedAnd = (change: Parameters<typeof edited>[0]) =>
  edited((file) => {
    file.features[0]!['passes'] = true;
    change(file);
  });
const claim = (...ids: number[]) =>
  edited((file) => {
    for (const f of file.features) if (ids.includes(f['id'] as number)) f['passes'] = true;
  });

test('the item at hand, claimed alone, is a claim', () => {
  expect(checkClaim(REFERENCE_FILE, claim(1), '1')).toEqual({
    problems: [],
    claimed: ['1'],
  });
});

test('a new last_updated is no problem', () => {
  const after = edited((file) => {
    file['last_updated'] = 'tomorrow';
    file.features[0]!['passes'] = true;
  });
  expect(checkClaim(REFERENCE_FILE, after, '1')).toMatchObject({ problems: [] });
});

describe('problems', () => {
  test.each<[string, string[], string | null]>([
    ['nothing changed', ['nothing-claimed'], REFERENCE_FILE],
    ['three claims', ['too-many-claims 1,2,3'], claim(1, 2, 3)],
    ['another claim', ['wrong-claim 2'], claim(2)],
    ['two others', ['too-many-claims 2,3', 'wrong-claim 2,3'], claim(2, 3)],
    ['gone', ['backlog-unreadable'], null],
    ['no JSON', ['backlog-unreadable'], `${REFERENCE_FILE}}`],
    ['no list', ['backlog-unreadable'], '{"features": 1}'],
    ['a byte order mark', ['backlog-unreadable'], `\uFEFF${claim(1)}`],
    ['removal', ['item-removed 3'], claimedAnd((f) => f.features.pop())],
    ['addition', ['item-added 9'], claimedAnd((f) => f.features.push({ id: 9 }))],
    ['repetition', ['item-added 1'], claimedAnd((f) => f.features.push(f.features[0]!))],
    ['something without id', ['item-added [3]'], claimedAnd((f) => f.features.push({}))],
    ['another order', ['items-reordered', 'nothing-claimed'], edited((f) => f.features.reverse())],
    ['instructions', ['backlog-edited', 'nothing-claimed'], edited((f) => (f['instructions'] = 'pass all'))],
    ['a description', ['item-edited 2', 'nothing-claimed'], edited((f) => (f.features[1]!['description'] = 'easy'))],
    ['a test file', ['item-edited 1', 'nothing-claimed'], edited((f) => (f.features[0]!['test_file'] = 'easy.py'))],
    ['a field less', ['item-edited 1', 'nothing-claimed'], edited((f) => delete f.features[0]!['verification_steps'])],
    ['a new id', ['item-removed 3', 'item-added 4', 'nothing-claimed'], edited((f) => (f.features[2]!['id'] = 4))],
    [
      'a skip',
      ['decision-forged 1', 'nothing-claimed'],
      edited((f) => (f.features[0]!['skipped'] = { reason: '', unblock: true })),
    ],
    [
      'an override',
      ['decision-forged 1'],
      edited((f) => Object.assign(f.features[0]!, { passes: true, override: {} })),
    ],
    [
      'an accepted size',
      ['decision-forged 1', 'nothing-claimed'],
      edited((f) => (f.features[0]!['size_accepted'] = true)),
    ],
    ['passes "yes"', ['item-edited 1', 'nothing-claimed'], edited((f) => (f.features[0]!['passes'] = 'yes'))],
  ])('%s is %j', (_what, expected, after) => {
    expect(codes(after)).toEqual(expected);
  });

  test('a claim of before taken back is named', () => {
    const before = flipPasses(REFERENCE_FILE, '2');
    expect(checkClaim(before, claim(1), '1').problems).toEqual([
      { code: 'claim-withdrawn', params: { count: 1 }, ids: ['2'] },
    ]);
  });

  test('ten thousand edits under ten thousand names are a handful of problems', () => {
    const list = Array.from({ length: 10_000 }, (_, i) => feature(i + 1));
    const after = list.map((f) => ({ ...f, [`field ${f.id}`]: 'x'.repeat(100) }));
    const { problems } = checkClaim(fileOf(list), fileOf(after), '1');
    expect(problems.length).toBeLessThan(30);
    expect(problems.flatMap((p) => p.ids ?? [])).toHaveLength(10_000);
  });

  test('depth costs no stack', () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    const before = `{"features": [{"id": 1, "passes": false, "x": ${deep}}]}`;
    expect(checkClaim(before, flipPasses(before, '1'), '1').problems).toEqual([]);
  });
});

test('a claim holds exactly if nothing but the item flipped', () => {
  const edits = fc.array(
    fc.record({
      pick: fc.nat(),
      field: fc.constantFrom('passes', 'description', 'priority', 'skipped', 'note'),
      value: fc.constantFrom<unknown>(true, false, 1, 'x', null),
    }),
    { maxLength: 2 },
  );
  let held = 0;
  fc.assert(
    fc.property(
      featureLists(5),
      fc.oneof(fc.constant([]), edits),
      fc.nat(),
      fc.boolean(),
      (list, some, pick, claims) => {
        const before = fileOf(list);
        const file = JSON.parse(before) as { features: { [key: string]: unknown }[] };
        for (const e of some) file.features[e.pick % list.length]![e.field] = e.value;
        const open = list.filter((f) => !f.passes);
        const { id } = (open.length > 0 ? open : list)[pick % (open.length || list.length)]!;
        if (claims) file.features.find((f) => f['id'] === id)!['passes'] = true;
        const after = JSON.stringify(file);
        const check = checkClaim(before, after, String(id));
        const wanted = JSON.parse(before) as FeaturesFile;
        const own = wanted.features.find((f) => f.id === id) as { -readonly [K in keyof Feature]: Feature[K] };
        const wasOpen = !own.passes;
        own.passes = true;
        const isClaim = wasOpen && JSON.stringify(sorted(wanted)) === JSON.stringify(sorted(JSON.parse(after)));
        expect(check.problems.length === 0).toBe(isClaim);
        if (isClaim) held++;
      },
    ),
    { numRuns: 1_000 },
  );
  expect(held).toBeGreaterThan(100);
});

/** Key order does not count. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([k, v]) => [k, sorted(v)]);
}
