// HEAD: its commit and branch, and moving both. Read from the files of git where they have the plainest form; otherwise git is asked.
import { ok, type Result } from '../model/result.ts';
import type { Git, ObjectId } from './git.ts';
import type { CacheKey } from './answer-cache.ts';
import { readObjects } from './objects.ts';
import { headFromFiles, idFromFiles } from './ref-files.ts';

/** `commit` is null before the first commit of a branch, `branch` is null when HEAD is detached, but the one that is landed on in a work tree of the harness's own. */
export type Head = { readonly commit: ObjectId | null; readonly branch: string | null };

const BRANCHES = 'refs/heads/';
/** Whether a full id is that of a commit: once so, always so. */
const IS_COMMIT: CacheKey<true> = { name: 'is-commit' };

export async function readHead(git: Git): Promise<Result<Head>> {
  const head = await headOf(git);
  return head.ok && head.value.branch === null ? ok({ ...head.value, branch: git.lands?.branch ?? null }) : head;
}

async function headOf(git: Git): Promise<Result<Head>> {
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

/** For an id that git has just given as that of a commit. */
export const rememberIsCommit = (git: Git, id: ObjectId): void => git.objects.set(IS_COMMIT, id, true);

/** The commit of a name; null where there is none. */
export async function resolveCommit(git: Git, rev: string): Promise<Result<ObjectId | null>> {
  const plain = idFromFiles(git, rev);
  if (plain !== null && git.objects.get(IS_COMMIT, plain) === true) return ok(plain);
  // The git that stays knows it without another process, where there is such an object.
  const read = plain === null ? ok([]) : await readObjects(git, [plain]);
  const [there = null] = read.ok ? read.value : [];
  if (there?.type === 'commit' && there.id === plain) {
    rememberIsCommit(git, there.id);
    return ok(there.id);
  }
  const found = await git.run(['rev-parse', '--verify', '-q', '--end-of-options', `${rev}^{commit}`], { allow: [1] });
  if (!found.ok) return found;
  const id = found.value.trim();
  if (id === '') return ok(null);
  rememberIsCommit(git, id);
  return ok(id);
}

/**
 * Puts HEAD on the branch ('' for detached) and the branch on the commit, whatever they were; the reflog keeps that. `expected`: fails where
 * the branch has moved since. In a work tree of the harness's own only HEAD moves: the branch is the user's.
 */
export async function moveHead(
  git: Git,
  to: { readonly commit: ObjectId; readonly branch: string },
  why: string,
  env: { readonly [name: string]: string },
  expected?: Head,
): Promise<Result<null>> {
  const now = await readHead(git);
  if (!now.ok) return now;
  // A commit that came meanwhile is not overwritten.
  const old = expected?.commit !== undefined && expected.branch === to.branch ? [expected.commit ?? ''] : [];
  if (now.value.commit === to.commit && (now.value.branch ?? '') === to.branch) return ok(null);
  const detached = ['update-ref', '-m', why, '--no-deref', 'HEAD', to.commit];
  if (to.branch === '' || git.lands !== null) return asNull(await git.run(detached, { env }));
  const ref = `${BRANCHES}${to.branch}`;
  const moved = await git.run(['update-ref', '-m', why, ref, to.commit, ...old], { env });
  if (!moved.ok || now.value.branch === to.branch) return asNull(moved);
  return asNull(await git.run(['symbolic-ref', '-m', why, 'HEAD', ref], { env }));
}

/** Puts a ref of the harness on an object, whatever it was on. */
export async function setRef(git: Git, ref: string, id: ObjectId): Promise<Result<null>> {
  const question = `start\nupdate ${ref} ${id}\nprepare\ncommit\n`;
  const { user } = git.lands ?? { user: git };
  const isDone = await user.ask(['update-ref', '--stdin'], question, (printed) =>
    printed.includes('commit: ok\n') ? { answer: true } : { needs: printed.length + 1 },
  );
  return isDone === true ? ok(null) : asNull(await git.run(['update-ref', ref, id]));
}

/** Changes of refs (`update`, `create`, `delete` lines of `git update-ref --stdin`): all of them or none. */
export async function moveRefs(
  git: Git,
  lines: readonly string[],
  why: { readonly message?: string; readonly env?: { readonly [name: string]: string } } = {},
): Promise<Result<null>> {
  if (lines.length === 0) return ok(null);
  const stdin = `${['start', ...lines, 'prepare', 'commit'].join('\n')}\n`;
  const args = ['update-ref', ...(why.message === undefined ? [] : ['-m', why.message]), '--stdin'];
  return asNull(await git.run(args, { stdin, ...(why.env === undefined ? {} : { env: why.env }) }));
}

/** Drops what a command printed, keeps whether it worked. */
export const asNull = (result: Result<unknown>): Result<null> => (result.ok ? ok(null) : result);
