// The work of an item that waits for an answer: kept on a ref of its own, byte for byte, while another item has the work tree. It comes back
// as it was, on top of the branch as it is by then, and the landing proves both together.
import { join } from 'node:path';
import { z } from 'zod/mini';
import { readText, sha256 } from '../host/files.ts';
import { failure } from '../model/failure.ts';
import { err, ok, type Result } from '../model/result.ts';
import { refPart } from '../model/ref-part.ts';
import { commitAsAttempt, listAttempts } from './attempts.ts';
import { commitTreeObject, findCheckpoint, takeCheckpoint, treeAt } from './checkpoint.ts';
import type { Git } from './git.ts';
import { asNull } from './head.ts';
import { writeMessage } from './message.ts';
import { restoreTree } from './restore.ts';
import { asUser } from './settings.ts';
import { treeOf } from './tree.ts';

const ROOT = 'refs/harness/parked';

export type ParkedWork = {
  readonly item: string;
  /** Two work trees may have an item of the same name. */
  readonly token: string;
  /** Folder of the notes, in the private folder of the work tree. */
  readonly folder: string;
};

/** `resumes`: what the item continues with. */
export const parkedWork = (
  workspaceDir: string,
  one: { readonly item: string; readonly resumes: string },
): ParkedWork => ({
  item: one.item,
  token: one.resumes,
  folder: join(workspaceDir, 'parked'),
});
const mark = (token: string): string => sha256(token).slice(0, 12);
export const parkedRef = ({ item, token }: Pick<ParkedWork, 'item' | 'token'>): string =>
  `${ROOT}/${refPart(item)}/${mark(token)}`;

/** `ledger`: the text of the machine's own file; null: none. `isReturning`: the work tree may have part of the work already. */
const noteSchema = z.object({ ledger: z.nullable(z.string()), isReturning: z.optional(z.literal(true)) });
type Note = z.infer<typeof noteSchema>;
const noteFile = ({ folder, token }: ParkedWork): string => join(folder, `${mark(token)}.json`);

function readNote(work: ParkedWork): Result<Note | null> {
  const file = noteFile(work);
  const text = readText(file);
  if (!text.ok || text.value === null) return text.ok ? ok(null) : text;
  try {
    return ok(noteSchema.parse(JSON.parse(text.value)));
  } catch {
    return err(failure('state-unreadable', { file }, { at: { file } }));
  }
}
const writeNote = (git: Git, work: ParkedWork, note: Note): void =>
  git.io.replace(noteFile(work), `${JSON.stringify(note)}\n`);

/**
 * Keeps the work tree and the ledger, and restores the tip of the branch. Repeatable: what was kept first counts. Fails with
 * `nested-repository`, and nothing is changed.
 */
export async function park(git: Git, work: ParkedWork, ledger: string): Promise<Result<null>> {
  const ref = parkedRef(work);
  const known = await findCheckpoint(git, ref);
  if (!known.ok) return known;
  if (known.value === null) {
    const text = readText(ledger);
    if (!text.ok) return text;
    writeNote(git, work, { ledger: text.value });
    const taken = await takeCheckpoint(git, { ref, message: `#${work.item} waits for an answer` });
    if (!taken.ok) return taken;
  }
  const tip = await takeCheckpoint(git, { ref: null, message: 'the tip of the branch', of: 'HEAD' });
  return tip.ok ? asNull(await restoreTree(git, tip.value)) : tip;
}

/**
 * Brings the work and the ledger back, over the branch as it is now; nothing of it is left on the ref. Repeatable. `dirty`: a user has changed
 * the work tree meanwhile, and nothing is done.
 */
export async function unpark(git: Git, work: ParkedWork, ledger: string): Promise<Result<'back' | 'dirty'>> {
  const kept = await findCheckpoint(git, parkedRef(work));
  if (!kept.ok) return kept;
  const note = readNote(work);
  if (!note.ok) return note;
  // It is back. Where a user removed the ref, the item continues without its work, which its landing notices.
  if (kept.value === null || note.value === null) return forgotten(git, work);
  const began = await treeAt(git, kept.value.head);
  if (!began.ok) return began;
  // A question before the session: there was no work yet.
  const isWork = began.value !== kept.value.tree;
  const tip = await takeCheckpoint(git, { ref: null, message: 'the tip of the branch', of: 'HEAD' });
  if (!tip.ok) return tip;
  if (isWork && note.value.isReturning !== true) {
    const now = await treeOf(git);
    if (!now.ok) return now;
    if (now.value !== tip.value.tree) return ok('dirty');
    writeNote(git, work, { ...note.value, isReturning: true });
  }
  const back = isWork ? await restoreTree(git, { ...tip.value, tree: kept.value.tree }) : ok(null);
  if (!back.ok) return back;
  if (note.value.ledger !== null) git.io.replace(ledger, note.value.ledger);
  return forgotten(git, work);
}

async function forgotten(git: Git, work: ParkedWork): Promise<Result<'back'>> {
  const gone = await forgetParked(git, work);
  return gone.ok ? ok('back') : gone;
}

/** Nothing is left on the ref. Repeatable. */
export async function forgetParked(git: Git, work: ParkedWork): Promise<Result<null>> {
  const gone = await git.run(['update-ref', '-d', parkedRef(work)]);
  if (!gone.ok) return gone;
  git.io.remove(noteFile(work));
  return ok(null);
}

/** The work as an attempt, beside the ref; null: there is none. Repeatable until `forgetParked`. */
export async function parkedAsAttempt(
  git: Git,
  { session, why, ...work }: ParkedWork & { readonly session: number; readonly why: string },
): Promise<Result<string | null>> {
  const { item } = work;
  const token = `${mark(work.token)}#parked`;
  const [kept, known, user] = await Promise.all([
    findCheckpoint(git, parkedRef(work)),
    listAttempts(git, item),
    asUser(git),
  ]);
  if (!kept.ok) return kept;
  if (!known.ok) return known;
  if (!user.ok) return user;
  const same = known.value.find((one) => one.token === token);
  if (same !== undefined || kept.value === null) return ok(same?.ref ?? null);
  const { tree, head } = kept.value;
  const began = await treeAt(git, head);
  if (!began.ok || began.value === tree) return began.ok ? ok(null) : began;
  const trailers = { 'Harness-Item': item, 'Harness-Session': String(session), 'Harness-Token': token };
  const commit = await commitTreeObject(git, user.value, tree, [head], writeMessage(why, '', trailers));
  if (!commit.ok) return commit;
  const made = await commitAsAttempt(git, { item, commit: commit.value, updates: [] });
  return made.ok ? ok(made.value.ref) : made;
}
