// The work tree of the harness's own that agents work in (`isolation: worktree`): one for each work tree of the user, beside it and never
// inside, kept between runs. Its HEAD is detached; what lands moves the user's branch (follow.ts).
import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { z } from 'zod/mini';
import { readText } from '../host/files.ts';
import type { Io } from '../host/io.ts';
import { realPath, statsOf } from '../host/paths.ts';
import { type Failure, failure } from '../model/failure.ts';
import { err, ok, type Result } from '../model/result.ts';
import { keepAttempt } from './attempts.ts';
import { takeCheckpoint } from './checkpoint.ts';
import { duringShortLock } from '../host/short-lock.ts';
import { gitFolders, stateFolders, type GitFolders } from './folders.ts';
import type { Git, ObjectId } from './git.ts';
import { asNull, readHead } from './head.ts';
import { restoreTree } from './restore.ts';
import { readStatus } from './status.ts';
import { plainView } from './view.ts';

/** Where it is: in the folder that the repository is in, so that moving both keeps them together. */
export const workTreeBeside = (root: string): string => join(dirname(root), `.${basename(root)}-harness`);

const noteSchema = z.object({
  schema: z.literal(1),
  path: z.string(),
  /** The branch that is landed on while an item is under way. */
  branch: z.string(),
  /** The last run, and what it left under way, is in this work tree. */
  isInUse: z.boolean(),
});
export type WorkTreeNote = Readonly<z.infer<typeof noteSchema>>;

/** In the state folder of the user's work tree. */
export const workTreeNote = (workspaceDir: string): string => join(workspaceDir, 'work-tree.json');
export const followNote = (workspaceDir: string): string => join(workspaceDir, 'follow.json');

/** null: there is none. */
export function readWorkTreeNote(workspaceDir: string): WorkTreeNote | null {
  const text = readText(workTreeNote(workspaceDir));
  if (!text.ok || text.value === null) return null;
  try {
    return noteSchema.parse(JSON.parse(text.value));
  } catch {
    return null; // only this program writes it, as a whole
  }
}

/** What is in the work tree beside belongs to nothing any more: the next run keeps it as an attempt. */
export function leaveWorkTree(io: Io, workspaceDir: string): void {
  const note = readWorkTreeNote(workspaceDir);
  if (note?.isInUse === true)
    io.replace(workTreeNote(workspaceDir), `${JSON.stringify({ ...note, isInUse: false })}\n`);
}

/** The top of the work tree that sessions are in: the user's own, or the one beside it. */
export const rootOfSessions = (root: string, workspaceDir: string): string =>
  readWorkTreeNote(workspaceDir)?.isInUse === true ? workTreeBeside(root) : root;

/** That of a lane: `.<name>-harness-<lane>`. */
export const workTreeOfLane = (root: string, lane: number): string => `${workTreeBeside(root)}-${lane}`;

/** The lane of a work tree with this name, wherever it is; null: it is of none. */
export function laneOf(path: string): number | null {
  const [, lane] = /^\..+-harness-([1-9]\d*)$/.exec(basename(path)) ?? [];
  return lane === undefined ? null : Number(lane);
}

/** The top of the work tree of a session that was in `was`, where the repository may have been moved since. */
export function rootOfSession(root: string, workspaceDir: string, was: string): string {
  const lane = laneOf(was);
  return lane === null || was === root ? rootOfSessions(root, workspaceDir) : workTreeOfLane(root, lane);
}

/** State of the lanes: a folder for each. */
export const laneFolders = (workspaceDir: string): string => join(workspaceDir, 'lanes');
/** The lanes that have a work tree. */
export function knownLanes(workspaceDir: string): readonly number[] {
  return namesIn(laneFolders(workspaceDir))
    .map(Number)
    .filter((lane) => Number.isSafeInteger(lane));
}

/** Git knows it, and it knows git: neither was moved, copied or removed. */
export function isWorkTreeOf(user: Pick<Git, 'commonDir'>, path: string): boolean {
  if (!existsSync(join(path, '.git'))) return false;
  const { gitDir, commonDir } = gitFolders(path);
  const back = readText(join(gitDir, 'gitdir'));
  return (
    realPath(commonDir) === realPath(user.commonDir) &&
    back.ok &&
    back.value !== null &&
    realPath(back.value.trim()) === realPath(join(path, '.git'))
  );
}

