// Temporary folders. Their names say whose they are, a work tree's or a process's, so that a run removes what an earlier one left.
import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { sha256 } from './files.ts';
import { statsOf } from './paths.ts';
import { belongsToLiveProcess } from './process-table.ts';

/** What a folder of a work tree is for: a box, canaries of the sandbox. */
export type TemporaryKind = 'box' | 'canary';

/** What a folder of one process is for: the pipes of a shell that is opened, a repository of evidence, a place of checks that are run again. */
const OWN_FOLDER_KINDS = ['pipes', 'evidence', 'rerun', 'ci'] as const;
type OwnFolderKind = (typeof OWN_FOLDER_KINDS)[number];
const OWN_FOLDER = new RegExp(`^harness-(?:${OWN_FOLDER_KINDS.join('|')})-(\\d+)-[^-]+$`);

/** How the paths of such folders for the work tree at `root` begin: short, because sockets are put in them. */
export const temporaryPrefix = (kind: TemporaryKind, root: string): string =>
  join(tmpdir(), `harness-${kind}-${sha256(root).slice(0, 8)}-`);

/** Those that exist, whichever process made them. */
export function temporaryFolders(kind: TemporaryKind, roots: readonly string[]): readonly string[] {
  const prefixes = roots.map((root) => basename(temporaryPrefix(kind, root)));
  return readdirSync(tmpdir())
    .filter((found) => prefixes.some((prefix) => found.startsWith(prefix)))
    .map((found) => join(tmpdir(), found));
}

/** A folder of this process, its links resolved. The process removes it; where it is killed before, a later run does. */
export const makeOwnFolder = (kind: OwnFolderKind): string =>
  realpathSync(mkdtempSync(join(tmpdir(), `harness-${kind}-${process.pid}-`)));

/** Removes the folders of this user's processes that were killed before they could. One that cannot be removed is left. */
export function sweepOwnFolders(): void {
  const top = tmpdir();
  for (const name of readdirSync(top)) {
    const [, pid] = OWN_FOLDER.exec(name) ?? [];
    if (pid !== undefined && Number(pid) !== process.pid) removeIfEnded(join(top, name), Number(pid));
  }
}

/** Any user can put something of such a name in the temporary folder: it costs room on the disk, which is no reason to refuse a run. */
function removeIfEnded(path: string, pid: number): void {
  try {
    if (statsOf(path)?.uid !== process.getuid?.() || belongsToLiveProcess(path, pid)) return;
    rmSync(path, { recursive: true, force: true });
  } catch {
    // It is left.
  }
}
