// A repository in memory: trees, commits with trailers, a work tree, private refs. What the product does with git, as far as
// the machines can see it. Trees never change: a snapshot is a reference.
import { sha256 } from '../../src/host/files.ts';
import type { CommitFacts, WorkInProgress } from '../../src/model/repository-view.ts';

export type Tree = ReadonlyMap<string, string>;
export type Commit = {
  readonly id: string;
  readonly tree: Tree;
  readonly parent: string | null;
  readonly subject: string;
  readonly at: string;
  readonly trailers: { readonly [name: string]: string };
};
export type Snapshot = { readonly tree: Tree; readonly head: string; readonly branch: string };
export type Attempt = { readonly ref: string; readonly tree: Tree; readonly why: string };

export type Wip = WorkInProgress & {
  readonly tree: Tree;
  readonly base: Tree;
  readonly token: string;
  /** What was kept before it, and stays its history. */
  readonly before: Wip | null;
};

export type Repository = {
  work: Tree;
  head: string;
  branch: string;
  readonly commits: Map<string, Commit>;
  /** Checkpoints and moments before turns, by ref. */
  readonly refs: Map<string, Snapshot>;
  /** What was taken back, by the token of who did it. */
  readonly attempts: Map<string, Attempt>;
  /** By item. */
  readonly wips: Map<string, Wip>;
  /** Of items that wait for an answer, by what they continue with. */
  readonly parked: Map<string, { readonly tree: Tree; readonly base: Tree; readonly ledger: string | null }>;
  /** Whose branch it lands on, of a work tree of the harness's own; null: it is the user's itself. */
  readonly user: Repository | null;
  /** Work trees of the harness's own, by lane; all share commits and refs. */
  readonly beside: Map<number, Repository>;
};

const ids = new WeakMap<Tree, string>();
export function idOf(tree: Tree): string {
  const known = ids.get(tree);
  if (known !== undefined) return known;
  const id = sha256(JSON.stringify([...tree].sort(([a], [b]) => (a < b ? -1 : 1)))).slice(0, 40);
  ids.set(tree, id);
  return id;
}

export function repositoryOf(files: { readonly [path: string]: string }, at: string, branch: string): Repository {
  const tree = new Map(Object.entries(files));
  const first: Commit = { id: idOf(tree), tree, parent: null, subject: 'start', at, trailers: {} };
  const commits = new Map([[first.id, first]]);
  return {
    work: tree,
    head: first.id,
    branch,
    commits,
    refs: new Map(),
    attempts: new Map(),
    wips: new Map(),
    parked: new Map(),
    user: null,
    beside: new Map(),
  };
}

/** The work tree of a lane, as it was left; made where there is none. */
export function besideOf(user: Repository, lane: number): Repository {
  const known = user.beside.get(lane);
  if (known !== undefined) return known;
  const made: Repository = { ...user, work: headOf(user).tree, user };
  user.beside.set(lane, made);
  return made;
}

/** The newest commit of the branch that is landed on. */
export const tipOf = (repo: Repository): Commit => headOf(repo.user ?? repo);

/** Brings a work tree of the harness's own to the tip of the branch; what is in it is kept as an attempt. */
export function bringToTip(repo: Repository): void {
  const tip = tipOf(repo);
  if (changedBetween(headOf(repo).tree, repo.work).length > 0) {
    const ref = `refs/harness/attempts/left-${idOf(repo.work)}`;
    repo.attempts.set(ref, { ref, tree: repo.work, why: 'left in the work tree of agents' });
  }
  repo.head = tip.id;
  repo.work = tip.tree;
}

export const headOf = (repo: Repository): Commit => repo.commits.get(repo.head)!;

/** From HEAD back. */
export function* history(repo: Repository, from = repo.head): Generator<Commit> {
  for (let at = repo.commits.get(from); at; at = at.parent === null ? undefined : repo.commits.get(at.parent)) yield at;
}

/** null: the file is removed. */
export function withFiles(tree: Tree, files: { readonly [path: string]: string | null }): Tree {
  const next = new Map(tree);
  for (const [path, text] of Object.entries(files))
    if (text === null) next.delete(path);
    else next.set(path, text);
  return next;
}

/** As they are in this tree. */
export const pick = (tree: Tree, paths: readonly string[]): { readonly [path: string]: string | null } =>
  Object.fromEntries(paths.map((path) => [path, tree.get(path) ?? null]));

export function changedBetween(a: Tree, b: Tree): readonly string[] {
  if (a === b) return [];
  return [...new Set([...a.keys(), ...b.keys()])].filter((path) => a.get(path) !== b.get(path)).sort();
}

/** File by file; null: both changed one. */
export function merged(base: Tree, ours: Tree, theirs: Tree): Tree | null {
  const changed = changedBetween(base, theirs);
  const isTorn = changed.some((path) => ours.get(path) !== base.get(path) && ours.get(path) !== theirs.get(path));
  return isTorn ? null : withFiles(ours, Object.fromEntries(changed.map((path) => [path, theirs.get(path) ?? null])));
}

/** On no branch. */
export function makeCommit(repo: Repository, one: Omit<Commit, 'id' | 'parent'>, parent: string): Commit {
  const id = sha256(JSON.stringify([idOf(one.tree), parent, one.subject, one.at, one.trailers])).slice(0, 40);
  const commit = { ...one, id, parent };
  repo.commits.set(id, commit);
  return commit;
}

/** Commits on HEAD, or on another parent in its place. */
export function addCommit(repo: Repository, one: Omit<Commit, 'id' | 'parent'>, parent = repo.head): Commit {
  const commit = makeCommit(repo, one, parent);
  repo.head = commit.id;
  return commit;
}

/** A commit, `HEAD` or a ref. */
export const treeAt = (repo: Repository, rev: string): Tree | null =>
  (rev === 'HEAD' ? headOf(repo) : (repo.refs.get(rev) ?? repo.commits.get(rev)))?.tree ?? null;

export const factsOf = ({ id, subject, at, trailers }: Commit): CommitFacts => ({ id, subject, at, trailers });
