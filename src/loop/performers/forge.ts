// What is done at the place where code is reviewed. A forge that cannot be asked stops the run where it is: the next run continues there. Repeated,
// each finds what it has done: a branch and its pull request, a merge, a file that was moved.
import type { ActionOf, Blocked, Performer } from '../../engine/types.ts';
import { checksOf, type OpenForge } from '../../forge/port.ts';
import type { ItemId } from '../../model/item.ts';
import { sha256 } from '../../host/files.ts';
import type { Actions } from '../../model/action.ts';
import { failure, filesNamed, type Failure } from '../../model/failure.ts';
import type {
  AddFilesOutcome,
  CiOutcome,
  FindPullOutcome,
  FollowBaseOutcome,
  MergePullOutcome,
  MoveFileOutcome,
  ProposePullAsk,
  ProposePullOutcome,
} from '../../model/forge-action.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { takeCheckpoint } from '../../repos/checkpoint.ts';
import { moveBranch, tipOf } from '../../repos/follow.ts';
import type { ObjectId } from '../../repos/git.ts';
import { readCommits } from '../../repos/message.ts';
import { addOnRemote } from '../../repos/add-files.ts';
import { moveOnRemote } from '../../repos/move-file.ts';
import { isWithin } from '../../repos/remote.ts';
import { ownCommits } from '../../repos/proposed.ts';
import { fetchRefs, moveRemoteRefs } from '../../repos/remote-refs.ts';
import { restoreTree } from '../../repos/restore.ts';
import { asUser } from '../../repos/settings.ts';
import { isTreeHeld } from '../held-tree.ts';
import type { RunContext } from '../run-context.ts';
import { keepProposal, proposalOf } from '../proposals.ts';
import { withoutSecrets } from '../secrets.ts';
import { withExpected } from './expected-checks.ts';
import { repeatable } from './repeatable.ts';

type Kind = 'find-pull' | 'propose' | 'ci' | 'merge-pull' | 'move-file' | 'add-files' | 'follow-base';
type Of<K extends Kind> = Performer<ActionOf<Actions, K>, Actions[K][1]>;

/** A performer that has the forge, and is blocked by its failures. */
function withForge<K extends Kind>(
  context: RunContext,
  perform: (open: OpenForge, ask: ActionOf<Actions, K>, token: string) => Promise<Result<Actions[K][1]>>,
): Of<K> {
  return {
    async perform(ask, { signal, token }): Promise<Actions[K][1] | Blocked> {
      const open = await context.openForge(signal);
      if (!open.ok) return { blocked: open.failure };
      const done = await perform(open.value, ask, token);
      return done.ok ? done.value : { blocked: done.failure };
    },
    probe: repeatable,
  };
}

export const proposes = (context: RunContext): Of<'propose'> =>
  withForge<'propose'>(context, async (open, ask): Promise<Result<ProposePullOutcome>> => {
    const { branch: head, mark: key, commit } = ask;
    const found = await open.forge.findPull({ head, key });
    if (!found.ok) return found;
    if (found.value?.state === 'merged' && found.value.head.sha === commit)
      return ok({ number: found.value.number, url: found.value.url, isMerged: true });
    const pushed = await pushCommit(context, open, ask);
    if (!pushed.ok) return ofOthers(pushed.failure);
    const text = ask.isAwaited === true ? await context.describePull(ask) : ok(ask);
    if (!text.ok) return text;
    const opened = await open.forge.openPull({
      head,
      base: open.baseBranch,
      key,
      title: context.redact(text.value.title),
      body: context.redact(text.value.body),
      isDraft: false,
    });
    if (!opened.ok) return ofOthers(opened.failure);
    const { number, url } = opened.value.pull;
    if (ask.isAwaited === true) {
      const { item } = ask;
      const seen = proposalOf(context, item)?.seen ?? [];
      const about = { schema: 1, item, number, url, branch: head, commit } as const;
      keepProposal(context, { ...about, state: 'open', findings: [], seen });
    }
    context.notify({
      type: 'proposed',
      level: 'important',
      item: ask.item,
      data: { number, url, how: opened.value.how },
    });
    return ok({ number, url, isMerged: false });
  });

