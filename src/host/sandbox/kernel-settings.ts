// Settings of the kernel below /proc, read-only in a box. Only permission bits keep them from being changed, and for root those allow it although
// all capabilities are dropped. An ordinary user can change those of the box's own namespaces, which no test has to.
import { readdirSync } from 'node:fs';
import { statsOf } from '../paths.ts';

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
  // Names only: with types, readdir asks for each process too, and throws where one ends meanwhile.
  return readdirSync(PROC)
    .filter((name) => !/^\d+$/.test(name))
    .map((name) => `${PROC}/${name}`)
    .filter(isFolderOrWritableFile);
}

function isFolderOrWritableFile(path: string): boolean {
  const found = statsOf(path);
  return found !== null && (found.isDirectory() || (found.isFile() && (found.mode & 0o222) !== 0));
}
