// Messages of people to the agents of an item, one file each in `messages/`: into the running turn where the agent can receive them then, else
// in front of its next turn, of this session or the next. A turn that is repeated after a crash has the same messages.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod/mini';
import type { HostedSession } from '../agents/host/client.ts';
import { runnerFor } from '../agents/registry.ts';
import { readText } from '../host/files.ts';
import type { Io } from '../host/io.ts';
import type { ItemId } from '../model/item.ts';
import type { RunContext } from './run-context.ts';
import { fileName } from './token.ts';

const messageSchema = z.object({
  text: z.string(),
  at: z.string(),
  /** Where it was passed on; turn 0: into a running turn. */
  used: z.optional(z.object({ session: z.number(), turn: z.number() })),
});
type Message = z.infer<typeof messageSchema>;
type Place = { readonly workspaceDir: string };
const folderOf = ({ workspaceDir }: Place, item: ItemId): string => join(workspaceDir, 'messages', fileName(item));

/** Oldest first: names begin with the time. */
function messagesOf(place: Place, item: ItemId): readonly { readonly file: string; readonly message: Message }[] {
  const folder = folderOf(place, item);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .flatMap((name) => {
      const file = join(folder, name);
      const text = readText(file);
      const read = text.ok && text.value !== null ? messageSchema.safeParse(JSON.parse(text.value)) : null;
      return read?.success === true ? [{ file, message: read.data }] : [];
    });
}

export function keepMessage(
  { io, ...place }: Place & { readonly io: Io },
  item: ItemId,
  { id, text, at }: { readonly id: string; readonly text: string; readonly at: string },
): void {
  io.replace(join(folderOf(place, item), `${id}.json`), `${JSON.stringify({ text, at })}\n`);
}

/** What this turn begins with. Asked again for the same turn, the same; those of earlier turns are removed. */
export function messagesForTurn(
  { io, ...place }: Place & { readonly io: Io },
  item: ItemId,
  turn: { readonly session: number; readonly turn: number },
): readonly string[] {
  const texts: string[] = [];
  for (const { file, message } of messagesOf(place, item)) {
    const { used, text, at } = message;
    if (used !== undefined && (used.session !== turn.session || used.turn !== turn.turn)) {
      io.remove(file);
      continue;
    }
    const { session, turn: number } = turn;
    if (used === undefined) io.replace(file, `${JSON.stringify({ text, at, used: { session, turn: number } })}\n`);
    texts.push(text);
  }
  return texts;
}

export const forgetMessages = ({ io, ...place }: Place & { readonly io: Io }, item: ItemId): void => {
  if (existsSync(folderOf(place, item))) io.remove(folderOf(place, item));
};

/** Into the running turn, where its agent can receive messages there. */
export async function passMessages(
  context: Pick<RunContext, 'workspaceDir' | 'io' | 'notify' | 'catalogue'>,
  item: ItemId,
  { session, live }: { readonly session: number; readonly live: HostedSession },
): Promise<void> {
  const runner = await runnerFor(live.provider);
  if (!runner.ok || runner.value.capabilities.inject !== 'mid-turn') return;
  for (const { file, message } of messagesOf(context, item)) {
    if (message.used !== undefined) continue;
    const { text, at } = message;
    const how = await live.inject(context.catalogue.problem({ code: 'said-by-person', params: { note: text } }));
    if (how !== 'delivered') continue;
    context.io.replace(file, `${JSON.stringify({ text, at, used: { session, turn: 0 } })}\n`);
    context.notify({ type: 'message-passed', level: 'important', item, session, data: { into: 'turn' } });
  }
}
