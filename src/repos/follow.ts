// A landing from a work tree of the harness's own moves the user's branch, and the user's work tree follows where it has that branch
// checked out. The two move together: between them `git commit -a` of the user would take the landing back.
// I1 from the look at the user's files until the new index is in place, the user's `index.lock` is held, and a note says whose it is.
// I2 a path that differs between the old tip and the new one is written only where the user has it as in the old tip.
// I3 killed anywhere, the next start completes the following, or finds that the branch never moved.
import { randomUUID } from 'node:crypto';
import { renameSync, rmdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { exactStatsOf } from '../host/paths.ts';
import { z } from 'zod/mini';
import { codeOf } from '../host/error-code.ts';
import { readText } from '../host/files.ts';
import { ok, type Result } from '../model/result.ts';
import { hasContent } from './file-content.ts';
import type { Git, Landing, ObjectId } from './git.ts';
import { asNull, readHead, resolveCommit, setRef } from './head.ts';
import { headFromFiles } from './ref-files.ts';
import { holdsIndex, lockIndex, releaseIndex } from './index-lock.ts';
import { changesOfLanding, entriesIn, pathsInTheWay, type PathChanges } from './in-the-way.ts';
import { factsOf } from './paths.ts';
import { isRunBranch, keptRefOf } from './run-branch.ts';
import { copyIndex, plainView, withIndex } from './view.ts';

/** `elsewhere`: the branch is not where it was; nothing moved. `in-the-way`: files of the user; nothing moved. */
export type Moved =
  | { readonly is: 'moved' }
  | { readonly is: 'elsewhere'; readonly found: string }
  | { readonly is: 'in-the-way'; readonly paths: readonly string[] };

/** `refs`: what moves with the branch, as lines of `git update-ref --stdin`. */
type Move = {
  readonly from: ObjectId;
  readonly to: ObjectId;
  readonly refs: readonly string[];
  readonly why: string;
  readonly env: { readonly [name: string]: string };
};

/** The tip of the branch that is landed on. */
export const tipOf = (git: Git): Promise<Result<ObjectId | null>> =>
  resolveCommit(git, git.lands === null ? 'HEAD' : `refs/heads/${git.lands.branch}`);

/** Moves the branch that is landed on, and HEAD of this work tree with it. Fails as git, or with `git-busy` (the user's index is locked). */
export async function moveBranch(git: Git, { branch, user, note }: Landing, move: Move): Promise<Result<Moved>> {
  const { from, to, refs, why, env } = move;
  const transaction = (lines: readonly string[]) =>
    git.run(['update-ref', '-m', why, '--stdin'], {
      env,
      stdin: ['start', ...lines, ...refs, 'prepare', 'commit', ''].join('\n'),
    });
  const [tip, here, head] = [await tipOf(git), await resolveCommit(git, 'HEAD'), await readHead(user)];
  if (!tip.ok) return tip;
  if (!here.ok) return here;
  if (!head.ok) return head;
  if (tip.value !== from) return ok({ is: 'elsewhere', found: tip.value ?? '' });
  const lines = [
    `update refs/heads/${branch} ${to} ${from}`,
    ...(isRunBranch(branch) ? [`update ${keptRefOf(branch)} ${to}`] : []),
    'option no-deref',
    `update HEAD ${to} ${here.value ?? ''}`,
  ];
  const token = `harness ${randomUUID()}`;
  const about: Note = { schema: 1, branch, from, to, here: here.value ?? from, work: basename(git.gitDir), token };
  git.io.replace(note, `${JSON.stringify(about)}\n`);
  const moved =
    head.value.branch === branch ? await together(user, about, () => transaction(lines)) : await transaction(lines);
  if (!moved.ok) {
    // Git may have moved one of the refs, or all and failed after them.
    const settled = await completeFollow(user, note);
    return settled.ok ? moved : settled;
  }
  releaseIndex(user, about.token, note);
  return typeof moved.value === 'string' ? MOVED : ok(moved.value);
}

const MOVED: Result<Moved> = ok({ is: 'moved' });

/** The landing with the user's files, or neither. */
async function together(user: Git, about: Note, transaction: () => Promise<Result<string>>): Promise<Result<Moved>> {
  const locked = await lockIndex(user, about.token);
  if (!locked.ok) return locked;
  const changes = await changesOfLanding(user, about.from, about.to);
  if (!changes.ok) return changes;
  const { changed, deleted, before } = changes.value;
  // Before git looks at the files: one that is saved later is not as it was here.
  const seen = new Map([...changed, ...deleted].map((path) => [path, momentOf(user, path)]));
  const inTheWay = await pathsInTheWay(user, about, changes.value);
  if (!inTheWay.ok) return inTheWay;
  if (inTheWay.value.length > 0) return ok({ is: 'in-the-way', paths: inTheWay.value });
  const moved = await transaction();
  if (!moved.ok) return moved;
  // Saved as it was: nothing of it is lost, and left as it is it would take the landing back.
  const isAsBefore = (path: string, entry = before.get(path)): boolean =>
    momentOf(user, path) === seen.get(path) || (entry !== undefined && hasContent(join(user.root, path), entry));
  const followed = await follow(user, about, changes.value, (path) => !isAsBefore(path));
  return followed.ok ? MOVED : followed;
}

/** Differs once a file has been written, removed, replaced or made executable; '' where there is none. */
function momentOf(user: Git, path: string): string {
  const facts = exactStatsOf(join(user.root, path));
  if (facts === null) return '';
  const { ino, size, mode, mtimeNs, ctimeNs } = facts;
  return [ino, size, mode, mtimeNs, ctimeNs].join(' ');
}

const noteSchema = z.object({
  schema: z.literal(1),
  branch: z.string(),
  from: z.string(),
  to: z.string(),
  /** HEAD of the work tree that lands, before, and the name of its folder in `worktrees/`. */
  here: z.string(),
  work: z.string(),
  /** What our `index.lock` holds. */
  token: z.string(),
});
type Note = z.infer<typeof noteSchema>;

/** For a landing that a crash cut, with no process of the harness at work; before locks without an owner are swept. Repeatable. */
export async function completeFollow(user: Git, note: string): Promise<Result<null>> {
  const about = noteIn(note);
  if (about === null) return ok(null);
  const [tip, head] = [await resolveCommit(user, `refs/heads/${about.branch}`), await readHead(user)];
  if (!tip.ok) return tip;
  if (!head.ok) return head;
  const landed = tip.value === about.to;
  const settled = landed || tip.value === about.from ? await settleHead(user, about, landed) : ok(null);
  if (!settled.ok) return settled;
  const kept = landed && isRunBranch(about.branch) ? await setRef(user, keptRefOf(about.branch), about.to) : ok(null);
  if (!kept.ok) return kept;
  if (landed && head.value.branch === about.branch) {
    const locked = holdsIndex(user, about.token) ? ok(null) : await lockIndex(user, about.token);
    if (!locked.ok) return locked;
    const changes = await changesOfLanding(user, about.from, about.to);
    if (!changes.ok) return changes;
    const edited = await editedPaths(user, changes.value);
    if (!edited.ok) return edited;
    const followed = await follow(user, about, changes.value, edited.value);
    if (!followed.ok) return followed;
  }
  releaseIndex(user, about.token, note);
  return ok(null);
}

/** Git moves refs one after the other: HEAD of the work tree that lands goes the way of the branch. */
async function settleHead(user: Git, { here, to, work }: Note, landed: boolean): Promise<Result<null>> {
  const gitDir = join(user.commonDir, 'worktrees', work);
  const now = headFromFiles({ ...user, gitDir });
  const [wrong, right] = landed ? [here, to] : [to, here];
  if (now === null || now.branch !== null || now.commit !== wrong) return ok(null);
  return asNull(
    await user.run(['update-ref', '--no-deref', '-m', 'harness: with the branch', 'HEAD', right, wrong], {
      env: { GIT_DIR: gitDir },
    }),
  );
}

function noteIn(file: string): Note | null {
  const text = readText(file);
  if (!text.ok || text.value === null) return null;
  try {
    return noteSchema.parse(JSON.parse(text.value));
  } catch {
    return null; // only this program writes it, as a whole
  }
}

/** Of the files that a landing changes and deletes: whether one is not as the user's index has it, or is no file of the index any more. */
async function editedPaths(user: Git, { changed, deleted }: PathChanges): Promise<Result<(path: string) => boolean>> {
  const view = await plainView(user);
  if (!view.ok) return view;
  const entries = await entriesIn(user, view.value.env, [...changed, ...deleted]);
  return entries.ok ? ok((path) => entries.value.get(path)?.isOther !== false) : entries;
}

/** Files and index become those of the new tip; what the user has made of a file since is left, and shown by git as their change. */
async function follow(
  user: Git,
  { from, to }: Note,
  changes: PathChanges,
  isEdited: (path: string) => boolean,
): Promise<Result<null>> {
  const view = await plainView(user);
  if (!view.ok) return view;
  const index = join(user.gitDir, 'index');
  return withIndex(user, null, async (own): Promise<Result<null>> => {
    const env = { ...view.value.env, ...own };
    copyIndex(index, own.GIT_INDEX_FILE);
    const read = await user.run(['read-tree', '-i', '-m', from, to], { env });
    if (!read.ok) return read;
    const isThere = (path: string): boolean => factsOf(join(user.root, path)) !== null;
    for (const path of changes.deleted) {
      if (isThere(path) && !isEdited(path)) user.io.remove(join(user.root, path));
      removeEmptyFolders(user.root, path);
    }
    const written = [
      ...changes.changed.filter((path) => !isThere(path) || !isEdited(path)),
      ...changes.added.filter((path) => !isThere(path)),
    ];
    if (written.length > 0) {
      const stdin = written.map((path) => `${path}\0`).join('');
      const out = await user.run(['checkout-index', '-f', '-u', '-q', '-z', '--stdin'], { env, stdin });
      if (!out.ok) return out;
    }
    // Those that were there already: the index has no times of them yet.
    if (written.length < changes.changed.length + changes.added.length)
      await user.run(['update-index', '-q', '--refresh'], { env, allow: [1] });
    await user.io.effect('put the index in place', async () => {
      renameSync(own.GIT_INDEX_FILE, index);
    });
    return ok(null);
  });
}

/** Those that a file was in, also one that was removed before a crash. */
function removeEmptyFolders(root: string, path: string): void {
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
    try {
      rmdirSync(join(root, folder));
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') return; // not empty
    }
  }
}
