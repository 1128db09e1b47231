// Changes of the list of a mission: the smallest edit of its text, and the same whenever it is made again. Which feature is next.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { missionFeature, missionFeatures, missionFile } from '../../../test/support/mission.ts';
import type { ItemChange } from '../../model/item.ts';
import { backlog } from './backlog.ts';
import { addFeature, changeFeature, grantCheckpoint, landFeature, nextId } from './change.ts';
import { readMission, type MissionFeature, type MissionFile } from './schema.ts';
import { canStart, nextFeature, toItems } from './select.ts';

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
const some = missionFeatures.filter((features) => features.length > 0);
const parse = (text: string): MissionFile => JSON.parse(text) as MissionFile;
const valid = (text: string): MissionFile => {
  const read = readMission(text, 'features.json');
  if (!read.ok) throw new Error(JSON.stringify(read.failure));
  return read.value;
};

describe('a change', () => {
  test('leaves every other feature and every unknown field as it is, is valid, and is made once', () => {
    fc.assert(
      fc.property(some, changes, layouts, fc.nat(), (features, change, layout, pick) => {
        const text = missionFile(features, { team: 'blue' }, layout);
        const { id = '' } = features[pick % features.length] ?? {};
        const after = changeFeature(text, id, change);
        expect(changeFeature(after, id, change)).toBe(after);
        const [was, is] = [parse(text), valid(after)];
        expect({ ...is, features: [] }).toEqual({ ...was, features: [] });
        for (const [n, one] of is.features.entries()) {
          const before = was.features[n];
          if (one.id !== id) expect(one).toEqual(before);
          expect([one.id, one.title, one.claims, one['owner']]).toEqual([
            before?.id,
            before?.title,
            before?.claims,
            before?.['owner'],
          ]);
        }
      }),
    );
  });

  test('of a landing takes back what was decided and what failed, and counts the sessions', () => {
    let text = missionFile([missionFeature(1)]);
    const plain = parse(landFeature(text, 'F-001', 2));
    text = changeFeature(text, 'F-001', { type: 'failing', why: 'w' });
    text = changeFeature(text, 'F-001', { type: 'overridden', passes: false, reason: 'r', by: 'b', at: 'a' });
    text = changeFeature(text, 'F-001', { type: 'skipped', reason: 'r', unblock: false });
    expect(parse(landFeature(text, 'F-001', 2))).toEqual(plain);
    expect(plain.features[0]).toMatchObject({ status: 'passing', attempts: 2 });
  });

  test('of a checkpoint is written once; the first grant counts', () => {
    const first = { name: 'plan', by: 'Ada', at: 'now' };
    const text = missionFile([missionFeature(1)]);
    const granted = grantCheckpoint(text, valid(text), first);
    expect(valid(granted).checkpoints).toEqual([first]);
    expect(grantCheckpoint(granted, valid(granted), { ...first, by: 'Bob' })).toBe(granted);
  });

  test('that adds a feature takes an id that no feature has', () => {
    fc.assert(
      fc.property(missionFeatures, fc.constantFrom('F-', 'F-FIX-'), (features, prefix) => {
        const id = nextId(features, prefix);
        const after = valid(addFeature(missionFile(features), missionFeature(99, { id })));
        expect(new Set(after.features.map((one) => one.id)).size).toBe(features.length + 1);
      }),
    );
  });
});

describe('the next feature', () => {
  const names = (features: readonly MissionFeature[], taken: readonly string[] = [], prefer: string | null = null) =>
    nextFeature(features, { prefer, taken: new Set(taken) })?.id ?? null;

  test('is one that can start and that no lane has, and there is none only where none can start', () => {
    fc.assert(
      fc.property(missionFeatures, fc.nat(), (features, pick) => {
        const taken = new Set(features.filter((_, n) => (pick >> n) % 2 === 1).map(({ id }) => id));
        const id = nextFeature(features, { prefer: null, taken })?.id ?? null;
        const startable = features.filter((one) => !taken.has(one.id) && canStart(features, one.id));
        expect(id === null).toBe(startable.length === 0);
        if (id !== null) expect(startable.map((one) => one.id)).toContain(id);
        const status = new Map(toItems(features).map((item) => [item.id, item.status]));
        for (const one of startable) expect(['ready', 'failed']).toContain(status.get(one.id));
      }),
    );
  });

  test('is the one to continue, then one that fails since it landed, then a fix, then by priority and place', () => {
    const list = [
      missionFeature(1),
      missionFeature(2, { priority: 1 }),
      missionFeature(3, { fixes: 'F-001' }),
      missionFeature(4, { failing: { reason: 'broken' }, status: 'failing' }),
    ];
    expect([names(list, [], 'F-001'), names(list), names(list, ['F-004']), names(list, ['F-004', 'F-003'])]).toEqual([
      'F-001',
      'F-004',
      'F-003',
      'F-002',
    ]);
  });

  test('waits for what it depends on, unless a user skipped that and freed it', () => {
    const second = missionFeature(2, { depends_on: ['F-001'] });
    const skipped = (unblock: boolean) => missionFeature(1, { skipped: { reason: 'no', unblock } });
    expect([
      names([missionFeature(1), second], ['F-001']),
      names([skipped(true), second]),
      names([skipped(false), second]),
    ]).toEqual([null, 'F-002', null]);
    expect(toItems([skipped(false), second]).map(({ status }) => status)).toEqual(['skipped', 'blocked']);
  });
});

test('what a list says of a feature is read back as it was written, in any layout', () => {
  fc.assert(
    fc.property(missionFeatures, layouts, (features, layout) => {
      const read = backlog.read(missionFile(features, {}, layout), 'features.json');
      if (!read.ok) throw new Error(JSON.stringify(read.failure));
      expect(read.value.items.map(({ id, title, attempts }) => ({ id, title, attempts }))).toEqual(
        features.map(({ id, title, attempts }) => ({ id, title, attempts })),
      );
      for (const feature of features) {
        expect(backlog.raw(missionFile(features, {}, layout), feature.id)).toEqual(feature);
        expect(read.value.subject(feature.id)?.steps).toEqual(feature.claims);
      }
    }),
  );
});
