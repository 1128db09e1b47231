// Resets the loop: its position, the journals of items and procedures, their open gates, and the session state. Requested
// changes that are not applied yet are kept. Idempotent.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openGates } from '../../gates/store.ts';
import { readText } from '../../host/files.ts';
import { forgetState } from '../../loop/records/kept-state.ts';
import { ok, type Result } from '../../model/result.ts';
import { workspaceOf } from '../../repos/folders.ts';
import { takenChanges, waiting, type InboxMessage } from '../list/inbox.ts';
import type { Target } from '../open/target.ts';
import { parkedItems } from '../open/unfinished-sessions.ts';
import { forgetParked, parkedAsAttempt, parkedWork } from '../../repos/parked.ts';
import { emptySessionState, NOTHING_UNDER_WAY } from '../../playbooks/session/session-state.ts';
import { STATE_FILE } from '../look/state-summary.ts';
import { numberAt, plainObject } from '../open/loose-json.ts';

/** Returns the withdrawn gates. The work of items that wait beside the work tree becomes attempts. */
export async function resetLoop(target: Target, why: string): Promise<Result<readonly string[]>> {
  const { io, privateDir, workspaceDir, clock } = target;
  returnTakenChanges(target);
  const gates = openGates({ dir: join(privateDir, 'gates'), io, clock, workspace: workspaceOf(target) });
  const open = gates.list({ open: true, own: true });
  if (!open.ok) return open;
  for (const { gate } of open.value) {
    const withdrawn = await gates.withdraw(gate.id, why);
    // It was answered meanwhile; the answer has no effect any more.
    if (!withdrawn.ok && withdrawn.failure.reason !== 'gate-already-answered') return withdrawn;
  }
  for (const one of parkedItems(workspaceDir)) {
    const work = parkedWork(workspaceDir, one);
    const kept = await parkedAsAttempt(target.git, { ...work, session: one.session, why });
    if (!kept.ok) return kept;
    const gone = await forgetParked(target.git, work);
    if (!gone.ok) return gone;
  }
  // loop.json first: after a crash in between, the next process finds no active item.
  for (const name of ['loop.json', 'loop.jsonl', 'items', 'procedures', 'ledgers']) {
    const path = join(workspaceDir, name);
    if (existsSync(path)) io.remove(path);
  }
  return ok(open.value.map(({ gate }) => gate.id));
}

/** Moves changes that the loop has taken and not applied back to the inbox, with their ids. */
function returnTakenChanges({ io, workspaceDir }: Target): void {
  const inbox = new Set(waiting(workspaceDir).map(({ id }) => id));
  for (const { id, item, subject, edit } of takenChanges(workspaceDir)) {
    const message: InboxMessage = { type: 'change', item, subject, edit };
    if (!inbox.has(id)) io.replace(join(workspaceDir, 'inbox', `${id}.json`), `${JSON.stringify(message)}\n`);
  }
}

/** `least`: the minimum for `last_session`. Creates no file for a project without state and sessions. */
export function resetSessionState(target: Target, least: number): void {
  const { io, clock, stateDir } = target;
  forgetState(target);
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
