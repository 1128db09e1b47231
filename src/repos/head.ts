// HEAD: its commit and branch, and moving both. Read from the files of git where they have the plainest form; otherwise git is asked.
import { Buffer } from 'node:buffer';
import { join } from 'node:path';
import { ok, type Result } from '../model/result.ts';
import type { Git, ObjectId } from './git.ts';
import type { CacheKey } from './answer-cache.ts';
import { readObjects } from './objects.ts';
import { readRegular } from '../host/files.ts';
import type { GitFolders } from './folders.ts';

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
export const rememberIsCommit = (git: Git, id: ObjectId): void => git.memory.set(IS_COMMIT, id, true);

/** The commit of a name; null where there is none. */
export async function resolveCommit(git: Git, rev: string): Promise<Result<ObjectId | null>> {
  const plain = idFromFiles(git, rev);
  if (plain !== null && git.memory.get(IS_COMMIT, plain) === true) return ok(plain);
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
  const isDone = await git.ask(['update-ref', '--stdin'], question, (printed) =>
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

/** `branch` without refs/heads/; null: HEAD is detached. */
export type HeadFile = { readonly commit: string; readonly branch: string | null };

const LARGEST_REF_BYTES = 1_000;
const LARGEST_PACKED_BYTES = 64 * 1024 * 1024;
const OBJECT_ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
/** Names that mean the same to git and to the file system, of refs that all work trees share. */
const PLAIN_REF = /^refs\/(?:heads|harness)\/(?!\.)[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/;

export function headFromFiles(folders: GitFolders): HeadFile | null {
  const head = lineOf(join(folders.gitDir, 'HEAD'), LARGEST_REF_BYTES);
  if (head === null) return null;
  if (OBJECT_ID.test(head)) return { commit: head, branch: null };
  const ref = head.startsWith('ref: ') ? head.slice(5) : '';
  const commit = ref.startsWith(BRANCHES) ? refFromFiles(folders, ref) : null;
  return commit === null ? null : { commit, branch: ref.slice(BRANCHES.length) };
}

/** The object of HEAD, of a full id, or of a ref by its full name. It may not exist. */
export function idFromFiles(folders: GitFolders, name: string): string | null {
  if (OBJECT_ID.test(name)) return name;
  return name === 'HEAD' ? (headFromFiles(folders)?.commit ?? null) : refFromFiles(folders, name);
}

function refFromFiles({ commonDir }: GitFolders, ref: string): string | null {
  if (!PLAIN_REF.test(ref) || ref.includes('..') || ref.includes('.lock')) return null;
  const loose = readRegular(join(commonDir, ref), LARGEST_REF_BYTES);
  const commit = loose.kind === 'file' ? oneLine(loose.bytes) : loose.kind === 'absent' ? packed(commonDir, ref) : null;
  return commit !== null && OBJECT_ID.test(commit) ? commit : null;
}

function lineOf(path: string, maxBytes: number): string | null {
  const file = readRegular(path, maxBytes);
  return file.kind === 'file' ? oneLine(file.bytes) : null;
}

/** The text of a file that is one line with its end; null for anything else. */
function oneLine(bytes: Buffer): string | null {
  const text = bytes.toString('latin1');
  return text.indexOf('\n') === text.length - 1 ? text.slice(0, -1) : null;
}

/** A ref that is not there loosely may have been packed. */
function packed(commonDir: string, ref: string): string | null {
  const file = readRegular(join(commonDir, 'packed-refs'), LARGEST_PACKED_BYTES);
  if (file.kind !== 'file') return null;
  const end = file.bytes.indexOf(Buffer.from(` ${ref}\n`));
  return end < 0 ? null : file.bytes.subarray(file.bytes.lastIndexOf(10, end) + 1, end).toString('latin1');
}