/** What a user has to settle with others. */
const OF_OTHERS: readonly string[] = ['pr-branch-edited', 'forge-pull-of-another'];
const ofOthers = (why: Failure): Result<ProposePullOutcome> =>
  OF_OTHERS.includes(why.reason) ? ok({ failure: why }) : err(why);

const MOST_ROUNDS = 3;

/** Replaces the branch of the remote only while all of it was made for this item by the harness. */
async function pushCommit(
  { git }: RunContext,
  { remote, url, baseBranch }: OpenForge,
  { item, branch, commit }: ProposePullAsk,
): Promise<Result<null>> {
  const [ref, baseRef] = [`refs/heads/${branch}`, `refs/heads/${baseBranch}`];
  for (let round = 1; ; round += 1) {
    const refs = await fetchRefs(git, { remote, url, refs: [ref, baseRef] });
    if (!refs.ok) return refs;
    const [from = null, base] = [refs.value.get(ref), refs.value.get(baseRef)];
    if (base === undefined) return err(failure('forge-base-missing', { remote, branch: baseBranch }));
    if (from === commit) return ok(null);
    const own = from === null ? ok(0) : await ownCommits(git, { branch, item, base, tip: from });
    if (!own.ok) return own;
    const moved = await moveRemoteRefs(git, { remote, url, moves: [{ ref, from, to: commit }] });
    if (!moved.ok) return moved;
    if (moved.value === 'moved') return ok(null);
    if (round === MOST_ROUNDS) return err(failure('pr-branch-edited', { branch, commit: '' }));
  }
}

export const findsPulls = (context: RunContext): Of<'find-pull'> =>
  withForge<'find-pull'>(context, async ({ forge }, { branch, mark }): Promise<Result<FindPullOutcome>> => {
    const found = await forge.findPull({ head: branch, key: mark });
    if (!found.ok) return found;
    return ok(found.value === null ? { state: 'none' } : { state: found.value.state, head: found.value.head.sha });
  });

export const readsCi = (context: RunContext): Of<'ci'> =>
  withForge<'ci'>(context, async (open, ask): Promise<Result<CiOutcome>> => {
    const found = await open.forge.checks(ask.commit);
    if (!found.ok) return found;
    const isLocal = open.forge.kind === 'local';
    const all = isLocal ? ok(found.value.checks) : await withExpected(context.git, open, ask, found.value.checks);
    if (!all.ok) return all;
    const checks = all.value.map(({ name, state, summary }) => ({
      name,
      state,
      summary: context.redact(summary).slice(-4_000).toWellFormed(),
    }));
    return ok({ state: checksOf(ask.commit, all.value).state, checks, mayCome: !isLocal });
  });

/** What a merge is refused for, and new work on the newest commits may repair. */
const OVERTAKEN: readonly string[] = ['forge-not-mergeable', 'forge-head-moved', 'forge-conflict'];

export const mergesPulls = (context: RunContext): Of<'merge-pull'> =>
  withForge<'merge-pull'>(context, async ({ forge }, ask): Promise<Result<MergePullOutcome>> => {
    const { number, head, title, message, label } = ask;
    const labelled = label === null ? ok(null) : await forge.label(number, { add: [label], remove: [] });
    if (!labelled.ok) return labelled;
    // A merge keeps the commit, and with it the evidence that names it.
    const text = { title: context.redact(title), message: context.redact(message) };
    const merged = await forge.mergePull(number, { method: 'merge', head, ...text });
    if (merged.ok) return ok({ commit: merged.value.commit, failure: null });
    return OVERTAKEN.includes(merged.failure.reason) ? ok({ commit: null, failure: merged.failure }) : merged;
  });

export const movesFiles = (context: RunContext): Of<'move-file'> =>
  withForge<'move-file'>(
    context,
    ({ remote, url, baseBranch: branch }, { from, to, item, subject, alike }): Promise<Result<MoveFileOutcome>> => {
      const trailers = { 'Harness-Item': item, 'Harness-Run': context.run };
      const same = alike === undefined ? {} : { alike };
      return moveOnRemote(context.git, { remote, url, branch, from, to, subject, trailers, ...same });
    },
  );

