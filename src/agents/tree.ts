// Ends every process that carries a session's marker, wherever it moved itself (own group, own session, daemon).
// Reads /proc, so it reaches the whole tree on Linux only; elsewhere the caller's group signals must do.
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const POLL_MS = 20;
const KILL_ROUNDS = 100;

/** Process ids that carry HARNESS_TOKEN=token in their environment, this process left out. */
export function markedProcesses(token: string): readonly number[] {
  const mark = `HARNESS_TOKEN=${token}`;
  return processIds().filter((pid) => pid !== process.pid && environmentOf(pid).includes(mark));
}

/** TERM to all of them, KILL to what is left after the grace. Returns how many were found. */
export async function endMarked(token: string, graceMs: number): Promise<number> {
  const found = markedProcesses(token);
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
function environmentOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    return [];
  }
}
