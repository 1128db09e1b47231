// `land: branch` for a run: on which branch it lands, and from which commit that begins.
// A run begins on top of the newest branch that is not merged (src/repos/run-branch.ts). Commits that its user made meanwhile are brought onto the new
// branch by a merge at its beginning, before any item: the first preflight runs the tests of both together.
import { failure, filesNamed } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { commitTreeObject } from '../../repos/checkpoint.ts';
import type { Git, ObjectId } from '../../repos/git.ts';
import { readHead } from '../../repos/head.ts';
import { showFile } from '../../repos/history.ts';
import { mergedTrees } from '../../repos/merge.ts';
import { writeMessage } from '../../repos/message.ts';
import { readObjects } from '../../repos/objects.ts';
import { grownFile } from '../../repos/pick.ts';
import { isWithin } from '../../repos/remote.ts';
import { findRunBranches, makeRunBranch, runBranchName, type OpenBranch } from '../../repos/run-branch.ts';
import { asUser } from '../../repos/settings.ts';
import { withEntries, withPathsOf } from '../../repos/tree-paths.ts';
import { filesOfTree } from '../../repos/tree-walk.ts';
import { joinedLists } from './join-lists.ts';
import type { Target } from './target.ts';

export type BegunRunBranch = { readonly branch: string; readonly gone: readonly OpenBranch[] };

/**
 * With nothing under way. null: HEAD is detached, or there is no commit. Fails with `run-branch-conflict`: the user's commits and what is not merged
 * do not fit.
 */
export async function beginRunBranch(target: Target, git: Git, run: string): Promise<Result<BegunRunBranch | null>> {
  const head = await readHead(git);
  if (!head.ok) return head;
  const { commit, branch } = head.value;
  const found = await findRunBranches(git, target.workspaceDir);
  if (!found.ok) return found;
  const { from, open, gone } = found.value;
  if (commit === null || branch === null || from === null) return ok(null);
  const start = open === null ? ok(commit) : await startOn(target, git, { mine: commit, open, run });
  if (!start.ok) return start;
  const { backlog } = target.config.paths;
  const hasList = !target.machine.files(target.config).own.includes(backlog);
  const begun = { branch: runBranchName(run), from, start: start.value, hasList };
  const made = await makeRunBranch(git, target, begun, found.value);
  return made.ok ? ok({ branch: begun.branch, gone }) : made;
}

type Both = { readonly mine: ObjectId; readonly open: OpenBranch; readonly run: string };

/** The newest branch that is not merged, together with what the user has committed since. */
async function startOn(target: Target, git: Git, { mine, open, run }: Both): Promise<Result<ObjectId>> {
  const isBelow = await isWithin(git, mine, open.tip);
  if (!isBelow.ok) return isBelow;
  if (isBelow.value) return ok(open.tip);
  const merged = await mergedWork(target, git, mine, open.tip);
  if (!merged.ok) return merged;
  if ('conflicts' in merged.value) {
    const { branch, from } = open;
    return err(failure('run-branch-conflict', { branch, from, ...filesNamed(merged.value.conflicts) }));
  }
  const user = await asUser(git);
  if (!user.ok) return user;
  const subject = `chore(harness): ${open.from} is merged into the work that waits for it`;
  const message = writeMessage(subject, '', { 'Harness-Run': run });
  return commitTreeObject(git, user.value, merged.value.tree, [open.tip, mine], message);
}

type Tree = { readonly tree: ObjectId } | { readonly conflicts: readonly string[] };

/** Of the list and its log both sides are taken; the rest is merged as text. */
async function mergedWork({ config, backlog }: Target, git: Git, mine: ObjectId, tip: ObjectId): Promise<Result<Tree>> {
  const shared = await git.run(['merge-base', mine, tip], { allow: [1] });
  if (!shared.ok) return shared;
  const read = await readObjects(git, [`${shared.value.trim()}^{tree}`, `${tip}^{tree}`, `${mine}^{tree}`]);
  if (!read.ok) return read;
  const [base = '', ours = '', theirs = ''] = read.value.map((object) => object?.id ?? '');
  // Without a common commit nothing says what is whose.
  if (base === '') return ok({ conflicts: ['.'] });
  const { backlog: list, progress } = config.paths;
  const texts: (string | null)[] = [];
  for (const tree of [base, ours, theirs]) {
    const text = await showFile(git, tree, list);
    if (!text.ok) return text;
    texts.push(text.value);
  }
  const [before = null, here = null, there = null] = texts;
  const files = new Map<string, { readonly mode: string; readonly id: ObjectId }>();
  if (here !== null) {
    const text = joinedLists(backlog, list, { base: before, mine: here, theirs: there });
    const blob = await git.run(['hash-object', '-w', '--stdin'], { stdin: text });
    const listed = await filesOfTree(git, ours, [list]);
    if (!blob.ok) return blob;
    if (!listed.ok) return listed;
    files.set(list, { mode: listed.value[0]?.mode ?? '100644', id: blob.value.trim() });
  }
  const log = await grownFile(git, progress, { from: base, to: theirs, on: ours });
  if (!log.ok) return log;
  if (log.value !== null) files.set(progress, log.value);
  const own = [...files.keys()];
  const [from, to] = [await withPathsOf(git, base, ours, own), await withPathsOf(git, theirs, ours, own)];
  if (!from.ok) return from;
  if (!to.ok) return to;
  const merged = await mergedTrees(git, { base: from.value, ours, theirs: to.value });
  if (!merged.ok || 'conflicts' in merged.value) return merged;
  const whole = await withEntries(git, merged.value.tree, files);
  return whole.ok ? ok({ tree: whole.value }) : whole;
}
