// Work in progress: what a session left that a limit or a pause ended. It is a commit on a ref of its own, never on the branch, so that every
// commit of the harness on the branch is proved or was asked for. The next session of the item starts from it, on the newest tip.
import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readText } from '../host/files.ts';
import { ok, type Result } from '../model/result.ts';
import type { WorkInProgress } from '../model/repository-view.ts';
import { refPart } from '../model/ref-part.ts';
import { commitAsAttempt } from './attempts.ts';
import { commitTreeObject, type Snapshot } from './checkpoint.ts';
import { type GitFolders, stateFolders, workspaceOf } from './folders.ts';
import type { Git, ObjectId } from './git.ts';
import { moveRefs } from './head.ts';
import { idFromFiles } from './ref-files.ts';
import { addHiddenByAgent } from './ignored-files.ts';
import { mergedTrees, writeOver } from './merge.ts';
import { readCommits, writeMessage, type CommitRecord } from './message.ts';
import { asUser } from './settings.ts';
import { treeOf, withWorkTree } from './tree.ts';
import { withPathsOf } from './tree-paths.ts';
import { rawView, type GitView } from './view.ts';

const ROOT = 'refs/harness/wip';
/** Of linked work trees, by id: the same item may be under way in several, each on its branch. */
const LINKED = 'refs/harness/wip-of';
/** Trailer: the tree that the work began from, byte for byte. */
const BASE = 'Harness-Base';
/** Trailer: how far the work has come. */
const REACHED = 'Harness-Reached';

/** Where the user's work tree has its own; that of agents beside it has none. */
function rootOf({ lands, ...git }: Pick<Git, 'lands' | 'gitDir' | 'commonDir'>): string {
  const id = workspaceOf(stateFolders(lands?.user ?? git));
  return id === null ? ROOT : `${LINKED}/${refPart(id)}`;
}

export const wipRef = (git: Git, item: string): string => `${rootOf(git)}/${refPart(item)}`;

/** Without git, for commands that only look. `folders`: of the user's work tree. */
export const hasWip = (folders: GitFolders, item: string): boolean =>
  idFromFiles(folders, `${rootOf({ ...folders, lands: null })}/${refPart(item)}`) !== null;

export type Wip = WorkInProgress & {
  readonly tree: ObjectId;
  readonly base: ObjectId;
  readonly parents: readonly ObjectId[];
  readonly token: string;
};

/** Of every item, in this work tree. */
export const listWips = (git: Git): Promise<Result<readonly Wip[]>> => wipsBelow(git, rootOf(git));

async function wipsBelow(git: Git, root: string): Promise<Result<readonly Wip[]>> {
  if (!hasAny(git, root)) return ok([]);
  const out = await git.run(['for-each-ref', '--format=%(objectname) %(refname)', `${root}/`]);
  if (!out.ok) return out;
  const refs = out.value.split('\n').flatMap((line) => {
    const [commit = '', ref = ''] = line.split(' ');
    return ref === '' ? [] : [{ commit, ref }];
  });
  if (refs.length === 0) return ok([]);
  const read = await readCommits(git, ['--no-walk=unsorted', ...new Set(refs.map(({ commit }) => commit))]);
  if (!read.ok) return read;
  return ok(
    refs.flatMap(({ commit, ref }) => {
      const record = read.value.find((one) => one.commit === commit);
      return record === undefined ? [] : wipIn(record, ref);
    }),
  );
}

export async function findWip(git: Git, item: string): Promise<Result<Wip | null>> {
  const all = await listWips(git);
  return all.ok ? ok(all.value.find((one) => one.item === item) ?? null) : all;
}

/** Mostly there is none: then no process is started. */
function hasAny({ commonDir }: Git, root: string): boolean {
  const loose = join(commonDir, root);
  if (existsSync(loose) && readdirSync(loose).length > 0) return true;
  const packed = readText(join(commonDir, 'packed-refs'));
  return !packed.ok || (packed.value ?? '').includes(` ${root}/`);
}

function wipIn({ commit, tree, parents, subject, at, trailers }: CommitRecord, ref: string): readonly Wip[] {
  const item = trailers['Harness-Item'];
  if (item === undefined || basename(ref) !== refPart(item)) return []; // a hand-made ref
  const session = Number(trailers['Harness-Session'] ?? 0);
  const token = trailers['Harness-Token'] ?? '';
  const reached = trailers[REACHED] ?? '';
  const wip = { item, ref, commit, tree, parents, subject, at, session, base: trailers[BASE] ?? '', token };
  return [reached === '' ? wip : { ...wip, reached }];
}

export type KeepAsk = {
  readonly item: string;
  readonly session: number;
  readonly run: string;
  readonly subject: string;
  /** Where the session began, on what was the tip of the branch then. */
  readonly base: Snapshot;
  /** What is kept, byte for byte; left out: the work tree. */
  readonly tree?: ObjectId;
  /** Files that the harness writes itself: no work of the agent. */
  readonly own: readonly string[];
  /** How far it has come; left out: it is not done. */
  readonly reached?: string;
  /** Asked again with the same token, the answer is the commit of then. */
  readonly token: string;
};

/**
 * Keeps the work tree as the work in progress of the item, on top of what was kept before. Where nothing differs from `base` there is none,
 * and what was kept before becomes an attempt. The work tree stays. Fails with `nested-repository`.
 */
