// Whether a program of somebody else is at work in a folder, by the look of /proc.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/**
 * Whether a process named so (`comm`) has its working folder in one of these, absolute and without links. Linux only; null: this
 * machine does not show it. Of another user's processes nothing is seen.
 */
export function isAtWork(name: string, folders: readonly string[]): boolean | null {
  if (process.platform !== 'linux') return null;
  const isInside = (folder: string): boolean => folders.some((one) => folder === one || folder.startsWith(`${one}/`));
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .some((pid) => {
      try {
        return readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === name && isInside(readlinkSync(`/proc/${pid}/cwd`));
      } catch {
        return false; // it ended meanwhile, or is another user's
      }
    });
}
