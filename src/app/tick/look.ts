// What the daemon sees: files of the repository, the run lock, and the base branch of the remote. Changes nothing and takes no lock.
import { join } from 'node:path';
import { openGates, type Gates } from '../../gates/store.ts';
import { lockOwner } from '../../host/lock.ts';
import { holdsIn } from '../../loop/holds.ts';
import type { Failure } from '../../model/failure.ts';
import { ok, type Result } from '../../model/result.ts';
import { workspaceOf } from '../../repos/folders.ts';
import { resolveCommit } from '../../repos/head.ts';
import { remoteRefs } from '../../repos/remote-refs.ts';
import { openForge } from '../forge/open.ts';
import { pendingChanges } from '../list/pending.ts';
import { isAbortUnfinished, isFrozen, isHandedOff, isInitUnfinished, isPaused } from '../open/run-blockers.ts';
import { contextOf, type Target } from '../open/target.ts';
import { itemAtWork, waitingFor } from '../open/unfinished-sessions.ts';
import type { DeepSight, Seen } from './decide.ts';
import { delayedNow, type TickRecord } from './record.ts';
import { readSwitch } from './switch.ts';

/** What needs no git and no network. */
export function glance(target: Target, record: TickRecord): Omit<Seen, 'deep'> {
  const { config, clock, workspaceDir } = target;
  const power = readSwitch(target);
  const { rest, sinceFidelity } = record;
  const { everyNPlans } = config.fidelity;
  const resumed = sinceOf(power);
  return {
    now: clock.now(),
    isOn: power?.is === 'on',
    held: heldBy(target),
    isLive: lockOwner(workspaceDir) !== null,
    pollMs: config.daemon.pollSeconds * 1_000,
    restUntil: rest === null || Date.parse(rest.since) < resumed ? 0 : Date.parse(rest.until),
    fidelityDue: everyNPlans > 0 && sinceFidelity >= everyNPlans,
  };
}

export function heldBy(target: Target): Seen['held'] {
  if (isInitUnfinished(target) || isAbortUnfinished(target)) return 'unfinished';
  if (isFrozen(target)) return 'frozen';
  if (isHandedOff(target)) return 'handed-off';
  return isPaused(target) ? 'paused' : null;
}

const sinceOf = (power: ReturnType<typeof readSwitch>): number => (power === null ? 0 : Date.parse(power.since));

export type Looked = DeepSight & {
  /** Where the base branch of the remote is; null: it cannot be asked. */
  readonly tip: string | null;
  /** Why it cannot. */
  readonly failure: Failure | null;
};

export const gatesOf = (target: Target): Gates => {
  const { privateDir, io, clock } = target;
  return openGates({ dir: join(privateDir, 'gates'), io, clock, workspace: workspaceOf(target) });
};

/** Fails where gates or the loop's file cannot be read. */
export async function lookDeep(target: Target, record: TickRecord): Promise<Result<Looked>> {
  const { config, clock, workspaceDir } = target;
  const gates = gatesOf(target);
  const open = gates.list({ open: true, own: true });
  if (!open.ok) return open;
  const whole = open.value.map(({ gate }) => gate).find(({ item }) => item === null);
  const waits = waitingFor(workspaceDir);
  const isAnswered = (id: string): boolean => {
    const found = gates.find(id);
    return found.ok && found.value !== null && found.value.closed !== null;
  };
  const answered = waits.find(({ gate }) => isAnswered(gate))?.item ?? null;
  const delayed = delayedNow(record, clock.now(), sinceOf(readSwitch(target)));
  const taken = [...waits, ...holdsIn(target)].map(({ item }) => item);
  const facts = await target.machine.next.read(contextOf(target), { only: null, taken: [...taken, ...delayed.plans] });
  const base = await baseTip(target);
  const current = itemAtWork(workspaceDir);
  return ok({
    underWay: current ?? answered,
    isStalled: current !== null && delayed.plans.includes(current),
    next: facts.next,
    isMoved: base.ok ? base.value.isMoved : null,
    isAsked: pendingChanges(target).length > 0,
    question: whole === undefined ? null : questionOf(whole),
    retries: {
      done: record.retries,
      most: config.daemon.maxRateLimitRetries,
      afterMs: config.daemon.rateLimitBackoffMs,
    },
    delayedUntil: delayed.until,
    tip: base.ok ? base.value.tip : null,
    failure: base.ok ? facts.failure : base.failure,
  });
}

const questionOf = ({
  id,
  subject,
  since,
}: {
  readonly id: string;
  readonly subject: string;
  readonly since: string;
}) => ({
  gate: id,
  isOutage: subject === 'agent-unavailable',
  since: Date.parse(since),
});

export async function baseTip(target: Target): Promise<Result<{ readonly tip: string; readonly isMoved: boolean }>> {
  const opened = await openForge(target);
  if (!opened.ok) return opened;
  const { remote, url, baseBranch } = opened.value;
  const ref = `refs/heads/${baseBranch}`;
  const refs = await remoteRefs(target.git, { remote, url, refs: [ref] });
  if (!refs.ok) return refs;
  const here = await resolveCommit(target.git, ref);
  if (!here.ok) return here;
  const tip = refs.value.get(ref) ?? '';
  return ok({ tip, isMoved: tip !== here.value });
}

/** Merged items by the list as it is now; null: it cannot be read. */
export async function mergedIn({ view, backlog, config }: Target): Promise<readonly string[] | null> {
  const file = config.paths.backlog;
  const text = await view.read(file);
  const list = text === null ? null : backlog.read(text, file, { allowCycles: true });
  return list?.ok === true ? list.value.items.filter(({ status }) => status === 'landed').map(({ id }) => id) : null;
}
