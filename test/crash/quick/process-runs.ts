// A run of the quick grid: the product's target, lock, sweeps, context, performers, machines and git. Only the agent's process and
// the programs of checks are played in this process.
import { join } from 'node:path';
import { backlogPathOf, openTarget, type Target } from '../../../src/app/open/target.ts';
import { openForge } from '../../../src/app/forge/open.ts';
import { endRunLog, startRunLog } from '../../../src/app/open/run-log.ts';
import { done, waiting } from '../../../src/app/list/inbox.ts';
import { tokenBase, withRunLock } from '../../../src/app/open/run-lock.ts';
import { initJournal, isInitUnfinished } from '../../../src/app/open/run-blockers.ts';
import { runName } from '../../../src/app/open/run-name.ts';
import { drive } from '../../../src/engine/driver.ts';
import { createMessageQueue } from '../../../src/engine/message-queue.ts';
import type { Clock, Sleeper } from '../../../src/host/clock.ts';
import type { Io } from '../../../src/host/io.ts';
import type { RunContext } from '../../../src/loop/run-context.ts';
import { loopMachine, STOP_AFTER_SESSION } from '../../../src/loop/machine.ts';
import { performersOf } from '../../../src/loop/performers/all.ts';
import { endWaits } from '../../../src/loop/records/waits.ts';
import { emptyLoop } from '../../../src/loop/run-file.ts';
import type { Json } from '../../../src/model/json.ts';
import { ok, type Result } from '../../../src/model/result.ts';
import type { RunMode } from '../../../src/model/run.ts';
import type { FixtureProject } from '../fixture-project.ts';
import { playing, type Script } from './agents.ts';
import { paperBox } from './box.ts';

const NOON = Date.parse('2099-01-01T12:00:00.000Z');
/** A wait is over at once: sleeping moves the clock. `isTicking`: each look at it is a second later. */
function ownTime(isTicking: boolean): { readonly clock: Clock; readonly sleep: Sleeper } {
  let nowMs = NOON;
  let looks = isTicking ? (ticks += HOUR) : 0;
  const iso = (): string => new Date(NOON + (isTicking ? (looks += SECOND) : 0)).toISOString();
  return { clock: { now: () => nowMs, iso }, sleep: async (ms) => void (nowMs += ms) };
}
const SECOND = 1_000;
/** No run makes so many looks: each begins later than the one before it ended. */
const HOUR = 3_600_000;
let ticks = 0;

export type QuickRun = {
  readonly script: Script;
  readonly mode?: Partial<RunMode>;
  readonly midway?: () => void;
  /** Otherwise the clock is stopped, so that texts with a time in them are the same in every run. */
  readonly isTicking?: boolean;
  /** The run begins with the plan, where there is no list yet. */
  readonly spec?: string;
};

export async function runQuickly(
  shop: FixtureProject,
  io: Io,
  about: QuickRun,
): Promise<Result<{ readonly reason: string }>> {
  const time = ownTime(about.isTicking ?? false);
  const target = await openTarget(
    { repo: shop.root, configFile: null },
    {
      io,
      ...time,
      personDir: join(shop.top, 'person'),
    },
  );
  if (!target.ok) return target;
  const run = runName(time.clock, 'r');
  const silent = { event: () => undefined, agent: () => undefined };
  return withRunLock(
    target.value,
    run,
    'harness run',
    'no-box',
    silent,
    ({ context }) => work(target.value, context, shop, about),
    'agents',
  );
}

async function work(
  target: Target,
  open: RunContext,
  shop: FixtureProject,
  { script, mode, midway = () => undefined, spec }: QuickRun,
): Promise<Result<{ readonly reason: string }>> {
  const messages = createMessageQueue();
  const stop = new AbortController();
  const context: RunContext = {
    ...open,
    isUnattended: true,
    box: paperBox(open.root),
    openBoxAt: (root) => Promise.resolve(paperBox(root)),
    openForge: (signal) => openForge(target, signal),
    sessions: playing(open.sessions, shop, script, { midway, hear: open.notifyAgentEvent, messages, stop }),
  };
  const planned = spec === undefined ? null : await plan(target, context, spec, stop.signal);
  if (planned !== null) return planned;
  for (const { id, message } of waiting(target.workspaceDir)) {
    const forget = (): void => done(target.workspaceDir, target.io, id);
    if (message.type === 'change') {
      const { subject, item, edit } = message;
      messages.post({ type: 'message', id, body: { subject, item, edit } as unknown as Json }, forget);
    } else if (message.type === 'pause') messages.post({ type: 'pause' }, forget);
    else messages.post({ type: 'message', id, body: STOP_AFTER_SESSION }, forget);
  }
  const whole: RunMode = { work: true, only: null, untilDone: true, maxSessions: 12, maxItems: null, ...mode };
  const books = await startRunLog(context, whole, null);
  if (!books.ok) return books;
  if (books.value.limit !== null) return ok({ reason: books.value.limit });
  const end = await drive(
    loopMachine(books.value.mode, { path: backlogPathOf(context), machine: context.machine }),
    () => emptyLoop(context.run),
    {
      io: target.io,
      clock: target.clock,
      performers: performersOf(context, messages),
      journal: join(target.workspaceDir, 'loop.jsonl'),
      file: join(target.workspaceDir, 'loop.json'),
      base: `${tokenBase(target)}${context.run}`,
      messages,
      signal: stop.signal,
      limit: 1,
    },
  );
  const closed = await endRunLog(context);
  if (!closed.ok) return closed;
  if (end.end === 'verdict') endWaits(context);
  if (end.end === 'blocked') return { ok: false, failure: end.failure };
  return ok({ reason: end.end === 'verdict' ? end.reason : end.end === 'waiting' ? 'gate' : 'stopped' });
}

/** As `harness run` begins where the list is missing (src/app/setup/init.ts). null: there is a plan, and the run continues. */
async function plan(
  target: Target,
  context: RunContext,
  text: string,
  signal: AbortSignal,
): Promise<Result<{ readonly reason: string }> | null> {
  const isThere = (await target.view.stat(target.config.paths.backlog)) !== null;
  if (isThere && !isInitUnfinished(target)) return null;
  const { fromSpec } = await target.playbook.load();
  if (!('start' in fromSpec)) throw new Error('the playbook plans');
  const journal = initJournal(target.workspaceDir);
  const ledger = join(target.stateDir, target.machine.ledger);
  const end = await fromSpec.start({ path: null, text, beside: null, isFirst: true }).drive({
    io: target.io,
    clock: target.clock,
    performers: performersOf(context, createMessageQueue()),
    journal,
    file: ledger,
    base: `${target.workspaceDir}#${context.run}`,
    messages: createMessageQueue(),
    signal,
    limit: 1,
  });
  if (end.end === 'blocked') return { ok: false, failure: end.failure };
  if (end.end !== 'outcome') return ok({ reason: 'stopped' });
  target.io.remove(journal);
  if (end.outcome.result === 'landed') return null;
  target.io.remove(ledger);
  return ok({ reason: end.outcome.reason });
}