export const addsFiles = (context: RunContext): Of<'add-files'> =>
  withForge<'add-files'>(
    context,
    ({ remote, url, baseBranch: branch }, { base, files, subject }, token): Promise<Result<AddFilesOutcome>> => {
      const texts = Object.entries(files).map(([path, text]) => [path, withoutSecrets(context, text)] as const);
      const mark = sha256(token).slice(0, 20); // commits travel: they carry no path of this machine
      const about = { files: Object.fromEntries(texts), subject, mark, trailers: { 'Harness-Run': context.run } };
      return addOnRemote(context.git, { remote, url, branch, base, ...about });
    },
  );

export const followsBase = (context: RunContext): Of<'follow-base'> =>
  withForge<'follow-base'>(context, (open, { item }) => followBase(context, open, item));

/** The branch here becomes what the base branch of the remote is, and the work tree with it. `item` null: at the start of a run. */
export async function followBase(
  context: RunContext,
  open: OpenForge,
  item: ItemId | null,
): Promise<Result<FollowBaseOutcome>> {
  const { git } = context;
  const { remote, url, baseBranch: branch } = open;
  if (git.lands === null || git.lands.branch !== branch)
    return err(failure('forge-base-elsewhere', { branch, here: git.lands?.branch ?? '' }));
  const ref = `refs/heads/${branch}`;
  const refs = await fetchRefs(git, { remote, url, refs: [ref] });
  if (!refs.ok) return refs;
  const theirs = refs.value.get(ref);
  if (theirs === undefined) return err(failure('forge-base-missing', { remote, branch }));
  const pushed = await pushDecisions(context, open, theirs);
  if (!pushed.ok) return pushed;
  const to = pushed.value;
  const moved = await fastForward(context, { to, branch, remote });
  if (!moved.ok) return moved;
  // At the start of a run the work of an item that waits for an answer may be in the work tree.
  if (item === null && isTreeHeld(context.workspaceDir)) return ok({ commit: to });
  const wanted = await takeCheckpoint(git, { ref: null, message: 'the base branch of the remote', of: to });
  if (!wanted.ok) return wanted;
  const restored = await restoreTree(git, wanted.value);
  return restored.ok ? ok({ commit: to }) : restored;
}

/**
 * Changes of the list that people asked for are commits here, which no pull request carries: they go to the base branch, where nothing else is in
 * between. Gives where the base branch is then.
 */
async function pushDecisions({ git }: RunContext, open: OpenForge, theirs: ObjectId): Promise<Result<ObjectId>> {
  const { remote, url, baseBranch } = open;
  const tip = await tipOf(git);
  if (!tip.ok) return tip;
  const mine = tip.value;
  if (mine === null || mine === theirs) return ok(theirs);
  const isAhead = await isWithin(git, theirs, mine);
  if (!isAhead.ok) return isAhead;
  const ahead = isAhead.value ? await readCommits(git, [mine, `^${theirs}`]) : ok([]);
  if (!ahead.ok) return ahead;
  const areDecisions = ahead.value.every(
    ({ subject, trailers }) => subject.startsWith('chore(harness): ') && trailers['Harness-Run'] !== undefined,
  );
  if (ahead.value.length === 0 || !areDecisions) return ok(theirs);
  const moves = [{ ref: `refs/heads/${baseBranch}`, from: theirs, to: mine }];
  const moved = await moveRemoteRefs(git, { remote, url, moves });
  return moved.ok ? ok(moved.value === 'moved' ? mine : theirs) : moved;
}

async function fastForward(
  { git }: RunContext,
  { to, branch, remote }: { readonly to: ObjectId; readonly branch: string; readonly remote: string },
): Promise<Result<null>> {
  const [tip, user] = [await tipOf(git), await asUser(git)];
  if (!tip.ok) return tip;
  if (!user.ok) return user;
  const from = tip.value;
  if (from === to || git.lands === null) return ok(null);
  const isBelow = from === null ? ok(true) : await isWithin(git, from, to);
  if (!isBelow.ok) return isBelow;
  if (!isBelow.value || from === null) return err(failure('forge-base-ahead', { branch, remote }));
  const why = `harness: as on ${remote}`;
  const moved = await moveBranch(git, git.lands, { from, to, refs: [], why, env: user.value });
  if (!moved.ok) return moved;
  if (moved.value.is === 'in-the-way') return err(failure('dirty-tree', filesNamed(moved.value.paths)));
  return moved.value.is === 'moved' ? ok(null) : err(failure('forge-base-ahead', { branch, remote }));
}
