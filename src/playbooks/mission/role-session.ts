// A session of a role of the mission: what its last message notes for the others goes into the memory.
import type { Run } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import type { Config } from '../../model/config.ts';
import type { Failure } from '../../model/failure.ts';
import type { EarlyEnd } from '../session/item/kind.ts';
import { askRole as askSession, type RoleAnswer, type RoleAsk } from '../session/role-session.ts';
import { notesIn } from './notes.ts';

export const askRole = <T>(run: Run<Actions>, ask: RoleAsk<T>, config: Config): Promise<RoleAnswer<T>> =>
  askSession(run, { notes: notesIn, ...ask }, config);

/** A role before the worker's session whose agent is not available: the loop waits and tries again. */
export const unavailable = (why: Failure): EarlyEnd => ({
  result: why.policy === 'needs-human' ? 'blocked' : 'partial',
  reason: why.reason,
  failure: why,
});
