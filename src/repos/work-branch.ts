// A branch for new work: one that no other work is on.
import { failure } from '../model/failure.ts';
import { err, ok, type Result } from '../model/result.ts';
import { zeroSplit, type Git } from './git.ts';
import { moveHead, readHead, resolveCommit } from './head.ts';
import { asUser } from './settings.ts';

/** Names that are tried. */
const MOST = 100;

/**
 * Switches to the branch `wanted`, or with `-2`, `-3` … after it where a branch of that name has other work. `isUnfinished`: an interrupted
 * earlier call may have done so. The work tree stays as it is. Fails with `no-commits` or `branch-exists`.
 */
export async function switchToOwnBranch(git: Git, wanted: string, isUnfinished: boolean): Promise<Result<string>> {
  const head = await readHead(git);
  if (!head.ok) return head;
  const { commit, branch } = head.value;
  if (commit === null) return err(failure('no-commits', { root: git.root }));
  const elsewhere = await checkedOut(git);
  if (!elsewhere.ok) return elsewhere;
  if (isUnfinished && branch !== null && isOneOf(branch, wanted)) return ok(branch);
  for (let n = 1; n <= MOST; n += 1) {
    const name = n === 1 ? wanted : `${wanted}-${n}`;
    const there = await resolveCommit(git, `refs/heads/${name}`);
    if (!there.ok) return there;
    if (there.value !== null && there.value !== commit) continue;
    if (branch === name) return ok(name);
    if (elsewhere.value.has(name)) continue;
    const user = await asUser(git);
    if (!user.ok) return user;
    const moved = await moveHead(git, { commit, branch: name }, 'harness: a branch for new work', user.value);
    return moved.ok ? ok(name) : moved;
  }
  return err(failure('branch-exists', { branch: wanted }));
}

/** Branches that work trees of this repository are on: two on one branch would each undo what the other commits. */
export async function checkedOut(git: Git): Promise<Result<ReadonlySet<string>>> {
  const listed = await git.run(['worktree', 'list', '--porcelain', '-z']);
  if (!listed.ok) return listed;
  const begin = 'branch refs/heads/';
  const lines = zeroSplit(listed.value).filter((line) => line.startsWith(begin));
  return ok(new Set(lines.map((line) => line.slice(begin.length))));
}

const isOneOf = (branch: string, wanted: string): boolean =>
  branch === wanted || (branch.startsWith(`${wanted}-`) && /^\d+$/.test(branch.slice(wanted.length + 1)));