export async function keepWip(git: Git, ask: KeepAsk): Promise<Result<Wip | null>> {
  const { item, base } = ask;
  const [known, view, user] = await Promise.all([findWip(git, item), rawView(git), asUser(git)]);
  if (!known.ok) return known;
  if (!view.ok) return view;
  if (!user.ok) return user;
  const before = known.value;
  if (before?.token === ask.token) return ok(before);
  const found = ask.tree === undefined ? await workTree(git, view.value, base) : ok({ tree: ask.tree });
  if (!found.ok) return found;
  const tree = await withPathsOf(git, found.value.tree, base.tree, ask.own);
  if (!tree.ok) return tree;
  if (tree.value === base.tree) {
    const dropped = before === null ? ok(null) : await dropWip(git, item);
    return dropped.ok ? ok(null) : dropped;
  }
  const head = await git.run(['rev-parse', '--verify', '-q', `${base.head}^{tree}`]);
  if (!head.ok) return head;
  const isContinued = before !== null && before.parents[0] !== undefined && (await standsOn(git, before, base.head));
  const parents = [
    isContinued ? before.commit : base.head,
    ...(before !== null && !isContinued ? [before.commit] : []),
    // The tree that the work began from must not be lost: it differs where git converts files, or where not all was committed.
    ...(head.value.trim() === base.tree ? [] : [base.commit]),
  ];
  const message = writeMessage(ask.subject, '', {
    'Harness-Item': item,
    'Harness-Run': ask.run,
    'Harness-Session': String(ask.session),
    [BASE]: base.tree,
    [REACHED]: ask.reached ?? '',
    'Harness-Token': ask.token,
  });
  const commit = await commitTreeObject(git, user.value, tree.value, parents, message);
  if (!commit.ok) return commit;
  const ref = wipRef(git, item);
  const moved = await moveRefs(git, [
    before === null ? `create ${ref} ${commit.value}` : `update ${ref} ${commit.value} ${before.commit}`,
  ]);
  if (!moved.ok) return moved;
  return findWip(git, item);
}

async function workTree(git: Git, view: GitView, base: Snapshot): Promise<Result<{ readonly tree: ObjectId }>> {
  const since = await readCommits(git, ['-n1', base.commit]);
  if (!since.ok) return since;
  const sinceMs = Date.parse(since.value[0]?.at ?? '');
  return withWorkTree(git, view, 'refuse', (work) => addHiddenByAgent(git, work, base, sinceMs));
}

/** Whether the work was begun on this commit, in one or several sessions. */
async function standsOn(git: Git, wip: Wip, tip: ObjectId): Promise<boolean> {
  const below = await readCommits(git, ['--first-parent', wip.commit, `^${tip}`]);
  return below.ok && below.value.at(-1)?.parents[0] === tip;
}

export type ResumedWip =
  | { readonly is: 'none' }
  /** `tree`: the work tree with it. */
  | { readonly is: 'resumed'; readonly tree: ObjectId }
  /** It does not fit the branch any more: nothing is changed, and it is an attempt now. */
  | { readonly is: 'set-aside'; readonly files: readonly string[]; readonly attempt: string; readonly number: number };

/** Brings the work in progress of an item into the work tree, which is as in `onto`. */
export async function resumeWip(git: Git, item: string, onto: Snapshot): Promise<Result<ResumedWip>> {
  const known = await findWip(git, item);
  if (!known.ok) return known;
  const wip = known.value;
  if (wip === null) return ok({ is: 'none' });
  const merged = await mergedTrees(git, { base: wip.base, ours: onto.tree, theirs: wip.tree });
  if (!merged.ok) return merged;
  if ('conflicts' in merged.value) return setAside(git, item, merged.value.conflicts);
  const { tree } = merged.value;
  if (tree === onto.tree) return ok({ is: 'resumed', tree });
  const written = await writeOver(git, onto.tree, tree);
  if (!written.ok) return written;
  const now = await treeOf(git);
  if (!now.ok) return now;
  // Rules of the agent may hide files of it, which are there all the same.
  return now.value === onto.tree ? setAside(git, item, []) : ok({ is: 'resumed', tree: now.value });
}

async function setAside(git: Git, item: string, files: readonly string[]): Promise<Result<ResumedWip>> {
  const kept = await dropWip(git, item);
  if (!kept.ok || kept.value === null) return kept.ok ? ok({ is: 'none' }) : kept;
  return ok({ is: 'set-aside', files, attempt: kept.value.ref, number: kept.value.number });
}

/** The work in progress becomes an attempt, in one step. null: there is none. */
export async function dropWip(
  git: Git,
  item: string,
): Promise<Result<{ readonly ref: string; readonly number: number } | null>> {
  const known = await findWip(git, item);
  if (!known.ok || known.value === null) return known.ok ? ok(null) : known;
  const { commit, ref } = known.value;
  return commitAsAttempt(git, { item, commit, updates: [`delete ${ref} ${commit}`] });
}

/** What linked work trees had that are gone becomes attempts: another one of the same name would continue it on another branch. */
export async function giveUpWipsOf(git: Git, isGone: (id: string) => boolean): Promise<Result<null>> {
  const all = await wipsBelow(git, LINKED);
  if (!all.ok) return all;
  const linked = join(git.commonDir, 'worktrees');
  const there = (existsSync(linked) ? readdirSync(linked) : []).filter((id) => !isGone(id)).map(refPart);
  for (const { item, commit, ref } of all.value) {
    if (there.includes(basename(dirname(ref)))) continue;
    const kept = await commitAsAttempt(git, { item, commit, updates: [`delete ${ref} ${commit}`] });
    if (!kept.ok) return kept;
  }
  return ok(null);
}
