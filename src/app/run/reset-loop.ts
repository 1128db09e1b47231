// Letting go of what the loop was at: its position, the journals of items and procedures, the questions that they asked.
// What people asked for and nobody has made yet is kept. Done twice it is done once.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openGates } from '../../gates/store.ts';
import { readText } from '../../host/files.ts';
import { loopFile, type ListChange } from '../../loop/run-file.ts';
import { ok, type Result } from '../../model/result.ts';
import { waiting, type Message } from './inbox.ts';
import type { Target } from '../open/target.ts';
import { emptySessionState, NOTHING_UNDER_WAY } from '../../playbooks/session/session-state.ts';
import { STATE_FILE } from '../look/last-session.ts';
import { numberAt, plainObject } from '../open/loose-json.ts';

/** Answers the questions that were withdrawn. */
export async function forgetLoop(target: Target, why: string): Promise<Result<readonly string[]>> {
  const { io, privateDir, clock } = target;
  keepAsked(target);
  const gates = openGates({ dir: join(privateDir, 'gates'), io, clock });
  const open = gates.list({ open: true });
  if (!open.ok) return open;
  for (const { gate } of open.value) {
    const withdrawn = await gates.withdraw(gate.id, why);
    // Somebody was quicker with an answer: it passes nothing any more.
    if (!withdrawn.ok && withdrawn.failure.reason !== 'gate-already-answered') return withdrawn;
  }
  // What is under way by the loop's own file first: whoever comes after a death in between finds nothing to end.
  for (const name of ['loop.json', 'loop.jsonl', 'items', 'procedures']) {
    const path = join(privateDir, name);
    if (existsSync(path)) io.remove(path);
  }
  return ok(open.value.map(({ gate }) => gate.id));
}

/** Changes that the loop has taken from the inbox and not made yet go back there, under the names they had. */
function keepAsked({ io, privateDir }: Target): void {
  const text = readText(join(privateDir, 'loop.json'));
  const inbox = new Set(waiting(privateDir).map(({ id }) => id));
  for (const { id, item, subject, edit } of pendingIn(text.ok ? text.value : null)) {
    const message: Message = { type: 'change', item, subject, edit };
    if (!inbox.has(id)) io.replace(join(privateDir, 'inbox', `${id}.json`), `${JSON.stringify(message)}\n`);
  }
}

function pendingIn(text: string | null): readonly ListChange[] {
  try {
    return loopFile.parse(JSON.parse(text ?? '{}')).pending;
  } catch {
    return []; // a file that is broken asks for nothing
  }
}

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
