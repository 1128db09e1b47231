// `session-numbers.json`: which numbers of sessions the work trees of the repository were given. No number is used twice, because refs,
// evidence and costs are named by it. Changed under a lock.
import { join } from 'node:path';
import { z } from 'zod/mini';
import { readText } from '../../host/files.ts';
import { underShortLock } from '../../host/short-lock.ts';
import { parseJsonFile } from '../../model/own-files.ts';
import { ok, type Result } from '../../model/result.ts';
import { workspaceOf } from '../../repos/folders.ts';
import type { RunHost, RunRepository, RunSettings, RunStores } from '../run-context.ts';

/**
 * The numbers from `from` to `to` are one work tree's; `%main`: the main one. `reserved`: the highest number of a work tree that its loop did
 * not give, where there is one.
 */
const fileSchema = z.object({
  schema: z.literal(1),
  given: z.record(z.string(), z.object({ from: z.number(), to: z.number() })),
  reserved: z.optional(z.record(z.string(), z.number())),
});
type Numbers = z.infer<typeof fileSchema>;

/** A machine that numbers the sessions of its item by itself has so many. */
const ROOM = 1_000;

type Context = Pick<
  RunRepository & RunHost & RunSettings & RunStores,
  'privateDir' | 'workspaceDir' | 'io' | 'machine' | 'sessions'
>;

/** The number of the next session here: `wanted`, unless that or a later one is taken. Asked again before the session began, the same. */
export const giveSessionNumber = (context: Context, wanted: number): Result<number> =>
  changeNumbers(context, ({ given, reserved = {} }, own) => {
    const least = Math.max(wanted, context.sessions.last() + 1, (reserved[own] ?? -1) + 1);
    const mine = given[own];
    if (mine !== undefined && mine.from <= least && least <= mine.to) return { number: least, file: null };
    const from = Math.max(least, highest({ given, reserved }, (name) => name !== own) + 1);
    const to = from + (context.machine.numbersSessions === true ? ROOM : 1) - 1;
    return { number: from, file: { given: { ...given, [own]: { from, to } }, reserved } };
  });

/** A number that no session has and none will be given. */
export const reserveSessionNumber = (context: Context): Result<number> =>
  changeNumbers(context, ({ given, reserved = {} }, own) => {
    const number =
      Math.max(
        context.sessions.last(),
        highest({ given, reserved }, () => true),
      ) + 1;
    return { number, file: { given, reserved: { ...reserved, [own]: number } } };
  });

function highest({ given, reserved = {} }: Omit<Numbers, 'schema'>, counts: (workspace: string) => boolean): number {
  const taken = [...Object.entries(given).map(([name, { to }]) => [name, to] as const), ...Object.entries(reserved)];
  return Math.max(0, ...taken.filter(([name]) => counts(name)).map(([, number]) => number));
}

/** `file` null: it stays as it is. */
function changeNumbers(
  context: Context,
  change: (file: Numbers, own: string) => { readonly number: number; readonly file: Omit<Numbers, 'schema'> | null },
): Result<number> {
  const path = join(context.privateDir, 'session-numbers.json');
  return underShortLock(context.privateDir, 'books', () => {
    const text = readText(path);
    if (!text.ok) return text;
    const read = text.value === null ? ok(NONE) : parseJsonFile(text.value, path, fileSchema);
    if (!read.ok) return read;
    const { number, file } = change(read.value, workspaceOf(context) ?? '%main');
    if (file !== null) {
      const { given, reserved = {} } = file;
      const some = Object.keys(reserved).length > 0 ? { reserved } : {};
      context.io.replace(path, `${JSON.stringify({ schema: 1, given, ...some })}\n`);
    }
    return ok(number);
  });
}

const NONE: Numbers = { schema: 1, given: {} };
