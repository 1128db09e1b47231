// Whether an item has its work in the work tree of the run: at work, or waiting for an answer. Then that tree stays as it is.
import { join } from 'node:path';
import { readText } from '../host/files.ts';
import { runningItems } from './run-file.ts';

/** Lane 0, by the file of the run; one that cannot be read counts as yes: nothing is overwritten. */
export function isTreeHeld(workspaceDir: string): boolean {
  const text = readText(join(workspaceDir, 'loop.json'));
  if (!text.ok || text.value === null) return !text.ok;
  try {
    return runningItems.parse(JSON.parse(text.value)).running.some(({ lane }) => lane === 0);
  } catch {
    return true;
  }
}
