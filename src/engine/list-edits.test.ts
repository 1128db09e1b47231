// Edits of the list that users and the loop ask for, over both formats of lists.
import { describe, expect, test } from 'vitest';
import { configOf } from '../../test/support/config.ts';
import { feature, fileOf } from '../../test/support/features.ts';
import { memoryWorld, type Files } from '../../test/support/memory-world.ts';
import { contextOf, tasksConfig, textsFrom } from '../../test/support/read-context.ts';
import type { ItemChange } from '../model/item.ts';
import { toJson } from '../model/json.ts';
import { textsOf } from './definitions.ts';
import { addEdit, addItem, callOf, changeItem, flagEdit, listEditSchema } from './list-edits.ts';

const { backlog: features } = contextOf(memoryWorld({ files: {} }));
const AT = '2025-01-16T14:30:00.000Z';
const FEATURES = fileOf([feature(1), feature(2)]);
const task = (id: string, more: object = {}) => ({ id, title: `Title of ${id}`, status: 'pending', ...more });
const TASKS = JSON.stringify({ tasks: [task('a'), task('b')] }, null, 2);

const FORMATS = [
  { format: 'features', config: configOf(), file: 'features.json', list: FEATURES, item: '1' },
  { format: 'tasks', config: tasksConfig(), file: 'harness-tasks.json', list: TASKS, item: 'a' },
] as const;

const skipped: ItemChange = { type: 'skipped', reason: 'not now', unblock: true, at: AT };
const CHANGES: readonly ItemChange[] = [
  skipped,
  { type: 'failing', why: 'regressed' },
  { type: 'landed', at: AT },
  { type: 'overridden', passes: true, reason: 'seen', by: 'Ada', at: AT },
];

describe.each(FORMATS)('in a list of the format $format', ({ config, file, list, item }) => {
  const { backlog } = contextOf(memoryWorld({ files: {} }), config);
  const flagged = (files: Files, given: ItemChange, about: { item?: string; base?: string | null } = {}) =>
    changeItem.texts(contextOf(memoryWorld({ files, revisions: { cp: { [file]: list } } }), config), {
      item,
      base: null,
      ...about,
      change: given,
    });

  test.each(CHANGES)('a change ($type) is written on the item, and only once', async (given) => {
    const once = textsFrom(await flagged({ [file]: list }, given));
    expect(once).toEqual({ [file]: backlog.change(list, item, given) });
    expect(textsFrom(await flagged({ ...once }, given))).toEqual(once);
  });

  test('a decision that is there already keeps its date', async () => {
    const once = textsFrom(await flagged({ [file]: list }, skipped));
    const later = { ...skipped, at: '2030-01-01T00:00:00.000Z' };
    expect(textsFrom(await flagged({ ...once }, later))).toEqual(once);
  });

  test('a change may be of the list in a revision instead of the work tree', async () => {
    const given: ItemChange = { type: 'failing', why: 'regressed' };
    const made = textsFrom(await flagged({}, given, { base: 'cp' }));
    expect(made).toEqual({ [file]: backlog.change(list, item, given) });
  });

  test('a change of an item that is gone changes nothing', async () => {
    expect(textsFrom(await flagged({ [file]: list }, skipped, { item: '99' }))).toEqual({ [file]: list });
  });

  test.each([
    ['no list', {}, 'backlog-missing'],
    ['a list that cannot be read', { [file]: '{' }, 'backlog-invalid'],
  ] as const)('with %s a change and an addition fail', async (_, files, reason) => {
    const failed = { ok: false, failure: { reason } };
    expect(await flagged(files, skipped)).toMatchObject(failed);
    expect(await addItem.texts(contextOf(memoryWorld({ files }), config), { entry: {} })).toMatchObject(failed);
  });
});

