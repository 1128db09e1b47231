// Texts of harness-tasks.json as they must stand: absolute, so that writing one again changes nothing.
import { z } from 'zod';
import type { Edit } from '../../engine/playbook.ts';
import { failure, Impossible } from '../../model/failure.ts';
import type { ItemChange } from '../../model/item.ts';
import { isDecided } from '../../model/decided.ts';
import type { World } from '../../model/world.ts';
import { withTask } from './add.ts';
import { backlog as codec } from './backlog.ts';
import { changeTask, patchSession, patchTask } from './change.ts';
import { isJson, readTasks } from './read.ts';
import type { Task } from './schema.ts';

/** The text as it is; throws Impossible where there is none, or one that nobody can read. */
async function textOf(world: World, file: string): Promise<string> {
  const text = await world.read(file);
  if (text === null) throw new Impossible(failure('backlog-missing', { file }, { at: { file } }));
  const read = readTasks(text, file);
  if (!read.ok) throw new Impossible(read.failure);
  return text;
}

const taskInput = z.object({ backlog: z.string(), item: z.string(), patch: z.record(z.string(), z.json()) });
/** Fields of one task. */
const task: Edit = async (world, input) => {
  const { backlog, item, patch } = taskInput.parse(input);
  return { [backlog]: patchTask(await textOf(world, backlog), item, patch) };
};

const sessionInput = z.object({ backlog: z.string(), count: z.number(), at: z.string() });
/** The number and the time of the last session. */
const session: Edit = async (world, input) => {
  const { backlog, count, at } = sessionInput.parse(input);
  return { [backlog]: patchSession(await textOf(world, backlog), { session_count: count, last_session: at }) };
};

/** The list as it was before the last write, where nobody can parse it as it is now; then as `session`. */
const restore: Edit = async (world, input) => {
  const { backlog, count, at } = sessionInput.parse(input);
  const now = await world.read(backlog);
  const text = now !== null && isJson(now) ? now : await textOf(world, `${backlog}.bak`);
  return { [backlog]: patchSession(text, { session_count: count, last_session: at }) };
};

/** What people decide. */
const flag: Edit = async (world, input) => {
  const given = input as unknown as { readonly backlog: string; readonly item: string; readonly change: ItemChange };
  const text = await textOf(world, given.backlog);
  const list = codec.read(text, given.backlog);
  const subject = list.ok ? list.value.subject(given.item) : null;
  if (subject === null) throw new Impossible(failure('item-unknown', { item: given.item }));
  return isDecided(subject, given.change) ? {} : { [given.backlog]: changeTask(text, given.item, given.change) };
};

const add: Edit = async (world, input) => {
  const given = input as unknown as { readonly backlog: string; readonly entry: Task };
  return { [given.backlog]: withTask(await textOf(world, given.backlog), given.entry) };
};

export const edits = { task, session, restore, flag, add } as const satisfies { readonly [name: string]: Edit };
