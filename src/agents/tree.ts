// Ends every process that carries a session's marker, wherever it moved itself (own group, own session, daemon).
// Reads /proc, so it reaches the whole tree on Linux only; elsewhere the caller's group signals must do.
import { Buffer } from 'node:buffer';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const POLL_MS = 20;
const KILL_ROUNDS = 100;

/** Process ids that carry HARNESS_TOKEN=token in their environment, this process left out. */
export function markedProcesses(token: string): readonly number[] {
  const mark = Buffer.from(`HARNESS_TOKEN=${token}\0`);
  return processIds().filter((pid) => pid !== process.pid && isIn(environmentOf(pid), mark));
}

/** TERM to all of them, KILL to what is left after the grace. Returns how many were found. */
export async function endMarked(token: string, graceMs: number): Promise<number> {
  const found = markedProcesses(token);
  if (found.length === 0) return 0;
  signalAll(found, 'SIGTERM');
  for (let left = graceMs; left > 0 && markedProcesses(token).length > 0; left -= POLL_MS) await pause(POLL_MS);
  for (let round = 0; round < KILL_ROUNDS; round++) {
    const rest = markedProcesses(token);
    if (rest.length === 0) break;
    signalAll(rest, 'SIGKILL');
    await pause(POLL_MS);
  }
  return found.length;
}

function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids)
    try {
      process.kill(pid, signal);
    } catch {
      // gone by itself, which is what was wanted
    }
}

function processIds(): readonly number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

/** A zombie has an empty environment and counts as gone. */
function environmentOf(pid: number): Buffer | null {
  try {
    return readFileSync(`/proc/${pid}/environ`);
  } catch {
    return null;
  }
}

/** As a whole variable: at the start, or after the end of another one. */
function isIn(environment: Buffer | null, mark: Buffer): boolean {
  for (let at = environment?.indexOf(mark) ?? -1; at >= 0; at = environment?.indexOf(mark, at + 1) ?? -1)
    if (at === 0 || environment?.[at - 1] === 0) return true;
  return false;
}
