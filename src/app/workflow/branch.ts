// What git must be like before a workflow begins, and the branch it works on (reference 004, Step 1.8).
import { failure, filesNamed } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { branchOf } from '../../playbooks/workflow/file/slug.ts';
import { zeroSplit, type Git } from '../../repos/git.ts';
import { moveHead, readHead, resolveCommit } from '../../repos/head.ts';
import { asUser } from '../../repos/settings.ts';
import type { Target } from '../target.ts';

/** On a branch, in the middle of nothing, nothing uncommitted but in `folders`: what an earlier phase left for this task. */
export async function cleanTree(target: Target, folders: readonly string[]): Promise<Result<null>> {
  const { branch, dirty, operation } = await target.world.head();
  if (operation !== null) return err(failure('git-operation-open', { operation }));
  if (branch === null) return err(failure('detached-head'));
  const others = dirty.filter((path) => !folders.some((folder) => path.startsWith(folder)));
  return others.length > 0 ? err(failure('dirty-tree', filesNamed(others))) : ok(null);
}

/** More of them is nobody's work. */
const MOST = 100;

/**
 * `harness/<slug>`, or with `-2`, `-3` … behind it where that is a branch with work of its own. `isUnfinished`: a set-up that died may have
 * made it and switched to it. The work tree is as HEAD: only the names change.
 */
export async function ownBranch(git: Git, slug: string, isUnfinished: boolean): Promise<Result<string>> {
  const head = await readHead(git);
  if (!head.ok) return head;
  const { commit, branch } = head.value;
  if (commit === null) return err(failure('no-commits', { root: git.root }));
  const wanted = branchOf(slug);
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
    const moved = await moveHead(git, { commit, branch: name }, 'harness: a workflow begins', user.value);
    return moved.ok ? ok(name) : moved;
  }
  return err(failure('branch-exists', { branch: wanted }));
}

/** Branches of all work trees of this repository: two of them on one branch would each undo what the other commits. */
async function checkedOut(git: Git): Promise<Result<ReadonlySet<string>>> {
  const listed = await git.run(['worktree', 'list', '--porcelain', '-z']);
  if (!listed.ok) return listed;
  const begin = 'branch refs/heads/';
  const lines = zeroSplit(listed.value).filter((line) => line.startsWith(begin));
  return ok(new Set(lines.map((line) => line.slice(begin.length))));
}

const isOneOf = (branch: string, wanted: string): boolean =>
  branch === wanted || (branch.startsWith(`${wanted}-`) && /^\d+$/.test(branch.slice(wanted.length + 1)));
