// Takes the work back from the user: lists their commits, verifies them with the harness's own checks, and updates the state.
// Every step is idempotent.

import { checks as checkPerformer } from '../../loop/performers/check.ts';
import { dropHold, holdOf } from '../../loop/holds.ts';
import { memories } from '../../loop/performers/remember.ts';
import type { RunContext } from '../../loop/run-context.ts';
import type { CheckSpec } from '../../model/action.ts';
import { Bug } from '../../model/bug.ts';
import { dirtyTree, failure } from '../../model/failure.ts';
import type { ItemId, Subject } from '../../model/item.ts';
import { err, ok, type Result } from '../../model/result.ts';
import type { Verdict } from '../../model/verdict.ts';
import type { CommitFacts } from '../../model/repository-view.ts';
import { baselineCheck, featureChecks } from '../../playbooks/session/checks.ts';
import { baselineFrom } from '../../model/baseline-record.ts';
import { commitFacts } from '../../repos/history.ts';
import { resolveCommit } from '../../repos/head.ts';
import { openRunBranch } from '../../repos/run-branch.ts';
import { applyChange, decide, userNameOf, type ChangeResult } from '../backlog/changes.ts';
import { pendingChanges } from '../list/pending.ts';
import { findItem } from '../backlog/find-item.ts';
import { resetLoop, resetSessionState } from '../run/reset-loop.ts';
import { finishHandoff } from './handoff.ts';
import { dropHandoff, readHandoff, type Handoff, clearPaused, isPaused } from '../open/run-blockers.ts';
import { readStateUnchecked } from '../look/state-summary.ts';
import { readActiveSessions } from '../look/active-sessions.ts';
import { tokenBase, withRunLock } from '../open/run-lock.ts';
import { NO_WATCHER } from '../open/run-context.ts';
import { runName } from '../open/run-name.ts';
import { owners } from '../../playbooks/session/surveys.ts';
import { contextOf, type Target } from '../open/target.ts';

const COMMAND = 'harness takeback';
/** The start of the reason of items marked done by this command. */
const BY_HAND = 'done by hand, verified by harness takeback';

export type ReturnedWork = {
  readonly note: Handoff;
  /** The user's own commits, oldest first. */
  readonly commits: readonly CommitFacts[];
  /** The branch, if it is another one than at the handoff; null: the same. */
  readonly branch: string | null;
  /** The item to verify: the one in progress, or the one named. */
  readonly subject: Subject | null;
  /** Features that the user set to passing. */
  readonly claimed: readonly Subject[];
};

const MOST_COMMITS = 1_000;
/** The maximum number of items verified one by one. */
const MOST_PROVED = 50;

/** Null: not handed off. Fails with `dirty-tree`: uncommitted changes cannot be attributed. */
export async function inspectReturnedWork(target: Target, word: string | null): Promise<Result<ReturnedWork | null>> {
  const begun = readHandoff(target) ?? (await handoffOfItem(target, word));
  if (begun === null) return ok(null);
  const settled = begun.settled ? ok(begun) : await finishHandoff(target, begun);
  if (!settled.ok) return settled;
  const note = settled.value;
  // Pending changes of commands are applied first, so that they do not look like the user's edits.
  const made = pendingChanges(target).length === 0 ? ok(null) : await applyChange(target, null, COMMAND);
  if (!made.ok) return made;
  const open = target.config.land === 'branch' ? await openRunBranch(target.git, target.workspaceDir) : ok(null);
  if (!open.ok) return open;
  if (open.value?.hasList === true) return err(failure('run-branch-unmerged', { branch: open.value.branch }));
  const { dirty, branch } = await target.view.head();
  // A workflow keeps its work uncommitted, and verifies it in its next step.
  const provesItself = target.playbook.oneTask !== undefined;
  if (dirty.length > 0 && !provesItself) return err(dirtyTree(dirty));
  const named = provesItself ? null : (word ?? note.item);
  const subject = named === null ? ok(null) : await findItem(target, named);
  if (!subject.ok) return subject;
  const there = note.head === '' ? ok(null) : await resolveCommit(target.git, note.head);
  const since = there.ok ? there.value : null;
  const listed = await commitFacts(target.git, { limit: MOST_COMMITS, ...(since === null ? {} : { since }) });
  if (!listed.ok) return listed;
  const commits = listed.value.filter(({ trailers }) => trailers['Harness-Run'] === undefined).toReversed();
  const claimed = since === null ? ok([]) : await claimedSince(target, since, subject.value?.id ?? null);
  if (!claimed.ok) return claimed;
  const isElsewhere = (branch ?? '') !== note.branch;
  return ok({
    note,
    commits,
    branch: isElsewhere ? (branch ?? '') : null,
    subject: subject.value,
    claimed: claimed.value,
  });
}

