// Proposes a landed item: its commits on a branch of the remote, and the pull request for them. Repeating it makes nothing twice, after a kill
// at any point; the user's work tree and branches are not touched.
import type { Catalogue } from '../../host/catalogue.ts';
import type { Checks, OpenedPull, OpenForge } from '../../forge/port.ts';
import { failure } from '../../model/failure.ts';
import type { Subject } from '../../model/item.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { proposalBranch, proposalKey } from '../../model/proposal.ts';
import type { ObjectId } from '../../repos/git.ts';
import { readCommits } from '../../repos/message.ts';
import { isWithin } from '../../repos/remote.ts';
import { openRunBranch } from '../../repos/run-branch.ts';
import { fetchRefs, moveRemoteRefs } from '../../repos/remote-refs.ts';
import type { FoundLanding } from '../../verify/chain.ts';
import type { Target } from '../open/target.ts';
import { factsOf, landingsOfItem, PICKED, placeOn, type Placed } from './landed.ts';
import { openForge } from './open.ts';
import { pullBody } from './pull-body.ts';

export type Proposal = OpenedPull & {
  readonly branch: string;
  readonly baseBranch: string;
  /** What the branch is at. */
  readonly head: ObjectId;
  readonly commits: readonly Placed[];
  /** null: not asked for. */
  readonly checks: Checks | null;
};

export type ProposeAsk = { readonly subject: Subject; readonly catalogue: Catalogue; readonly withChecks: boolean };

/** Fails as `openForge` and as the forge does, and with the reasons that begin with `pr-`. */
export async function propose(target: Target, ask: ProposeAsk): Promise<Result<Proposal>> {
  const { id: item, title } = ask.subject;
  const open = await openForge(target);
  if (!open.ok) return open;
  const { forge, baseBranch } = open.value;
  const waiting = target.config.land === 'branch' ? await openRunBranch(target.git, target.workspaceDir) : ok(null);
  if (!waiting.ok) return waiting;
  const landings = await landingsOfItem(target.git, item, waiting.value?.tip ?? null);
  if (!landings.ok) return landings;
  const pushed = await pushBranch(target, open.value, item, landings.value);
  if (!pushed.ok) return pushed;
  const { head, commits } = pushed.value;
  const branch = proposalBranch(item);
  const shown = landings.value.filter(({ commit }) => commits.some(({ landing }) => landing === commit));
  const facts = await factsOf(target.git, item, shown);
  const isPicked = commits.some(({ landing, commit }) => landing !== commit);
  const body = pullBody({ item, title, landings: facts, isPicked }, ask.catalogue);
  const subject = facts.at(-1)?.facts.subject ?? '';
  const opened = await forge.openPull({
    head: branch,
    base: baseBranch,
    key: proposalKey(item),
    title: target.redact(subject === '' ? title : subject),
    body: target.redact(body),
    isDraft: false,
  });
  if (!opened.ok) return opened;
  const checks = ask.withChecks ? await forge.checks(head) : ok(null);
  if (!checks.ok) return checks;
  return ok({ ...opened.value, branch, baseBranch, head, commits, checks: checks.value });
}

type Pushed = { readonly head: ObjectId; readonly commits: readonly Placed[] };
const MOST_ROUNDS = 3;

/** The branch with all landings that are not on the base yet. */
async function pushBranch(
  target: Target,
  open: OpenForge,
  item: string,
  landings: readonly FoundLanding[],
): Promise<Result<Pushed>> {
  const { git } = target;
  const { remote, url, baseBranch } = open;
  const [baseRef, ref] = [`refs/heads/${baseBranch}`, `refs/heads/${proposalBranch(item)}`];
  for (let round = 1; ; round += 1) {
    const refs = await fetchRefs(git, { remote, url, refs: [baseRef, ref] });
    if (!refs.ok) return refs;
    const [base, tip = null] = [refs.value.get(baseRef), refs.value.get(ref)];
    if (base === undefined) return err(failure('forge-base-missing', { remote, branch: baseBranch }));
    const left = await leftFor(target, open, { item, landings, base });
    if (!left.ok) return left;
    const there = tip === null ? ok(null) : await contentOf(target, { tip, base, landings });
    if (!there.ok) return there;
    if (tip !== null && there.value !== null) {
      const { commits, isOurs } = there.value;
      if (left.value.every(({ commit }) => commits.some(({ landing }) => landing === commit)))
        return ok({ head: tip, commits });
      if (!isOurs) return err(failure('pr-branch-edited', { branch: proposalBranch(item), commit: tip.slice(0, 12) }));
    }
    const growing = target.config.paths.progress;
    const placed = await placeOn(git, { item, landings: left.value, base, baseBranch, growing });
    if (!placed.ok) return placed;
    const head = placed.value.at(-1)?.commit;
    if (head === undefined) return overBy(open, item);
    const moves = [{ ref, from: tip, to: head }];
    const moved = head === tip ? ok('moved') : await moveRemoteRefs(git, { remote, url, moves });
    if (!moved.ok) return moved;
    if (moved.value === 'moved') return ok({ head, commits: placed.value });
    if (round === MOST_ROUNDS) return err(failure('pr-branch-edited', { branch: proposalBranch(item), commit: '' }));
  }
}

/** The landings to propose: not on the base, and not in a pull request that was merged. Fails with `pr-merged` and `pr-on-base`. */
async function leftFor(
  { git }: Target,
  open: OpenForge,
  ask: { readonly item: string; readonly landings: readonly FoundLanding[]; readonly base: ObjectId },
): Promise<Result<readonly FoundLanding[]>> {
  const found = await open.forge.findPull({ head: proposalBranch(ask.item), key: proposalKey(ask.item) });
  if (!found.ok) return found;
  const merged = found.value?.state === 'merged' ? found.value.body : '';
  const left: FoundLanding[] = [];
  for (const landing of ask.landings) {
    const isOnBase = await isWithin(git, landing.commit, ask.base);
    if (!isOnBase.ok) return isOnBase;
    if (!isOnBase.value && !merged.includes(landing.commit)) left.push(landing);
  }
  return left.length > 0 ? ok(left) : overBy(open, ask.item);
}

/** Nothing is left to propose: by a pull request, or by a push. */
async function overBy({ forge, remote, baseBranch }: OpenForge, item: string): Promise<Result<never>> {
  const found = await forge.findPull({ head: proposalBranch(item), key: proposalKey(item) });
  if (!found.ok) return found;
  return found.value?.state === 'merged'
    ? err(failure('pr-merged', { item, url: found.value.url }))
    : err(failure('pr-on-base', { item, branch: baseBranch, remote }));
}

/** What the branch has beside the base: which landings, and whether all of it is ours. */
async function contentOf(
  { git }: Target,
  ask: { readonly tip: ObjectId; readonly base: ObjectId; readonly landings: readonly FoundLanding[] },
): Promise<Result<{ readonly commits: readonly Placed[]; readonly isOurs: boolean }>> {
  const read = await readCommits(git, ['--reverse', ask.tip, `^${ask.base}`]);
  if (!read.ok) return read;
  const known = new Set(ask.landings.map(({ commit }) => commit));
  const commits = read.value.flatMap(({ commit, trailers }) => {
    const landing = known.has(commit) ? commit : (trailers[PICKED] ?? '');
    return known.has(landing) ? [{ landing, commit }] : [];
  });
  return ok({ commits, isOurs: commits.length === read.value.length });
}
