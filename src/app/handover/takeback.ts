// Taking the work back from a person: what they did, whether it holds by the harness's own checks, and the state brought in line.
// Each part can be done again: what was marked is not marked twice, what was settled stays.

import { checks as checkPerformer } from '../../loop/performers/check.ts';
import { memories } from '../../loop/performers/remember.ts';
import type { RunContext } from '../../loop/run-context.ts';
import type { CheckSpec } from '../../model/action.ts';
import { Bug } from '../../model/bug.ts';
import { failure, filesNamed } from '../../model/failure.ts';
import type { ItemId } from '../../model/item.ts';
import { err, ok, type Result } from '../../model/result.ts';
import type { Verdict } from '../../model/verdict.ts';
import type { CommitFacts } from '../../model/repository-view.ts';
import { baselineCheck, featureChecks } from '../../playbooks/session/checks.ts';
import { baselineFrom } from '../../playbooks/session/verdicts.ts';
import { commitFacts } from '../../repos/history.ts';
import { resolveCommit } from '../../repos/head.ts';
import { apply, decide, personOf, queued, type Changed } from '../backlog/changes.ts';
import { findItem, type Subject } from '../backlog/find-item.ts';
import { forgetLoop, writeFresh } from '../run/reset-loop.ts';
import { settleHandoff } from './handoff.ts';
import { dropHandoff, readHandoff, type Handoff, clearPaused } from '../open/run-blockers.ts';
import { glanceAtState } from '../look/last-session.ts';
import { readLanes } from '../look/active-sessions.ts';
import { tokenBase, withLane } from '../open/run-lock.ts';
import { runName } from '../open/run-name.ts';
import { owners } from '../../playbooks/session/surveys.ts';
import { contextOf, type Target } from '../open/target.ts';

const SILENT = { event: () => undefined, agent: () => undefined };
const COMMAND = 'harness takeback';
/** How the reason of a mark begins that this command made. */
const BY_HAND = 'done by hand, verified by harness takeback';

export type Returned = {
  readonly note: Handoff;
  /** The person's own commits, oldest first. */
  readonly commits: readonly CommitFacts[];
  /** Another branch than the one that was handed off; null: the same. */
  readonly branch: string | null;
  /** What is to be proved: the item in progress, or the one that was named. */
  readonly subject: Subject | null;
  /** Features that the person set to passing themselves. */
  readonly claimed: readonly Subject[];
};

const MOST_COMMITS = 1_000;
/** So many items are proved one by one. */
const MOST_PROVED = 50;

