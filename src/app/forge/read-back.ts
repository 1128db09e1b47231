// Reads back what became of the pull requests of items: merged ones land, what reviewers say and which checks failed is kept for the next session of
// the item, a closed one is reported. Repeatable: each look starts from what was kept by the one before.
import type { Checks, OpenForge, Pull } from '../../forge/port.ts';
import { flagEdit } from '../../engine/list-edits.ts';
import { followBase } from '../../loop/performers/forge.ts';
import { dropProposal, keepProposal, proposalsIn } from '../../loop/proposals.ts';
import type { RunContext } from '../../loop/run-context.ts';
import type { LandingProposal } from '../../model/proposal.ts';
import { ok, type Result } from '../../model/result.ts';
import { isWithin } from '../../repos/remote.ts';
import { dropWip } from '../../repos/wip.ts';
import { post } from '../list/inbox.ts';
import type { Target } from '../open/target.ts';
import { isItemUnderWay } from '../open/unfinished-sessions.ts';
import { openForge } from './open.ts';
import type { Proposal } from './propose.ts';
import { checkNotes, isCheck, reviewNotes } from './review-notes.ts';

export type LookedAt = {
  readonly proposal: LandingProposal;
  readonly state: 'open' | 'closed' | 'merged';
  /** What its branch is at, or was at the end, is what was proved. */
  readonly isAsProved: boolean;
  /** The forge does not show its checks to this account. */
  readonly areChecksHidden: boolean;
};

/** Without a pull request that waits nothing is asked. `context`: of the run that continues then. */
export async function readBack(target: Target, context: RunContext, signal: AbortSignal): Promise<Result<null>> {
  const proposals = proposalsIn(target);
  if (proposals.length === 0) return ok(null);
  const open = await openForge(target, signal);
  if (!open.ok) return open;
  const merged: LookedAt[] = [];
  for (const proposal of proposals) {
    const looked = await lookAt(target, open.value, proposal, true);
    if (!looked.ok) return looked;
    const { state } = looked.value;
    if (state === 'merged') merged.push(looked.value);
    else say(context, looked.value);
  }
  // The work tree of an item under way is not moved: the run after it does.
  return merged.length === 0 || isItemUnderWay(target.workspaceDir)
    ? ok(null)
    : takeMerged(target, context, open.value, merged);
}

function say(context: RunContext, { state, proposal, areChecksHidden }: LookedAt): void {
  const { item, number, url, findings } = proposal;
  const failed = findings.filter(isCheck).map(({ params }) => String(params['name']));
  const count = findings.length - failed.length;
  const says = (what: string, more: object): void =>
    context.notify({ type: 'proposal', level: 'important', item, data: { number, url, state: what, count, ...more } });
  if (state === 'closed' || count > 0) says(state, {});
  if (failed.length > 0) says('red', { checks: failed.join(', ') });
  if (areChecksHidden) says('hidden', {});
}

/** For a person who asks: what became of it. A merge is taken by the next run. */
export async function readProposed(
  target: Target,
  proposal: LandingProposal,
  withChecks: boolean,
): Promise<Result<Proposal>> {
  const open = await openForge(target);
  if (!open.ok) return open;
  const { forge, baseBranch } = open.value;
  const looked = await lookAt(target, open.value, proposal, withChecks);
  if (!looked.ok) return looked;
  const pull = await forge.readPull(proposal.number);
  if (!pull.ok) return pull;
  const { sha: head } = pull.value.head;
  const checks = withChecks ? await forge.checks(head) : ok(null);
  if (!checks.ok) return checks;
  const { branch, commit } = proposal;
  const commits = [{ landing: commit, commit }];
  return ok({ pull: pull.value, how: 'unchanged', branch, baseBranch, head, commits, checks: checks.value });
}

/** One look, and what it says is kept. `withChecks`: a local forge runs its `ci` for it. */
export async function lookAt(
  target: Target,
  { forge }: OpenForge,
  proposal: LandingProposal,
  withChecks: boolean,
): Promise<Result<LookedAt>> {
  const pull = await forge.readPull(proposal.number);
  if (!pull.ok) return pull;
  const { state, head } = pull.value;
  const isAsProved = head.sha === proposal.commit;
  if (state === 'merged') return ok({ proposal, state, isAsProved, areChecksHidden: false });
  const comments = await forge.comments(proposal.number);
  if (!comments.ok) return comments;
  const said = reviewNotes(proposal, pull.value, comments.value);
  // Commits of others on the branch are theirs to repair.
  const checks = withChecks && state === 'open' && isAsProved ? await checksOf(target, forge, head) : ok(null);
  if (!checks.ok) return checks;
  const next = { ...proposal, state, ...(checks.value === null ? said : checkNotes(said, checks.value)) };
  keepProposal(target, next);
  return ok({ proposal: next, state, isAsProved, areChecksHidden: checks.value?.isHidden === true });
}

/** Where the account may not see them, others merge by what they see. */
async function checksOf(
  { redact }: Target,
  forge: OpenForge['forge'],
  { sha }: Pull['head'],
): Promise<Result<Checks & { readonly isHidden: boolean }>> {
  const found = await forge.checks(sha);
  if (found.ok) {
    const checks = found.value.checks.map((one) => ({ ...one, summary: redact(one.summary) }));
    return ok({ ...found.value, checks, isHidden: false });
  }
  return found.failure.reason === 'forge-forbidden' ? ok({ sha, state: 'none', checks: [], isHidden: true }) : found;
}

/** The branch here follows the base branch, which has the work now, and what the list does not say yet is written. */
async function takeMerged(
  target: Target,
  context: RunContext,
  open: OpenForge,
  merged: readonly LookedAt[],
): Promise<Result<null>> {
  const followed = await followBase(context, open, null);
  if (!followed.ok) return followed;
  const { commit: tip } = followed.value;
  const { config, backlog, view, workspaceDir, io, clock } = target;
  const file = config.paths.backlog;
  const text = (await context.view.readAt(tip, file)) ?? (await view.read(file));
  const list = backlog.read(text ?? '', file, { allowCycles: true });
  for (const { proposal, isAsProved } of merged) {
    const { item, number, url, commit } = proposal;
    const isDone = list.ok && list.value.subject(item)?.passes === true;
    const within = await isWithin(context.git, commit, tip);
    if (!within.ok) return within;
    const isThere = within.value || isAsProved;
    if (!isDone && isThere) {
      const edit = flagEdit(file, item, { type: 'landed', at: clock.iso() });
      const subject = `chore(harness): #${item} is merged`;
      post(workspaceDir, io, clock.now(), { type: 'change', item, subject, edit });
    }
    const dropped = await dropWip(context.git, item);
    if (!dropped.ok) return dropped;
    dropProposal(target, item);
    // Merged in another form than it was proved in, and without the item's flag: nothing says that the work is there.
    const state = isDone || isThere ? 'merged' : 'unproved';
    context.notify({ type: 'proposal', level: 'important', item, data: { number, url, state, count: 0 } });
  }
  return ok(null);
}