/** Makes it, empty. Fails with `workspace-unusable` (`path`, `words`): something else is there, or the folder cannot be written. */
export async function addWorkTree(user: Git, path: string): Promise<Result<GitFolders>> {
  if (isWorkTreeOf(user, path) && !isUnfinished(gitFolders(path).gitDir)) return ok(gitFolders(path));
  // Git reads what other runs of the repository are making at the same time.
  const { privateDir } = stateFolders(user);
  const done = await duringShortLock(privateDir, 'work-trees', () => addUnderLock(user, path));
  const made = done.ok ? done.value : done;
  return made.ok ? ok(gitFolders(path)) : err(unusable(path, made.failure.params['words'] ?? made.failure.reason));
}

const unusable = (path: string, words: unknown): Failure =>
  failure('workspace-unusable', { path, words: String(words).split('\n').at(-1) ?? '' }, { at: { file: path } });

async function addUnderLock(user: Git, path: string): Promise<Result<unknown>> {
  removeUnfinished(user, path);
  if (existsSync(path) && !isWorkTreeOf(user, path)) relink(user, path);
  if (isWorkTreeOf(user, path)) return ok(null);
  const there = statsOf(path);
  if (there !== null && (!there.isDirectory() || namesIn(path).length > 0)) return err(unusable(path, 'EEXIST'));
  const add = ['worktree', 'add', '-f', '--no-checkout', '--detach', '--', path, 'HEAD'];
  return user.io.effect('git worktree add', () => user.run(add));
}

/** Git keeps an entry locked, with these words, until it is whole. A lock of a user has other words. */
const isUnfinished = (entry: string): boolean => {
  const lock = readText(join(entry, 'locked'));
  return lock.ok && lock.value?.trim() === 'initializing';
};

/** The entry of a work tree of the harness's own: git writes a dash for the dot, and a number behind a name that is taken. */
const OWN_ENTRY = /^[-.].*-harness(?:-?\d+)?$/;

/**
 * Removes what a git left that was killed while it made this work tree, which git itself keeps for ever. Only under the lock: then no other process
 * makes one, and an entry that is locked and nothing else was left too, whichever work tree it was for.
 */
function removeUnfinished(user: Git, path: string): void {
  const all = join(user.commonDir, 'worktrees');
  for (const name of namesIn(all)) {
    const entry = join(all, name);
    const place = placeOf(entry);
    const isOnlyLocked = place === null && namesIn(entry).every((file) => file === 'locked');
    if (isOnlyLocked && OWN_ENTRY.test(name)) user.io.remove(entry);
    if (place !== join(path, '.git') || !isUnfinished(entry)) continue;
    // An older version has used it as it was.
    if (existsSync(join(entry, 'index'))) user.io.remove(join(entry, 'locked'));
    else {
      if (namesIn(path).every((file) => file === '.git')) user.io.remove(path);
      user.io.remove(entry);
    }
  }
}

const namesIn = (folder: string): readonly string[] =>
  statsOf(folder)?.isDirectory() === true ? readdirSync(folder) : [];

/**
 * The work tree and git's entry for it name each other again: both were moved or copied together with the repository. `git worktree
 * repair` is not for this: in a copy it writes into the work trees of the original.
 */
function relink(user: Git, path: string): void {
  const [all, link] = [join(user.commonDir, 'worktrees'), join(path, '.git')];
  const named = entryNamedBy(link);
  const names = named === null ? namesIn(all) : [basename(named)];
  const entry = names
    .map((name) => join(all, name))
    .find((one) => {
      const place = placeOf(one);
      if (place === null || named === null) return place === link;
      const isAnothers = !isSame(named, one) && isSame(placeOf(named) ?? '', link);
      const isForAnother = !isSame(place, link) && isSame(entryNamedBy(place) ?? '', one);
      return !isAnothers && !isForAnother;
    });
  if (entry === undefined) return;
  user.io.replace(join(entry, 'gitdir'), `${link}\n`);
  user.io.replace(link, `gitdir: ${entry}\n`);
}