/** A single item that was handed off while others were worked on; null: it is not. */
async function handoffOfItem(target: Target, word: string | null): Promise<Handoff | null> {
  const found = word === null ? null : await findItem(target, word);
  const hold = found?.ok === true ? holdOf(target, found.value.id) : null;
  if (hold?.as !== 'handed-off') return null;
  const { since, by, head, branch, item } = hold;
  return { since, by, head, branch, item, wasPaused: isPaused(target), settled: true, session: null };
}

async function claimedSince(target: Target, since: string, but: ItemId | null): Promise<Result<readonly Subject[]>> {
  const file = target.config.paths.backlog;
  const passing = (text: string | null): readonly ItemId[] => {
    const list = target.backlog.read(text ?? '', file);
    // Items set by commands of the harness are not the user's claims.
    return list.ok ? list.value.items.filter(({ status }) => status === 'landed').map(({ id }) => id) : [];
  };
  const before = new Set(passing(await target.view.readAt(since, file)));
  const now = passing(await target.view.read(file)).filter((id) => !before.has(id) && id !== but);
  return subjectsOf(target, now);
}

export type TakebackVerdict = {
  /** Of the item's own checks; null: no item, or it has no test of its own. */
  readonly own: Verdict | null;
  /** Of the whole suite; null: none is configured. */
  readonly suite: Verdict | null;
  readonly regressions: readonly string[];
  /** Items that fail their own tests, claimed by the user or broken since. */
  readonly failing: readonly { readonly id: ItemId; readonly dependents: readonly string[] }[];
  /** The number of tests in the new baseline; null: the baseline is unchanged. */
  readonly baseline: number | null;
};

/** Runs the checks on the user's work. Takes a new baseline if there are no regressions. */
export async function reverify(
  target: Target,
  { subject, claimed }: Pick<ReturnedWork, 'subject' | 'claimed'>,
  signal: AbortSignal,
): Promise<Result<TakebackVerdict>> {
  const { config } = target;
  const run = runName(target.clock, 'v');
  return withRunLock(target, run, COMMAND, 'box', NO_WATCHER, async ({ context }) => {
    const proved = (name: string, checks: readonly CheckSpec[]): Promise<Result<Verdict | null>> =>
      checks.length === 0
        ? Promise.resolve(ok(null))
        : perform(context, { token: `${tokenBase(target)}${run}/${name}`, checks, signal });
    const own = await proved('own', ownChecks(target, subject));
    if (!own.ok) return own;
    const isWhole = own.value?.checks.some(({ name }) => name === 'full') === true;
    const suite = isWhole ? own : await proved('suite', baselineCheck(config));
    if (!suite.ok) return suite;
    const regressions = suite.value?.regressions ?? [];
    const owners = regressions.length === 0 ? ok([]) : await ownersOf(target, regressions);
    if (!owners.ok) return owners;
    const suspects = new Map<ItemId, Owner>([...claimed, ...owners.value].map((one) => [one.id, one]));
    const failing: TakebackVerdict['failing'][number][] = [];
    for (const suspect of suspects.values()) {
      const { id, dependents } = suspect;
      const checks = ownChecks(target, suspect).filter(({ name }) => name === 'feature');
      const verdict = await proved(`item-${id}`, checks);
      if (!verdict.ok) return verdict;
      if (verdict.value?.holds === false) failing.push({ id, dependents });
    }
    if (subject?.passes === true && own.value?.holds === false && regressions.length === 0)
      failing.push({ id: subject.id, dependents: subject.dependents });
    const baseline = await takeBaseline(target, context, suite.value);
    return baseline.ok
      ? ok({ own: own.value, suite: suite.value, regressions, failing, baseline: baseline.value })
      : baseline;
  });
}

const ownChecks = ({ config }: Target, subject: Pick<Subject, 'testFile' | 'proof'> | null): readonly CheckSpec[] => {
  if (subject?.proof) return featureChecks(subject, config);
  return subject === null || subject.testFile === null || config.testing.feature === null
    ? []
    : featureChecks(subject, config);
};

async function perform(
  context: RunContext,
  {
    token,
    checks,
    signal,
  }: { readonly token: string; readonly checks: readonly CheckSpec[]; readonly signal: AbortSignal },
): Promise<Result<Verdict>> {
  const ask = { kind: 'check', key: 'takeback', purpose: 'verify', session: null, checks } as const;
  const verdict = await checkPerformer(context).perform(ask, { token, epoch: 0, signal });
  if ('blocked' in verdict) return err(verdict.blocked);
  if ('parked' in verdict) throw new Bug('a check was parked');
  return ok(verdict);
}