describe('an addition', () => {
  const NEW = [
    { format: 'features', entry: feature(3), taken: feature(2, { description: 'Another', test_file: 'tests/x.py' }) },
    { format: 'tasks', entry: task('task-001'), taken: task('b', { title: 'Another' }) },
  ] as const;

  test.each(NEW)('to a list of the format $format is at its end, and only once', async ({ format, entry, taken }) => {
    const [known] = FORMATS.filter((one) => one.format === format);
    if (known === undefined) throw new Error('no such format');
    const { config, file, list } = known;
    const add = async (text: string, one: object): Promise<string> => {
      const made = textsFrom(
        await addItem.texts(contextOf(memoryWorld({ files: { [file]: text } }), config), { entry: toJson(one) }),
      );
      return made[file] ?? '';
    };
    const idsIn = (text: string): unknown[] => {
      const lists: { readonly [key: string]: readonly { readonly id: unknown }[] } = JSON.parse(text);
      return (Object.values(lists).findLast(Array.isArray) ?? []).map(({ id }) => id);
    };
    const once = await add(list, entry);
    expect(idsIn(once)).toEqual([...idsIn(list), entry.id]);
    expect(await add(once, entry)).toBe(once);
    const other = await add(list, taken);
    expect(new Set(idsIn(other)).size).toBe(3);
  });
});

test.each([
  [
    'features',
    { id: 3, category: 'auth', description: 'New', depends_on: [1], test_file: 'tests/new.py', passes: false },
  ],
  [
    'tasks',
    { id: 'c', status: 'pending', title: 'New', attempts: 0, validation: { timeout_seconds: 9, command: 'x' } },
  ],
])('an added entry of the format %s keeps the order of its fields', async (format, entry) => {
  const [known] = FORMATS.filter((one) => one.format === format);
  if (known === undefined) throw new Error('no such format');
  const { config, file, list } = known;
  const added = async (one: object): Promise<string> => {
    const context = contextOf(memoryWorld({ files: { [file]: list } }), config);
    return textsFrom(await addItem.texts(context, { entry: toJson(one) }))[file] ?? '';
  };
  const fieldsOf = (text: string): string[] => {
    const parsed: object = JSON.parse(text);
    const [entries] = Object.values(parsed).filter(Array.isArray);
    return Object.keys(entries?.at(-1) ?? {});
  };
  expect(fieldsOf(await added(entry))).toEqual(Object.keys(entry));
  const isTaken = { ...entry, id: format === 'tasks' ? 'a' : 1 };
  expect(fieldsOf(await added(isTaken))).toEqual(Object.keys(entry));
});

test('a cycle is no obstacle to a decision about an item, and stays one to an addition', async () => {
  const circular = fileOf([feature(1, { depends_on: [2] }), feature(2, { depends_on: [1] })]);
  const context = contextOf(memoryWorld({ files: { 'features.json': circular } }));
  expect(textsFrom(await changeItem.texts(context, { item: '1', base: null, change: skipped }))).toEqual({
    'features.json': features.change(circular, '1', skipped),
  });
  expect(await addItem.texts(context, { entry: toJson(feature(3)) })).toMatchObject({ ok: false });
});

describe('an edit as it is stored', () => {
  const flag = flagEdit('features.json', '1', skipped);
  const add = addEdit('features.json', toJson(feature(3)));

  test('has the form that the inbox and the loop’s file have always had', () => {
    expect(flag).toEqual({ name: 'flag', input: { backlog: 'features.json', item: '1', change: skipped } });
    expect(add).toEqual({ name: 'add', input: { backlog: 'features.json', entry: feature(3) } });
    for (const edit of [flag, add]) expect(listEditSchema.parse(JSON.parse(JSON.stringify(edit)))).toEqual(edit);
  });

  test.each([
    ['an unknown name', { name: 'remove', input: {} }],
    ['no item', { name: 'flag', input: { backlog: 'features.json', change: skipped } }],
    ['an unknown change', { name: 'flag', input: { backlog: 'features.json', item: '1', change: { type: 'lost' } } }],
  ])('with %s is refused', (_, edit) => {
    expect(listEditSchema.safeParse(edit).success).toBe(false);
  });

  test('is called on the list in the work tree', async () => {
    const list = features.change(FEATURES, '2', { type: 'landed' });
    const context = contextOf(memoryWorld({ files: { 'features.json': list } }));
    expect(textsFrom(await textsOf(callOf(flag), context))).toEqual({
      'features.json': features.change(list, '1', skipped),
    });
    const added = textsFrom(await textsOf(callOf(add), context))['features.json'] ?? '';
    expect(JSON.parse(added)).toMatchObject({ features: [{ id: 1 }, { id: 2, passes: true }, { id: 3 }] });
  });
});
