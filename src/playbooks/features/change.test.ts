// Edits of features.json change what they name and not one character more.
import type { ItemChange } from '../../model/item.ts';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { feature, featureLists, fileOf, REFERENCE_FILE } from '../../../test/support/features.ts';

import { unreachable } from '../../model/bug.ts';
import { backlog } from './backlog.ts';
import { addFeature, changeFeatures, flipPasses, nextId } from './change.ts';
import { readFeatures } from './read.ts';
import type { Feature, FeaturesFile } from './schema.ts';

const changes: fc.Arbitrary<ItemChange> = fc.oneof(
  fc.record({ type: fc.constant('landed' as const), at: fc.string() }),
  fc.record({ type: fc.constant('failing' as const), why: fc.string() }),
  fc.record({ type: fc.constant('skipped' as const), reason: fc.string(), unblock: fc.boolean(), at: fc.string() }),
  fc.record({
    type: fc.constant('overridden' as const),
    passes: fc.boolean(),
    reason: fc.string(),
    by: fc.string(),
    at: fc.string(),
  }),
  fc.constant({ type: 'size-accepted' as const }),
);
const layouts = fc.constantFrom<string | number>(0, 1, 2, 4, '\t');
const parse = (text: string) => JSON.parse(text) as FeaturesFile;

const lineDiff = (a: string, b: string): string[] => {
  const [x, y] = [a.split('\n'), b.split('\n')];
  return [
    ...x.filter((l) => !y.includes(l)).map((l) => `-${l}`),
    ...y.filter((l) => !x.includes(l)).map((l) => `+${l}`),
  ];
};

describe('in the reference example', () => {
  test('landing touches two lines', () => {
    const text = changeFeatures(REFERENCE_FILE, '3', { type: 'landed', at: '2025-02-01T00:00:00Z' });
    expect(text.length).toBe(REFERENCE_FILE.length - 'false'.length + 'true'.length);
    expect(text.split('"passes": true')).toHaveLength(2);
    expect(text).toContain('"last_updated": "2025-02-01T00:00:00Z",\n  \n  "features"');
  });
  test('a skip becomes one line after the last field, in the same indentation', () => {
    const change: ItemChange = { type: 'skipped', reason: 'no "API"', unblock: true, at: 'T' };
    expect(lineDiff(REFERENCE_FILE, changeFeatures(REFERENCE_FILE, '2', change))).toEqual([
      '-      "owner": {"team": "core"}',
      '+      "owner": {"team": "core"},',
      '+      "skipped": { "reason": "no \\"API\\"", "at": "T", "unblock": true }',
    ]);
  });
  test('landing takes back skip, override and failing marks without a trace', () => {
    let text = changeFeatures(REFERENCE_FILE, '1', { type: 'skipped', reason: 'r', unblock: false });
    text = changeFeatures(text, '1', { type: 'failing', why: 'w' });
    text = changeFeatures(text, '1', { type: 'overridden', passes: false, reason: 'r', by: 'b', at: 'a' });
    text = changeFeatures(text, '1', { type: 'landed' });
    expect(text).toBe(flipPasses(REFERENCE_FILE, '1'));
  });
});

test('a change sets exactly its fields, whatever the layout, and twice is once', () => {
  fc.assert(
    fc.property(featureLists(), layouts, fc.boolean(), changes, fc.nat(), (list, layout, crlf, change, pick) => {
      const plain = fileOf(list, layout);
      const text = crlf ? plain.replaceAll('\n', '\r\n') : plain;
      const { id } = list[pick % list.length]!;
      const once = changeFeatures(text, String(id), change);
      expect(changeFeatures(once, String(id), change)).toBe(once);
      const was = parse(text);
      expect(parse(once)).toEqual({
        ...was,
        last_updated: change.type === 'landed' ? change.at : was.last_updated,
        features: was.features.map((f) => (f.id === id ? model(f, change) : f)),
      });
      expect(readFeatures(once, 'f').ok).toBe(true);
      expect(lineEnds(once)).toEqual(crlf ? ['\r\n'] : ['\n']);
    }),
  );
});