/** Null: nothing is handed off. Fails with `dirty-tree` where what is not committed could not be told from what is. */
export async function lookAtReturned(target: Target, word: string | null): Promise<Result<Returned | null>> {
  const begun = readHandoff(target);
  if (begun === null) return ok(null);
  const settled = begun.settled ? ok(begun) : await settleHandoff(target, begun);
  if (!settled.ok) return settled;
  const note = settled.value;
  // What was asked for and is not in the list yet, or half in it, is no edit of the person's.
  const made = queued(target).length === 0 ? ok(null) : await apply(target, null, COMMAND);
  if (!made.ok) return made;
  const { dirty, branch } = await target.view.head();
  // What is not committed is a workflow's own, and its next step proves whatever a person left.
  const provesItself = target.playbook.oneTask !== undefined;
  if (dirty.length > 0 && !provesItself) return err(failure('dirty-tree', filesNamed(dirty)));
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

async function claimedSince(target: Target, since: string, but: ItemId | null): Promise<Result<readonly Subject[]>> {
  const file = target.config.paths.backlog;
  const passing = (text: string | null): readonly ItemId[] => {
    const list = target.backlog.read(text ?? '', file);
    // What a decision of the harness's own commands set is not the person's claim.
    return list.ok ? list.value.items.filter(({ status }) => status === 'landed').map(({ id }) => id) : [];
  };
  const before = new Set(passing(await target.view.readAt(since, file)));
  const now = passing(await target.view.read(file)).filter((id) => !before.has(id) && id !== but);
  return subjectsOf(target, now);
}

export type Reverified = {
  /** Of the item's own checks; null: there is no item, or no test of its own. */
  readonly own: Verdict | null;
  /** Of everything that held before; null: nothing is set to be run. */
  readonly suite: Verdict | null;
  readonly regressions: readonly string[];
  /** Items that do not hold any more, or do not hold though a person says so, by their own tests. */
  readonly failing: readonly { readonly id: ItemId; readonly dependents: readonly string[] }[];
  /** How many tests must hold from now on; null: the baseline stays as it was. */
  readonly baseline: number | null;
};

/** The harness's own checks over what the person left. Takes the baseline anew where nothing went back. */
export async function reverify(
  target: Target,
  { subject, claimed }: Pick<Returned, 'subject' | 'claimed'>,
  signal: AbortSignal,
): Promise<Result<Reverified>> {
  const { config } = target;
  const run = runName(target.clock, 'v');
  return withLane(target, run, COMMAND, 'box', SILENT, async ({ lane }) => {
    const proved = (name: string, checks: readonly CheckSpec[]): Promise<Result<Verdict | null>> =>
      checks.length === 0
        ? Promise.resolve(ok(null))
        : perform(lane, { token: `${tokenBase(target)}${run}/${name}`, checks, signal });
    const own = await proved('own', ownChecks(target, subject));
    if (!own.ok) return own;
    const isWhole = own.value?.checks.some(({ name }) => name === 'full') === true;
    const suite = isWhole ? own : await proved('suite', baselineCheck(config));
    if (!suite.ok) return suite;
    const regressions = suite.value?.regressions ?? [];
    const owners = regressions.length === 0 ? ok([]) : await ownersOf(target, regressions);
    if (!owners.ok) return owners;
    const suspects = new Map<ItemId, Owner>([...claimed, ...owners.value].map((one) => [one.id, one]));
    const failing: Reverified['failing'][number][] = [];
    for (const suspect of suspects.values()) {
      const { id, dependents } = suspect;
      const checks = ownChecks(target, suspect).filter(({ name }) => name === 'feature');
      const verdict = await proved(`item-${id}`, checks);
      if (!verdict.ok) return verdict;
      if (verdict.value?.holds === false) failing.push({ id, dependents });
    }
    if (subject?.passes === true && own.value?.holds === false && regressions.length === 0)
      failing.push({ id: subject.id, dependents: subject.dependents });
    const baseline = await takeBaseline(target, lane, suite.value);
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
  lane: RunContext,
  {
    token,
    checks,
    signal,
  }: { readonly token: string; readonly checks: readonly CheckSpec[]; readonly signal: AbortSignal },
): Promise<Result<Verdict>> {
  const ask = { kind: 'check', key: 'takeback', purpose: 'verify', session: null, checks } as const;
  const verdict = await checkPerformer(lane).perform(ask, { token, epoch: 0, signal });
  if ('blocked' in verdict) return err(verdict.blocked);
  if ('parked' in verdict) throw new Bug('a check waits for nobody');
  return ok(verdict);
}

type Owner = Pick<Subject, 'id' | 'testFile' | 'proof' | 'dependents'>;

/** Whose tests these are, by the file in their ids; where no id names one, every feature that passes may be it. */
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

/** Only where everything that held before still does: a test that broke would be forgotten. */
async function takeBaseline(target: Target, lane: RunContext, suite: Verdict | null): Promise<Result<number | null>> {
  if (suite === null || !suite.holds) return ok(null);
  const baseline = baselineFrom(suite, suite.tree);
  if (baseline === null) return ok(null);
  const state = glanceAtState(target);
  const session = state.ok ? state.value.lastSession : 0;
  const taken = await memories(lane).perform(
    { kind: 'remember', key: 'takeback', what: 'baseline', session, baseline },
    { token: `${tokenBase(target)}takeback`, epoch: 0, signal: new AbortController().signal },
  );
  if ('blocked' in taken) return err(taken.blocked);
  return ok(suite.tests?.passed ?? 0);
}

/** Marks what does not hold, each with a commit of its own; those that say so already are left alone. */
export async function markFailing(target: Target, items: Reverified['failing']): Promise<Result<readonly Changed[]>> {
  const made: Changed[] = [];
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

/** With the person's name and the evidence on the item. A question about it, asked before its session, is withdrawn. */
export async function markDone(target: Target, subject: Subject, verdict: Verdict): Promise<Result<Changed>> {
  if (subject.passes) return ok({ result: 'already' });
  const { underWay } = await readLanes(target.privateDir);
  if (underWay.length > 0) {
    const forgotten = await forgetLoop(target, 'taken-back');
    if (!forgotten.ok) return forgotten;
  }
  const evidence = verdict.evidence?.replace(/^.*\/(?=harness\/evidence\/)/, '.git/') ?? '';
  const reason = askedBefore(target, subject.id) ?? (evidence === '' ? BY_HAND : `${BY_HAND} (evidence: ${evidence})`);
  const [by, at] = [await personOf(target), target.clock.iso()];
  const change = { type: 'overridden', passes: true, reason, by, at } as const;
  return decide(target, subject, change, `chore(harness): #${subject.id} is done by hand and verified`, COMMAND);
}

/** The words of a mark that a death kept from being made: asked in the same words, it is the same change. */
function askedBefore(target: Target, item: ItemId): string | null {
  const asked = queued(target).findLast((one) => one.item === item && one.edit.name === 'flag');
  const change = asked?.edit.name === 'flag' ? asked.edit.input.change : undefined;
  return change?.type === 'overridden' && change.passes && change.reason.startsWith(BY_HAND) ? change.reason : null;
}

/** The harness has the work again. A session whose item is done is not gone on with. */
export async function settleReturned(target: Target, note: Handoff): Promise<Result<null>> {
  const state = glanceAtState(target);
  const current = state.ok ? state.value.current : null;
  if (current !== null) {
    const subject = await findItem(target, current);
    if (subject.ok && subject.value.passes) writeFresh(target, 0);
  }
  if (!note.wasPaused) clearPaused(target);
  dropHandoff(target);
  return ok(null);
}
