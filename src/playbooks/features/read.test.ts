// Mistakes in features.json: all at once, each with feature, field, place and what is allowed.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { feature, featureLists, fileOf, REFERENCE_FILE } from '../../../test/support/features.ts';
import { dependencyCycles } from '../records/graph.ts';
import { readFeatures } from './read.ts';

const causes = (text: string, requireTestFile = true) => {
  const read = readFeatures(text, 'features.json', { requireTestFile });
  if (read.ok) return [];
  expect(read.failure.reason).toBe('backlog-invalid');
  return (read.failure.causes ?? []).map((c) => ({
    reason: c.reason,
    ...c.params,
    at: `${c.at?.line}:${c.at?.column}`,
    key: c.at?.key,
  }));
};

test("the reference's own example is valid and keeps its unknown fields", () => {
  const read = readFeatures(REFERENCE_FILE, 'features.json');
  expect(read.ok && read.value.features.map((f) => f.id)).toEqual([1, 2, 3]);
  expect(read.ok && read.value.features[1]?.['owner']).toEqual({ team: 'core' });
});

test('any valid list is read as it is', () => {
  fc.assert(
    fc.property(featureLists(), (list) => {
      const read = readFeatures(fileOf(list), 'f');
      expect(read.ok && read.value.features).toEqual(JSON.parse(JSON.stringify(list)));
    }),
  );
});

test('every mistake is reported at once, each with its location', () => {
  const text = `{
  "features": [
    { "description": "no id", "test_file": "a", "passes": false },
    { "id": 2, "description": "", "test_file": "../b", "passes": "yes" },
    { "id": 2, "description": "twice", "passes": false, "depends_on": [2, 9, "x"] },
    7,
    { "id": 4, "description": "d", "test_file": "t", "passes": false, "depends_on": [77],
      "verification_type": "magic", "size_estimate": "huge", "verification_steps": ["ok", 5] }
  ],
  "project": 5
}`;
  expect(causes(text)).toEqual([
    {
      reason: 'entry-field-missing',
      entry: 'Feature',
      item: '[0]',
      field: 'id',
      allowed: 'integer ≥ 1',
      at: '3:5',
      key: 'features[0].id',
    },
    expect.objectContaining({ item: '2', field: 'description', got: '""', at: '4:31' }),
    expect.objectContaining({ item: '2', field: 'test_file', got: '"../b"', at: '4:48' }),
    expect.objectContaining({ item: '2', field: 'passes', allowed: 'true | false', got: '"yes"', at: '4:66' }),
    expect.objectContaining({ reason: 'entry-field-missing', item: '2', field: 'test_file', at: '5:5' }),
    expect.objectContaining({ reason: 'entry-id-duplicate', item: '2', first: 'features[1]', at: '5:13' }),
    expect.objectContaining({ field: 'depends_on', got: '"x"', at: '5:78', key: 'features[2].depends_on[2]' }),
    expect.objectContaining({ reason: 'entry-field-invalid', item: '[3]', got: '7', at: '6:5' }),
    expect.objectContaining({ reason: 'dependency-missing', feature: '4', dependency: '77', at: '7:86' }),
    expect.objectContaining({ field: 'verification_type', allowed: '"automated" | "hybrid" | "manual"', at: '8:28' }),
    expect.objectContaining({ field: 'size_estimate', got: '"huge"', at: '8:54' }),
    expect.objectContaining({
      field: 'verification_steps',
      got: '5',
      at: '8:91',
      key: 'features[4].verification_steps[1]',
    }),
    expect.objectContaining({ reason: 'backlog-field-invalid', field: 'project', at: '10:14' }),
  ]);
});

test.each([
  ['[]', 'backlog-field-invalid'],
  ['null', 'backlog-field-invalid'],
  ['{}', 'backlog-field-missing'],
  ['{"features": {}}', 'backlog-field-invalid'],
  ['\uFEFF{"features": []}', 'backlog-syntax'],
  ['', 'backlog-syntax'],
])('%j is refused as %s', (text, reason) => {
  expect(causes(text).map((c) => c.reason)).toEqual([reason]);
});

test('a trailing comma is named with line and column', () => {
  expect(causes('{\n  "features": [\n    {"id": 1},\n  ]\n}')).toEqual([
    expect.objectContaining({ reason: 'backlog-syntax', mistake: 'trailing-comma', at: '3:14' }),
  ]);
});