/** What a feature must be after a change, said again in plain values. */
function model(f: Feature, change: ItemChange): Feature {
  const { skipped, failing, override: _override, ...rest } = f;
  switch (change.type) {
    case 'landed':
      return { ...rest, passes: true };
    case 'failing':
      return { ...f, passes: false, failing: { reason: change.why } };
    case 'skipped':
      return { ...f, skipped: { reason: change.reason, at: change.at!, unblock: change.unblock } };
    case 'overridden': {
      const { type: _type, ...record } = change;
      const marks = change.passes ? {} : { ...(skipped && { skipped }), ...(failing && { failing }) };
      return { ...rest, ...marks, passes: change.passes, override: record };
    }
    case 'size-accepted':
      return { ...f, size_accepted: true };
    case 'retitled':
      return { ...f, description: change.title };
    default:
      return unreachable(change);
  }
}

const lineEnds = (text: string): string[] => [...new Set(text.match(/\r?\n/g))];

test('setting a flag and taking it back leaves the text as it was', () => {
  fc.assert(
    fc.property(featureLists(), layouts, (list, layout) => {
      const clean = list.map(({ skipped: _s, failing: _f, ...rest }) => ({ ...rest, passes: false })) as typeof list;
      const text = fileOf(clean, layout);
      const id = String(clean[0]!.id);
      const flagged = changeFeatures(text, id, { type: 'skipped', reason: 'r', unblock: false });
      expect(changeFeatures(flagged, id, { type: 'landed' })).toBe(flipPasses(text, id));
    }),
  );
});

test('of a repeated key the one that counts is changed', () => {
  const text = '{"features": [{"id": 1, "passes": true, "passes": false}]}';
  expect(parse(flipPasses(text, '1')).features[0]?.passes).toBe(true);
});

test('an unknown id is a bug of the caller', () => {
  expect(() => changeFeatures(REFERENCE_FILE, '9', { type: 'landed' })).toThrow('not all of 9');
});

describe('a new feature', () => {
  test('is laid out like its neighbours', () => {
    const text = addFeature(REFERENCE_FILE, { id: 4, description: 'New', passes: false, verification_steps: ['a'] });
    expect(text).toContain(
      '      "passes": false\n    },\n    {\n      "id": 4,\n      "description": "New",\n      "passes": false,\n      "verification_steps": [\n        "a"\n      ]\n    }\n  ],',
    );
  });
  test('keeps everything else, in every layout', () => {
    fc.assert(
      fc.property(fc.oneof(featureLists(5), fc.constant([])), layouts, fc.boolean(), (list, layout, crlf) => {
        const plain = fileOf(list, layout);
        const text = crlf ? plain.replaceAll('\n', '\r\n') : plain;
        const added = feature(nextId(list), { description: 'New "one"', depends_on: list.map((f) => f.id) });
        const result = addFeature(text, added);
        expect(parse(result).features).toEqual([...parse(text).features, added]);
        expect(
          result.startsWith(text.slice(0, text.lastIndexOf(list.length === 0 ? '[' : '}', text.lastIndexOf(']')))),
        ).toBe(true);
        expect(lineEnds(result)).toEqual(crlf ? ['\r\n'] : ['\n']);
      }),
    );
  });
  test('leaves the text as a whole as JSON.stringify would have laid it out', () => {
    const looksSpaced = feature(1, { description: 'd": ' });
    fc.assert(
      fc.property(featureLists(5), layouts, (list, layout) => {
        const added = feature(nextId(list), { description: 'New', files: ['a'] });
        expect(addFeature(fileOf(list, layout), added)).toBe(fileOf([...list, added], layout));
      }),
      { examples: [[[looksSpaced], 0]] },
    );
  });
  test('is on one line where its neighbours are', () => {
    const text = '{\n  "features": [\n    { "id": 1, "passes": false }\n  ]\n}\n';
    expect(addFeature(text, { id: 2, description: 'd', passes: false })).toBe(
      '{\n  "features": [\n    { "id": 1, "passes": false },\n    { "id": 2, "description": "d", "passes": false }\n  ]\n}\n',
    );
  });
});

test('the codec answers items and next, and changes them, for any machine', () => {
  const read = (text: string) => {
    const list = backlog.read(text, 'f');
    return list.ok && { next: list.value.next(), statuses: list.value.items.map((i) => i.status) };
  };
  expect(read(REFERENCE_FILE)).toMatchObject({ next: '1' });
  const landed = backlog.change(REFERENCE_FILE, '1', { type: 'landed' });
  expect(read(landed)).toEqual({ next: '2', statuses: ['landed', 'ready', 'pending'] });
  expect(read('{')).toBe(false);
});
