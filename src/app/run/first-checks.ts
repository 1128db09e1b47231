// What can be seen before anything costs time: whether an agent for the next session is installed and has a login. Asks no provider.
import { unusableAgent } from '../../loop/agent.ts';
import type { Failure } from '../../model/failure.ts';
import type { RunMode } from '../../model/run.ts';
import { askNext, contextOf, type Target } from '../open/target.ts';
import { isItemUnderWay } from '../open/unfinished-sessions.ts';
import type { TapeRequest } from './tape.ts';

/** Null: nothing is in the way, or the run itself finds out, since it does something else first. */
export async function firstCheck(target: Target, mode: RunMode, tape: TapeRequest): Promise<Failure | null> {
  const isPlayed = tape.record || tape.file !== null;
  if (!mode.work || mode.onlyLooks === true || isPlayed || isItemUnderWay(target.workspaceDir)) return null;
  const { next, session, failure } = await askNext(target, mode.only);
  if (next === null || failure) return null;
  const opening = await target.machine.opening(contextOf(target), { item: next, session });
  return opening.ok ? unusableAgent(target.config, opening.value.ask.role) : null;
}
