// Settings of the kernel below /proc, read-only in a box. Only permission bits keep them from being changed, and for root those allow it although
// all capabilities are dropped. An ordinary user can change those of the box's own namespaces, which no test has to.
import { readdirSync, statSync } from 'node:fs';

const PROC = '/proc';

/** Arguments of bubblewrap; they count only after `--proc /proc`. */
export const kernelMounts = (): readonly string[] => settings().flatMap((path) => ['--ro-bind-try', path, path]);

/**
 * For an agent's program. Over read-only settings the kernel allows no other /proc, which for root would have them writable again; the sandbox that
 * an ordinary user's program makes for its own commands needs one.
 */
export const kernelMountsOfAgents = (): readonly string[] => (process.getuid?.() === 0 ? kernelMounts() : []);

/** Folders and writable files of /proc that belong to no process; links lead into the processes. */
function settings(): readonly string[] {
  return readdirSync(PROC, { withFileTypes: true })
    .filter(({ name }) => !/^\d+$/.test(name))
    .flatMap((entry) => {
      const path = `${PROC}/${entry.name}`;
      return entry.isDirectory() || (entry.isFile() && isWritable(path)) ? [path] : [];
    });
}

const isWritable = (path: string): boolean => ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o222) !== 0;
