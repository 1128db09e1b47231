// session_state.json as of a project that nothing is in the middle of. The number of the last session stays: records of sessions
// are kept by it. So does every field that nobody here knows.
import { join } from 'node:path';
import { readText } from '../../host/files.ts';
import { emptySessionState, NOTHING_UNDER_WAY } from '../../playbooks/session/session-state.ts';
import { STATE_FILE } from '../look/last-session.ts';
import { numberAt, plainObject } from '../open/loose-json.ts';
import type { Target } from '../open/target.ts';

/** `least`: no session before this number is the next. Where there is no state and was no session, none is made. */
export function writeFresh({ io, clock, stateDir }: Target, least: number): void {
  const file = join(stateDir, STATE_FILE);
  const text = readText(file);
  const known = plainObject(text.ok ? text.value : null);
  if (known === null && least === 0 && text.ok && text.value === null) return;
  const last_session = Math.max(least, numberAt(known, 'last_session') ?? 0);
  const isFresh = Object.entries(NOTHING_UNDER_WAY).every(([name, value]) => known?.[name] === value);
  if (isFresh && known?.['last_session'] === last_session) return;
  const state = { ...(known ?? emptySessionState('')), last_session, ...NOTHING_UNDER_WAY, timestamp: clock.iso() };
  io.replace(file, `${JSON.stringify(state, null, 2)}\n`);
}