/** Git's entry that the `.git` of a work tree names; null: it names none. */
function entryNamedBy(link: string): string | null {
  const text = readText(link);
  const [, entry] = /^gitdir: (.*[\\/]worktrees[\\/][^\\/]+)$/.exec((text.ok ? (text.value ?? '') : '').trim()) ?? [];
  return entry === undefined ? null : resolve(dirname(link), entry);
}

/** The `.git` of the work tree that an entry is for; null: there is no such entry. */
function placeOf(entry: string): string | null {
  const text = readText(join(entry, 'gitdir'));
  return text.ok && text.value !== null ? text.value.trim() : null;
}

const isSame = (a: string, b: string): boolean => realPath(a) === realPath(b);

/** Of a repository that was copied: git's entry for the original's work tree, which stays where it is. */
export function forgetWorkTree(user: Git, path: string): void {
  const all = join(user.commonDir, 'worktrees');
  for (const entry of namesIn(all).map((name) => join(all, name)))
    if (placeOf(entry) === join(path, '.git') && !isWorkTreeOf(user, path)) user.io.remove(entry);
}

/** With everything in it. */
export async function removeWorkTree(user: Git, path: string): Promise<Result<null>> {
  const { privateDir } = stateFolders(user);
  const removed = await duringShortLock(privateDir, 'work-trees', async () => {
    removeUnfinished(user, path);
    if (!isWorkTreeOf(user, path)) return ok('');
    return user.io.effect('git worktree remove', () => user.run(['worktree', 'remove', '--force', '--force', path]));
  });
  return removed.ok ? asNull(removed.value) : removed;
}

/** Into an empty work tree. */
async function checkOutFirst(git: Git, from: ObjectId | null, tip: ObjectId): Promise<Result<null>> {
  const view = await plainView(git);
  if (!view.ok) return view;
  const { env } = view.value;
  const moved =
    from === tip ? ok('') : await git.run(['update-ref', '--no-deref', '-m', TO_TIP, 'HEAD', tip, from ?? '']);
  if (!moved.ok) return moved;
  // Last: a work tree without an index is new again.
  return asNull(await git.run(['read-tree', '--reset', '-u', tip], { env }));
}

const TO_TIP = 'harness: the tip of the branch';

/**
 * Brings the work tree to a commit of the branch, with no session open. `isKept`: its changes are the machine's and stay where they fit;
 * otherwise they are kept as an attempt first. `isNew`: there is nothing in it yet.
 */
export async function bringTo(
  git: Git,
  tip: ObjectId,
  { isKept, isNew }: { readonly isKept: boolean; readonly isNew: boolean },
): Promise<Result<null>> {
  const head = await readHead(git);
  if (!head.ok) return head;
  const from = head.value.commit;
  if (isNew && readdirSync(git.root).every((name) => name === '.git')) return checkOutFirst(git, from, tip);
  // What stays in it whatever it is need not be known.
  const status = isNew || isKept ? null : await readStatus(git, { excluding: ['.harness/', ...git.own] });
  if (status?.ok === false) return status;
  const isClean = status !== null && status.value.dirty.length === 0;
  if (from === tip && (isClean || (isKept && !isNew))) return ok(null);
  if (from !== null && !isNew && (isClean || isKept)) {
    const view = await plainView(git);
    if (!view.ok) return view;
    const { env } = view.value;
    // Files and HEAD in one process; what is in the way stays, and then nothing is written.
    const moved = await git.run(['checkout', '-q', '--detach', '--no-overwrite-ignore', tip, '--'], { env });
    if (moved.ok) return ok(null);
    if (isKept) return ok(null); // its landing says that the branch has moved
  }
  if (!isNew && from !== null) {
    const base = await takeCheckpoint(git, { ref: null, message: 'the tip before', of: from });
    if (!base.ok) return base;
    const about = { item: null, session: 0, why: 'left in the work tree of agents', base: base.value };
    const kept = await keepAttempt(git, { ...about, token: `${git.root}@${base.value.commit}@${Date.now()}` });
    if (!kept.ok) return kept;
  }
  const wanted = await takeCheckpoint(git, { ref: null, message: 'the tip of the branch', of: tip });
  if (!wanted.ok) return wanted;
  return asNull(await restoreTree(git, wanted.value));
}
