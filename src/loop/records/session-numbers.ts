// `session-numbers.json`: which numbers of sessions the work trees of the repository were given. No number is used twice, because refs,
// evidence and costs are named by it. Changed under a lock.
import { join } from 'node:path';
import { z } from 'zod/mini';
import { readText } from '../../host/files.ts';
import { underShortLock } from '../../host/short-lock.ts';
import { parseJsonFile } from '../../model/own-files.ts';
import { ok, type Result } from '../../model/result.ts';
import { workspaceOf } from '../../repos/folders.ts';
import type { RunHost, RunRepository, RunSettings } from '../run-context.ts';
import { begunSessions } from '../sessions.ts';

/** The numbers from `from` to `to` are one work tree's; `%main`: the main one. */
const fileSchema = z.object({
  schema: z.literal(1),
  given: z.record(z.string(), z.object({ from: z.number(), to: z.number() })),
});

/** A machine that numbers the sessions of its item by itself has so many. */
const ROOM = 1_000;

/** The number of the next session here: `wanted`, unless that or a later one is taken. Asked again before the session began, the same. */
export function giveSessionNumber(
  context: Pick<RunRepository & RunHost & RunSettings, 'privateDir' | 'workspaceDir' | 'io' | 'machine'>,
  wanted: number,
): Result<number> {
  const file = join(context.privateDir, 'session-numbers.json');
  return underShortLock(context.privateDir, 'books', () => {
    const text = readText(file);
    if (!text.ok) return text;
    const read = text.value === null ? ok(NONE) : parseJsonFile(text.value, file, fileSchema);
    if (!read.ok) return read;
    const { given } = read.value;
    const own = workspaceOf(context) ?? '%main';
    const least = Math.max(wanted, (begunSessions(context.workspaceDir).at(-1) ?? 0) + 1);
    const mine = given[own];
    if (mine !== undefined && mine.from <= least && least <= mine.to) return ok(least);
    const others = Object.entries(given).flatMap(([name, { to }]) => (name === own ? [] : [to]));
    const from = Math.max(least, ...others.map((to) => to + 1));
    const to = from + (context.machine.numbersSessions === true ? ROOM : 1) - 1;
    context.io.replace(file, `${JSON.stringify({ schema: 1, given: { ...given, [own]: { from, to } } })}\n`);
    return ok(from);
  });
}

const NONE: z.infer<typeof fileSchema> = { schema: 1, given: {} };
