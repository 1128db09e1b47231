// When a box is really empty: its first process is a zombie or gone only after the kernel has killed everything else in it.
import { readFileSync, rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const PAUSE_MS = 2;
/** A process the kernel cannot end (stuck in a device) is given up, as process.ts does. */
const LOST_MS = 10_000;

/** `note`: what bubblewrap wrote of itself; one that never came so far started nothing. */
export async function namespaceGone(note: string): Promise<void> {
  const pid = /"child-pid": (\d+)/.exec(textOf(note))?.[1];
  rmSync(note, { force: true });
  if (pid === undefined) return;
  for (const until = performance.now() + LOST_MS; !isOver(pid) && performance.now() < until;) await pause(PAUSE_MS);
}

function isOver(pid: string): boolean {
  const stat = textOf(`/proc/${pid}/stat`);
  return stat === '' || /^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
