// When a box is really empty: its first process is a zombie or gone only after the kernel has killed everything else in it.
import { readFileSync, rmSync } from 'node:fs';
import { liveStartOf } from '../process-table.ts';
import { waitWhile } from '../process-tree.ts';

/** `note`: what bubblewrap wrote of itself; one that never came so far started nothing. */
export async function namespaceGone(note: string): Promise<void> {
  const pid = /"child-pid": (\d+)/.exec(textOf(note))?.[1];
  rmSync(note, { force: true });
  if (pid === undefined) return;
  const start = liveStartOf(Number(pid));
  await waitWhile(() => start !== null && liveStartOf(Number(pid)) === start);
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
