// One run: from lock to release. Finds and ends what an earlier life left, then drives the loop's machine to its end.
import { join } from 'node:path';
import { drive, type DriveEnd } from '../engine/driver.ts';
import { createMailbox, type Mailbox } from '../engine/mailbox.ts';
import type { External } from '../engine/types.ts';
import { readText } from '../host/files.ts';
import { emptyLoop, loopMachine, type ItemReport, type LoopFile } from '../loop/machine.ts';
import type { RunMode, RunResult } from '../model/run.ts';
import { performersOf } from '../loop/performers/all.ts';
import type { Failure } from '../model/failure.ts';
import { failure } from '../model/failure.ts';
import type { Json } from '../model/json.ts';
import { err, ok, type Result } from '../model/result.ts';
import { done, waiting, watchInbox } from './inbox.ts';
import { isInitUnfinished } from './init.ts';
import { usableRoles } from './roles.ts';
import type { Watcher } from './lane.ts';
import { tokenBase, withLane } from './life.ts';
import { runName } from './run-name.ts';
import { isPaused, setPaused } from './steering.ts';
import type { Target } from './target.ts';

export type RunReport = {
  readonly run: string;
  readonly result: RunResult;
  readonly reason: string;
  readonly failure: Failure | null;
  readonly items: readonly ItemReport[];
  /** Gates that the run waits at. */
  readonly gates: readonly string[];
  /** What people asked for and the run applied, by message; `commit` is null where it was so already. */
  readonly applied: readonly { readonly id: string; readonly commit: string | null }[];
};
export type RunControl = { readonly mailbox: Mailbox; readonly stop: AbortController };
export const createControl = (): RunControl => ({ mailbox: createMailbox(), stop: new AbortController() });

export async function runLoop(
  target: Target,
  mode: RunMode,
  command: string,
  control: RunControl,
  watcher: Watcher,
): Promise<Result<RunReport>> {
  const [needed] = target.needed;
  if (mode.work && needed) return err(needed);
  if (isInitUnfinished(target)) return err(failure('init-unfinished'));
  if (mode.work && isPaused(target)) return err(failure('paused'));
  const run = runName(target.clock, mode.work ? 'r' : 'c');
  return withLane(target, run, command, watcher, async ({ lane }) => {
    const roles = mode.work ? await usableRoles(lane, target.playbook.roles) : ok(null);
    if (!roles.ok) return roles;
    // Driving on would let go of the session under way; what people asked for waits in the inbox until it is over.
    if (!mode.work && isInterrupted(target))
      return ok({ ...nothing(run), result: 'blocked', reason: 'session-interrupted' });
    const posted = new Set<string>();
    const inbox = watchInbox(target.privateDir, () => read(target, control, { run, posted }));
    try {
      const { features, stateDir } = target.config.paths;
      const machine = loopMachine(mode, run, { features, stateDir });
      const end = await drive(machine, () => emptyLoop(run), {
        io: target.io,
        clock: target.clock,
        performers: performersOf(lane, control.mailbox),
        journal: join(target.privateDir, 'loop.jsonl'),
        file: join(target.privateDir, 'loop.json'),
        base: `${tokenBase(target)}${run}`,
        mailbox: settling(control.mailbox, (id) => done(target.privateDir, target.io, id)),
        signal: control.stop.signal,
        limit: 1,
      });
      return ok(reportOf(run, end));
    } finally {
      inbox.close();
    }
  });
}

/** What people posted becomes messages of the loop. A change stays in the inbox until the loop has written it down. */
function read(
  target: Target,
  control: RunControl,
  { run, posted }: { readonly run: string; readonly posted: Set<string> },
): void {
  for (const { id, message } of waiting(target.privateDir)) {
    if (message.type === 'change') {
      if (!posted.has(id)) {
        const body = { subject: message.subject, item: message.item, edit: message.edit } as unknown as Json;
        control.mailbox.post({ type: 'message', id, body }, 'here');
      }
      posted.add(id);
      continue;
    }
    if (message.run === null || message.run === run) {
      if (message.type === 'pause') {
        setPaused(target);
        control.mailbox.post({ type: 'pause' });
      } else if (message.now) control.stop.abort();
      else control.mailbox.post({ type: 'pause' }, 'here');
    }
    done(target.privateDir, target.io, id);
  }
}

/** The loop asks for the next message after it has stored the one before: only then may that one be forgotten. */
function settling(mailbox: Mailbox, settle: (id: string) => void): Mailbox {
  let last: External | undefined;
  return {
    ...mailbox,
    take() {
      if (last?.type === 'message') settle(last.id);
      last = mailbox.take();
      return last;
    },
  };
}

/** A session is under way that no process works on: the next run takes it up. */
function isInterrupted(target: Target): boolean {
  const text = readText(join(target.privateDir, 'loop.json'));
  if (!text.ok || text.value === null) return false;
  try {
    return ((JSON.parse(text.value) as Partial<LoopFile>).running ?? []).length > 0;
  } catch {
    return false; // the driver says what is wrong with it
  }
}

const nothing = (run: string) => ({ run, failure: null, items: [], gates: [], applied: [] });

function reportOf(run: string, end: DriveEnd): RunReport {
  const none = nothing(run);
  switch (end.end) {
    case 'verdict': {
      const state = end.state as {
        file: LoopFile;
        at: { failure?: Failure | null };
        mem: { applied: RunReport['applied'] };
      };
      return {
        ...none,
        result: end.verdict as RunResult,
        reason: end.reason,
        failure: state.at.failure ?? null,
        items: state.file.reports,
        applied: state.mem.applied,
      };
    }
    case 'waiting':
      return { ...none, result: 'gate', reason: 'gate', gates: end.on };
    case 'stopped':
      return { ...none, result: 'paused', reason: 'stopped' };
    case 'blocked':
      return { ...none, result: 'blocked', reason: end.failure.reason, failure: end.failure };
  }
}