type Owner = Pick<Subject, 'id' | 'testFile' | 'proof' | 'dependents'>;

/** The items that own these tests, by the file in their ids; if no id names a file, every passing item. */
async function ownersOf(target: Target, tests: readonly string[]): Promise<Result<readonly Owner[]>> {
  const file = target.config.paths.backlog;
  const found = await owners.read(contextOf(target), { tests });
  if (found.owners.length > 0) return ok(found.owners);
  const list = target.backlog.read((await target.view.read(file)) ?? '', file);
  const passing = list.ok ? list.value.items.filter(({ status }) => status === 'landed' || status === 'unproved') : [];
  return subjectsOf(
    target,
    passing.map(({ id }) => id),
  );
}

async function subjectsOf(target: Target, ids: readonly ItemId[]): Promise<Result<readonly Subject[]>> {
  const found: Subject[] = [];
  for (const id of ids.slice(0, MOST_PROVED)) {
    const subject = await findItem(target, id);
    if (!subject.ok) return subject;
    found.push(subject.value);
  }
  return ok(found);
}

/** Only without regressions: otherwise a broken test would be reset. */
async function takeBaseline(
  target: Target,
  context: RunContext,
  suite: Verdict | null,
): Promise<Result<number | null>> {
  if (suite === null || !suite.holds) return ok(null);
  const baseline = baselineFrom(suite, suite.tree);
  if (baseline === null) return ok(null);
  const state = readStateUnchecked(target);
  const session = state.ok ? state.value.lastSession : 0;
  const taken = await memories(context).perform(
    { kind: 'remember', key: 'takeback', what: 'baseline', session, baseline },
    { token: `${tokenBase(target)}takeback`, epoch: 0, signal: new AbortController().signal },
  );
  if ('blocked' in taken) return err(taken.blocked);
  return ok(suite.tests?.passed ?? 0);
}

/** Marks items as failing, a commit each; items already marked are skipped. */
export async function markFailing(
  target: Target,
  items: TakebackVerdict['failing'],
): Promise<Result<readonly ChangeResult[]>> {
  const made: ChangeResult[] = [];
  for (const { id } of items) {
    const subject = await findItem(target, id);
    if (!subject.ok) return subject;
    if (subject.value.failing !== null && !subject.value.passes) continue;
    const change = { type: 'failing', why: 'found failing when the work was taken back' } as const;
    const changed = await decide(target, subject.value, change, `fix(harness): #${id} does not hold any more`, COMMAND);
    if (!changed.ok) return changed;
    made.push(changed.value);
  }
  return ok(made);
}

/** Records the user's name and the evidence. An open gate of the item, asked before its session, is withdrawn. */
export async function markDone(target: Target, subject: Subject, verdict: Verdict): Promise<Result<ChangeResult>> {
  if (subject.passes) return ok({ result: 'already' });
  const { sessions } = await readActiveSessions(target.workspaceDir);
  if (sessions.length > 0) {
    const reset = await resetLoop(target, 'taken-back');
    if (!reset.ok) return reset;
  }
  const evidence = verdict.evidence?.replace(/^.*\/(?=harness\/evidence\/)/, '.git/') ?? '';
  const reason = askedBefore(target, subject.id) ?? (evidence === '' ? BY_HAND : `${BY_HAND} (evidence: ${evidence})`);
  const [by, at] = [await userNameOf(target), target.clock.iso()];
  const change = { type: 'overridden', passes: true, reason, by, at } as const;
  return decide(target, subject, change, `chore(harness): #${subject.id} is done by hand and verified`, COMMAND);
}

/** The reason of an interrupted mark: with the same reason it is the same change. */
function askedBefore(target: Target, item: ItemId): string | null {
  const asked = pendingChanges(target).findLast((one) => one.item === item && one.edit.name === 'flag');
  const change = asked?.edit.name === 'flag' ? asked.edit.input.change : undefined;
  return change?.type === 'overridden' && change.passes && change.reason.startsWith(BY_HAND) ? change.reason : null;
}

/** Ends the handoff. The session of an item that is done is not continued. */
export async function finishTakeback(target: Target, note: Handoff): Promise<Result<null>> {
  const state = readStateUnchecked(target);
  const current = state.ok ? state.value.current : null;
  if (current !== null) {
    const subject = await findItem(target, current);
    if (subject.ok && subject.value.passes) resetSessionState(target, 0);
  }
  if (!note.wasPaused) clearPaused(target);
  dropHandoff(target);
  if (note.item !== null) dropHold(target, note.item);
  return ok(null);
}
