// Settings of the kernel below /proc. Only permission bits keep them from being changed, and for root those allow it although all
// capabilities are dropped. So for root a box has them read-only; for other users nothing is needed.
import { readdirSync, statSync } from 'node:fs';

const PROC = '/proc';

/** Folders and writable files of /proc that belong to no process; links lead into the processes. */
function kernelSettings(): readonly string[] {
  if (process.getuid?.() !== 0) return [];
  return readdirSync(PROC, { withFileTypes: true })
    .filter(({ name }) => !/^\d+$/.test(name))
    .flatMap((entry) => {
      const path = `${PROC}/${entry.name}`;
      return entry.isDirectory() || (entry.isFile() && isWritable(path)) ? [path] : [];
    });
}

const isWritable = (path: string): boolean => ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o222) !== 0;

/** Arguments of bubblewrap; they count only after `--proc /proc`. */
export const kernelMounts = (): readonly string[] => kernelSettings().flatMap((path) => ['--ro-bind-try', path, path]);
