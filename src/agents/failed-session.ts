// A session that could not be started: every turn of it reports why.
import type { Failure } from '../model/failure.ts';
import { NO_USAGE } from '../model/usage.ts';
import type { AgentSession } from './port.ts';

export const failedSession = (why: Failure): AgentSession => ({
  id: () => null,
  turn: () => Promise.resolve({ end: 'agent-failed', failure: why, text: '', usage: NO_USAGE }),
  inject: () => Promise.resolve('unsupported'),
  abort: () => Promise.resolve(),
  close: () => Promise.resolve(),
});
