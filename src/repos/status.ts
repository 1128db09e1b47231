// The status of the work tree: HEAD, and the paths that differ from it.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ok, type Result } from '../model/result.ts';
import { isCleanAt } from './clean-tree.ts';
import { type Git, zeroSplit } from './git.ts';
import { type Head, readHead } from './head.ts';
import { changedPaths } from './history.ts';
import { markedPaths } from './index.ts';
import { plainView, STATE_FOLDER } from './view.ts';

export type WorkTreeStatus = Head & {
  /** Staged, changed, deleted, unmerged and untracked paths, ignored ones never; sorted. */
  readonly dirty: readonly string[];
  /** A git operation that the user began and has not ended; null: none. */
  readonly operation: Operation | null;
};
export type Operation = (typeof OPERATIONS)[number][1];

/** By what git keeps in its folder meanwhile (git's own `wt-status.c`). */
const OPERATIONS = [
  ['MERGE_HEAD', 'merge'],
  ['rebase-merge', 'rebase'],
  ['rebase-apply', 'rebase'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
] as const;

const operationIn = ({ gitDir }: Git): Operation | null =>
  OPERATIONS.find(([name]) => existsSync(join(gitDir, name)))?.[1] ?? null;

/** `excluding` leaves out these files, and whole folders where a name ends with a slash. */
export async function readStatus(
  git: Git,
  { excluding = [] }: { readonly excluding?: readonly string[] } = {},
): Promise<Result<WorkTreeStatus>> {
  const [head, view] = await Promise.all([readHead(git), plainView(git)]);
  if (!head.ok) return head;
  if (!view.ok) return view;
  const isAll = [`${STATE_FOLDER}/`, ...git.own].every((own) => excluding.includes(own));
  if (isAll && head.value.commit !== null && (await isCleanAt(git, head.value.commit)))
    return ok({ ...head.value, dirty: [], operation: operationIn(git) });
  const flags = ['--porcelain=v2', '-z', '--untracked-files=all', '--no-renames', '--ignore-submodules=all'];
  const [out, hidden] = await Promise.all([
    git.run(['status', ...flags], { env: view.value.env }),
    hiddenByMarks(git, head.value.commit),
  ]);
  if (!out.ok) return out;
  if (!hidden.ok) return hidden;
  const paths = new Set([...zeroSplit(out.value).flatMap(pathOf), ...hidden.value]);
  const isLeftOut = (path: string) =>
    excluding.some((name) => (name.endsWith('/') ? path.startsWith(name) || `${path}/` === name : path === name));
  const dirty = [...paths].filter((path) => !isLeftOut(path)).sort();
  return ok({ ...head.value, dirty, operation: operationIn(git) });
}

/** One record of porcelain v2: the path comes after a fixed number of fields, which depends on the kind. */
function pathOf(record: string): string[] {
  const fields = { '1': 8, u: 10, '?': 1 }[record[0] ?? ''];
  return fields === undefined ? [] : [record.split(' ').slice(fields).join(' ')];
}

/** Marks in the index (assume-unchanged, skip-worktree) hide changes from git status; a commit of the harness has them. */
async function hiddenByMarks(git: Git, head: string | null): Promise<Result<readonly string[]>> {
  if (head === null) return ok([]);
  const marked = await markedPaths(git);
  if (!marked.ok || marked.value.size === 0) return marked.ok ? ok([]) : marked;
  const changed = await changedPaths(git, head);
  return changed.ok ? ok(changed.value.filter((path) => marked.value.has(path))) : changed;
}
