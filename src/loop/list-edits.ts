// A person's edit of a list that commits carry, made while agents work. Where agents work in work trees of their own it can only be a person's: it
// is taken out of the user's work tree, asked for as a change of the list, and committed at the next boundary between items. Where the agent may
// have written it, the text is kept for the person to decide (src/loop/records/kept-edits.ts).
import { join } from 'node:path';
import { acceptEdit } from '../engine/list-edits.ts';
import type { MessageQueue } from '../engine/message-queue.ts';
import { readText, sha256 } from '../host/files.ts';
import { toJson } from '../model/json.ts';
import type { ItemId } from '../model/item.ts';
import { ok, type Result } from '../model/result.ts';
import { showFile } from '../repos/history.ts';
import { keepEdit } from './records/kept-edits.ts';
import type { RunEvents, RunHost, RunRepository, RunSettings } from './run-context.ts';

type Context = RunRepository & RunSettings & RunHost & RunEvents;

/** The text of the list in the user's work tree, where it is not what is committed; null: it is, or no commit carries it. */
async function editedList({ git, config, userRoot, machine }: Context): Promise<Result<Edited | null>> {
  const user = git.lands?.user ?? null;
  const { backlog: path } = config.paths;
  if (user === null || machine.files(config).own.includes(path)) return ok(null);
  const [committed, now] = [await showFile(user, 'HEAD', path), readText(join(userRoot, path))];
  if (!committed.ok) return committed;
  if (!now.ok || now.value === null || committed.value === null || now.value === committed.value) return ok(null);
  return ok({ text: now.value, committed: committed.value });
}
type Edited = { readonly text: string; readonly committed: string };

/**
 * Asks the loop for the edit and puts the committed text back, so that landings are not in its way. The text is kept until the loop has stored the
 * request, and for good where it leaves something out that is not taken away. `none`: nothing is edited. `unfit`: what is there is no list; it
 * stays. Repeatable: an edit that is asked for twice is taken once.
 */
export async function takeListEdit(
  context: Context,
  messages: MessageQueue,
): Promise<Result<'taken' | 'none' | 'unfit'>> {
  const { backlog, config, userRoot, io, clock, notify } = context;
  const found = await editedList(context);
  if (!found.ok) return found;
  if (found.value === null || backlog.takeEdit === undefined) return ok('none');
  const { text, committed } = found.value;
  const { backlog: file } = config.paths;
  const taken = backlog.takeEdit(committed, text, true);
  if (taken === null || (taken.isWhole && taken.text === committed)) return ok('unfit');
  const kept = keepEdit(context, file, text);
  const forget = (): void => (taken.isWhole ? io.remove(join(userRoot, kept)) : undefined);
  const id = `list-${sha256(text).slice(0, 12)}-${clock.now()}`;
  const body = toJson({
    subject: 'chore(harness): edits of the list are taken',
    item: null,
    edit: acceptEdit(file, text),
  });
  messages.post({ type: 'message', id, body }, forget);
  // Saved again meanwhile: the newer text is taken the next time.
  const again = readText(join(userRoot, file));
  if (again.ok && again.value === text) io.replace(join(userRoot, file), committed);
  const about = { file, kept: taken.isWhole ? '' : kept, taken: taken.isWhole ? 'all' : 'part' };
  notify({ type: 'list-edited', level: 'critical', data: about });
  return ok('taken');
}

/** Of a session in the user's own work tree: what is more than a claim may be a person's, and is kept before the list is restored. */
export function keepListEdit(
  context: Context,
  {
    before,
    now,
    item,
    session,
  }: { readonly before: string; readonly now: string; readonly item: ItemId | null; readonly session: number | null },
): void {
  const { backlog, config } = context;
  const taken = backlog.takeEdit?.(before, now, true) ?? null;
  if (taken !== null && taken.text === before && taken.isWhole) return;
  if (backlog.claim === undefined || backlog.takeEdit === undefined) return;
  const { backlog: file } = config.paths;
  const kept = keepEdit(context, file, now);
  const about = { ...(item === null ? {} : { item }), ...(session === null ? {} : { session }) };
  context.notify({ type: 'list-edited', level: 'critical', ...about, data: { file, kept, taken: 'nothing' } });
}
