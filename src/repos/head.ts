// Where the repository stands: the commit and the branch of HEAD, and moving both.
import { ok, type Result } from '../model/result.ts';
import type { Git, ObjectId } from './git.ts';
import { headFromFiles, idFromFiles } from './head-file.ts';
import type { CacheKey } from './answer-cache.ts';

/** `commit` is null before the first commit of a branch, `branch` is null when HEAD is detached. */
export type Head = { readonly commit: ObjectId | null; readonly branch: string | null };

const BRANCHES = 'refs/heads/';
/** Whether a full id is that of a commit: once so, always so. */
const IS_COMMIT: CacheKey<true> = { name: 'is-commit' };

export async function readHead(git: Git): Promise<Result<Head>> {
  const plain = headFromFiles(git);
  const there = plain === null ? null : await resolveCommit(git, plain.commit);
  if (plain !== null && there?.ok === true && there.value === plain.commit) return ok(plain);
  const [commit, branch] = await Promise.all([
    resolveCommit(git, 'HEAD'),
    git.run(['symbolic-ref', '-q', 'HEAD'], { allow: [1] }),
  ]);
  if (!commit.ok) return commit;
  if (!branch.ok) return branch;
  const ref = branch.value.trim();
  return ok({ commit: commit.value, branch: ref.startsWith(BRANCHES) ? ref.slice(BRANCHES.length) : null });
}

/** For whoever has just made a commit, or was told by git that it is one. */
export const rememberIsCommit = (git: Git, id: ObjectId): void => git.memory.set(IS_COMMIT, id, true);

/** The commit a name stands for; null where there is none. */
export async function resolveCommit(git: Git, rev: string): Promise<Result<ObjectId | null>> {
  const plain = idFromFiles(git, rev);
  if (plain !== null && git.memory.get(IS_COMMIT, plain) === true) return ok(plain);
  const found = await git.run(['rev-parse', '--verify', '-q', '--end-of-options', `${rev}^{commit}`], { allow: [1] });
  if (!found.ok) return found;
  const id = found.value.trim();
  if (id === '') return ok(null);
  rememberIsCommit(git, id);
  return ok(id);
}

/** Puts HEAD on the branch ('' for detached) and the branch on the commit, whatever they were; the reflog keeps that. */
export async function moveHead(
  git: Git,
  to: { readonly commit: ObjectId; readonly branch: string },
  why: string,
  env: { readonly [name: string]: string },
): Promise<Result<null>> {
  const now = await readHead(git);
  if (!now.ok) return now;
  if (now.value.commit === to.commit && (now.value.branch ?? '') === to.branch) return ok(null);
  const detached = ['update-ref', '-m', why, '--no-deref', 'HEAD', to.commit];
  if (to.branch === '') return asNull(await git.run(detached, { env }));
  const ref = `${BRANCHES}${to.branch}`;
  const moved = await git.run(['update-ref', '-m', why, ref, to.commit], { env });
  if (!moved.ok || now.value.branch === to.branch) return asNull(moved);
  return asNull(await git.run(['symbolic-ref', '-m', why, 'HEAD', ref], { env }));
}

/** Drops what a command printed, keeps whether it worked. */
export const asNull = (result: Result<unknown>): Result<null> => (result.ok ? ok(null) : result);