describe('test files', () => {
  const without = fileOf([feature(1, { test_file: null })]);
  const hybrid = fileOf([feature(1, { test_file: null, verification_type: 'hybrid' })]);
  test('are required of automated features alone, and only where configured', () => {
    expect(causes(without)).toHaveLength(1);
    expect(causes(without, false)).toEqual([]);
    expect(causes(hybrid)).toEqual([]);
  });
  test.each(['/etc/passwd', '../x', 'a/../../b', '--collect-only', '~/x', 'C:\\x', 'a\nb', ' '])(
    '%j is no test file',
    (path) => {
      expect(causes(fileOf([feature(1, { test_file: path })]))).toHaveLength(1);
    },
  );
});

describe('dependencies', () => {
  test('a circle is shown with its path, a feature that names itself apart', () => {
    const text = fileOf([
      feature(20, { depends_on: [21] }),
      feature(21, { depends_on: [20] }),
      feature(3, { depends_on: [3] }),
    ]);
    expect(causes(text)).toEqual([
      expect.objectContaining({ reason: 'dependency-cycle', path: '20 → 21 → 20', feature: '21' }),
      expect.objectContaining({ reason: 'dependency-self', feature: '3' }),
    ]);
  });

  test('a feature that is there but broken is not called missing as well', () => {
    const text = fileOf([feature(1, { depends_on: ['x' as never] }), feature(2, { depends_on: [1] })]);
    expect(causes(text).map((c) => [c.reason, c.key])).toEqual([['entry-field-invalid', 'features[0].depends_on[0]']]);
  });

  test('a cycle through a skipped feature is none: it waits for no other', () => {
    const skipped = { reason: 'part of a circle', unblock: false, at: '2026-01-01T00:00:00Z' };
    const list = [feature(20, { depends_on: [21], skipped }), feature(21, { depends_on: [20] })];
    expect(causes(fileOf(list))).toEqual([]);
  });

  test('a circle of a hundred thousand is found without recursion', () => {
    const list = Array.from({ length: 100_000 }, (_, i) => feature(i + 1, { depends_on: [((i + 1) % 100_000) + 1] }));
    const found = causes(fileOf(list, 0));
    expect(found).toHaveLength(1);
    expect(found[0]?.reason).toBe('dependency-cycle');
  });

  test('a chain of a hundred thousand is valid', () => {
    const list = Array.from({ length: 100_000 }, (_, i) => feature(i + 1, { depends_on: i === 0 ? [] : [i] }));
    expect(causes(fileOf(list.reverse(), 0))).toEqual([]);
  });

  test('a circle is reported exactly where repeated removal of free features leaves some over', () => {
    const graph = fc
      .integer({ min: 1, max: 7 })
      .chain((n) =>
        fc.array(fc.uniqueArray(fc.integer({ min: 1, max: n }), { maxLength: 3 }), { minLength: n, maxLength: n }),
      );
    fc.assert(
      fc.property(graph, (edges) => {
        const list = edges.map((to, i) => feature(i + 1, { depends_on: to.filter((id) => id !== i + 1) }));
        let open = list;
        for (;;) {
          const rest = open.filter((f) => f.depends_on!.some((id) => open.some((o) => o.id === id)));
          if (rest.length === open.length) break;
          open = rest;
        }
        const cycles = dependencyCycles(list);
        expect(cycles.length > 0).toBe(open.length > 0);
        for (const { path } of cycles) {
          expect(path[0]).toBe(path.at(-1));
          for (const [i, id] of path.slice(0, -1).entries()) expect(list[id - 1]!.depends_on).toContain(path[i + 1]);
        }
      }),
    );
  });
});

test('five thousand broken features are counted, and the first five hundred are listed', () => {
  const list = Array.from({ length: 5_000 }, (_, i) => ({ ...feature(i + 1), passes: 'x' as never }));
  const read = readFeatures(fileOf(list), 'f');
  expect(!read.ok && read.failure.params['count']).toBe(5_000);
  expect(!read.ok && read.failure.causes).toHaveLength(500);
});

test('a key that is there twice is a mistake, since its first value would be lost without a word', () => {
  const text = `{
  "project": "shop", "features": [
    { "id": 1, "description": "a \\"passes\\": b", "test_file": "a", "passes": false },
    { "id": 2, "description": "b", "test_file": "b", "passes": false, "passes": true,
      "visual_verification": { "enabled": true, "enabled": false } }
  ],
  "project": "other"
}`;
  expect(causes(text)).toEqual([
    expect.objectContaining({ reason: 'entry-key-repeated', item: '2', key: 'features[1].passes', at: '4:81' }),
    expect.objectContaining({ reason: 'entry-key-repeated', item: '2', key: 'features[1].visual_verification' }),
    expect.objectContaining({ reason: 'backlog-key-repeated', key: 'project', at: '7:14' }),
  ]);
});
