// Edits of the list that a user or the loop asks for, in whatever format the list has. They travel through the inbox and the loop's file, so
// their stored form is fixed: `{name, input}`.
import { z } from 'zod';
import type { EditCall } from '../model/remember.ts';
import { unreachable } from '../model/bug.ts';
import { isDecided } from '../model/decided.ts';
import { failure } from '../model/failure.ts';
import { itemChangeSchema, type ItemChange, type ItemId } from '../model/item.ts';
import { jsonSchema, type Json } from '../model/json.ts';
import { err, ok } from '../model/result.ts';
import { defineEdit, editCall } from './definitions.ts';

const changeInput = z.object({
  item: z.string(),
  change: itemChangeSchema,
  /** The revision whose list is changed; null: the list in the work tree. */
  base: z.string().nullable(),
});

/** Records a decision about an item, or a regression, on the item. No change if it is already there or the item is missing. */
export const changeItem = defineEdit({
  id: 'flag',
  input: changeInput,
  async texts({ view, backlog, config }, { item, change, base }) {
    const file = config.paths.backlog;
    const text = base === null ? await view.read(file) : await view.readAt(base, file);
    if (text === null) return err(failure('backlog-missing', { file }, { at: { file } }));
    const list = backlog.read(text, file, { allowCycles: true });
    if (!list.ok) return list;
    const subject = list.value.subject(item);
    const isIdle = subject === null || isDecided(subject, change);
    return ok({ [file]: isIdle ? text : backlog.change(text, item, change) });
  },
});

const testFileSchema = z.object({ path: z.string(), text: z.string() });
/** Made with an item that has no test yet. */
export type TestFile = Readonly<z.output<typeof testFileSchema>>;

/** A new entry at the end of the list; an existing one is not added again. `test`: written where there is no such file. */
export const addItem = defineEdit({
  id: 'add',
  input: z.object({ entry: jsonSchema, test: z.optional(testFileSchema) }),
  async texts({ view, backlog, config }, { entry, test }) {
    const file = config.paths.backlog;
    const text = await view.read(file);
    if (text === null) return err(failure('backlog-missing', { file }, { at: { file } }));
    const list = backlog.read(text, file, { requireTestFile: true });
    if (!list.ok) return list;
    const isNew = test !== undefined && (await view.read(test.path)) === null;
    return ok({ [file]: backlog.insert(text, entry), ...(isNew ? { [test.path]: test.text } : {}) });
  },
});

/** What a person changed in a copy of the list. */
const takeEdits = defineEdit({
  id: 'accept-edits',
  input: z.object({ edited: z.string() }),
  async texts({ view, backlog, config }, { edited }) {
    const file = config.paths.backlog;
    const text = await view.read(file);
    if (text === null) return err(failure('backlog-missing', { file }, { at: { file } }));
    const list = backlog.read(text, file, { allowCycles: true });
    if (!list.ok) return list;
    return ok({ [file]: backlog.takeEdit?.(text, edited, true)?.text ?? text });
  },
});

/** As stored in the inbox and in `loop.json`. `backlog`: the path of the list when it was asked for. */
export const listEditSchema = z.discriminatedUnion('name', [
  z.object({
    name: z.literal('flag'),
    input: z.object({ backlog: z.string(), item: z.string(), change: itemChangeSchema }),
  }),
  z.object({
    name: z.literal('add'),
    input: z.object({ backlog: z.string(), entry: jsonSchema, test: z.optional(testFileSchema) }),
  }),
  z.object({ name: z.literal('accept'), input: z.object({ backlog: z.string(), edited: z.string() }) }),
  /** Attempts are given back. `edit`: the machine's own (`ItemMachine.retry`), since each counts them in another file. */
  z.object({ name: z.literal('retry'), input: z.object({ edit: z.string(), items: z.array(z.string()) }) }),
]);
export type ListEdit = z.output<typeof listEditSchema>;

export const flagEdit = (backlog: string, item: ItemId, change: ItemChange): ListEdit => ({
  name: 'flag',
  input: { backlog, item, change },
});
export const addEdit = (backlog: string, entry: Json, test: TestFile | null = null): ListEdit => ({
  name: 'add',
  input: { backlog, entry, ...(test === null ? {} : { test }) },
});

/** Files beside the list that the edit writes. */
export const filesBeside = (edit: ListEdit): readonly string[] =>
  edit.name === 'add' && edit.input.test !== undefined ? [edit.input.test.path] : [];

export const retryEdit = (edit: string, items: readonly ItemId[]): ListEdit => ({
  name: 'retry',
  input: { edit, items: [...items] },
});

export const acceptEdit = (backlog: string, edited: string): ListEdit => ({
  name: 'accept',
  input: { backlog, edited },
});

export function callOf(edit: ListEdit): EditCall {
  switch (edit.name) {
    case 'flag':
      return editCall(changeItem, { item: edit.input.item, change: edit.input.change, base: null });
    case 'add':
      return editCall(addItem, {
        entry: edit.input.entry,
        ...(edit.input.test === undefined ? {} : { test: edit.input.test }),
      });
    case 'accept':
      return editCall(takeEdits, { edited: edit.input.edited });
    case 'retry':
      return { edit: edit.input.edit, input: { items: edit.input.items } };
    default:
      return unreachable(edit);
  }
}
