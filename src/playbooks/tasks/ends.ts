// How a session on a task ends: landed, saved, rolled back. The books are files of the harness's own, so that no commit carries them.
import type { Run } from '../../engine/types.ts';
import type { Actions, Checkpoint, CheckSpec } from '../../model/action.ts';
import type { Config } from '../../model/config.ts';
import { ask } from '../session/asks.ts';
import type { Books } from '../session/books.ts';
import { land, reject, save, type CloseInput } from '../session/endings.ts';
import type { Accepted, CutReason, Holding, Put, Rejection } from '../session/facts.ts';
import type { TaskFacts } from './facts.ts';
import { merged, type HeardCheckpoint } from './notes.ts';
import type { Back, Heard } from './positions.ts';

type R = Run<Actions>;
type Closing = CloseInput & { readonly facts: TaskFacts };

/** No commit carries the list or the log. */
export const OWN_BOOKS: Books = {
  role: () => 'executor',
  claimedIn: () => [],
  accepting: () => null,
  logging: () => null,
  blame: () => Promise.resolve([]),
};

export const acceptTask = async (
  run: R,
  input: Closing & Holding,
  config: Config,
  books = OWN_BOOKS,
): Promise<Accepted & Heard> => ({
  ...(await land(run, input, config, books)),
  ...(await heardIn(run, input, config)),
});

export const saveTask = async (
  run: R,
  input: Closing & { readonly why: CutReason },
  config: Config,
): Promise<Put & Heard> => ({
  ...(await save(run, input, config, OWN_BOOKS)),
  ...(await heardIn(run, input, config)),
});

/** What the agent told of its progress, with what the list has already. */
async function heardIn(run: R, { facts, session }: Closing, config: Config): Promise<Heard> {
  const input = { stateDir: config.paths.stateDir, session };
  const { heard } = await ask<{ readonly heard: readonly HeardCheckpoint[] }>(run, 'heard', input);
  return { checkpoints: merged(facts.task.checkpoints, heard) };
}

/**
 * Back to where the task began (reference 003, Record outcome): all commits and files since, then the task's cleanup command. What was
 * there is kept under a private ref first.
 */
export async function undoTask(
  run: R,
  input: Closing & { readonly why: Rejection; readonly cleansUp: boolean },
  config: Config,
): Promise<Back> {
  const checkpoint = await baseOf(run, input);
  const { usage, attempt = null } = await reject(run, { ...input, checkpoint }, config, OWN_BOOKS);
  const command = input.cleansUp ? input.facts.task.cleanup : null;
  const cleaned =
    command === null ||
    (await run.do('cleanup', { kind: 'check', purpose: 'cleanup', session: null, checks: [cleanup(command, config)] }))
      .holds;
  const { checkpoints } = await heardIn(run, input, config);
  return { usage, base: checkpoint.head, attempt, isCleanupFailing: !cleaned, checkpoints };
}

/** A session that goes on with saved work began later than its task. */
async function baseOf(run: R, { facts, checkpoint, session }: Closing): Promise<Checkpoint> {
  const { base } = facts.task;
  if (facts.partial === null || base === null || checkpoint.head.startsWith(base)) return checkpoint;
  return run.do('base', { kind: 'checkpoint', session, item: facts.id, why: 'task_base', of: base });
}

const cleanup = (command: string, config: Config): CheckSpec => ({
  name: 'cleanup',
  command,
  runner: null,
  needsTests: false,
  timeoutMs: Math.round(config.environment.timeoutMinutes * 60_000),
  weight: 'environment',
  against: null,
});
