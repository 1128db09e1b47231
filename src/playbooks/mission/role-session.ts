// A session of a role of the mission: what its last message notes for the others goes into the memory.
import type { Run } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import type { Config } from '../../model/config.ts';
import { askRole as askSession, type RoleAnswer, type RoleAsk } from '../session/role-session.ts';
import { notesIn } from './notes.ts';

export const askRole = <T>(run: Run<Actions>, ask: RoleAsk<T>, config: Config): Promise<RoleAnswer<T>> =>
  askSession(run, { notes: notesIn, ...ask }, config);
