// Temporary folders of a work tree. Their names say which work tree they belong to, so that a run removes what an earlier one left.
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sha256 } from './files.ts';

/** What a folder is for: a box, canaries of the sandbox. */
export type TemporaryKind = 'box' | 'canary';

/** How the paths of such folders for the work tree at `root` begin: short, because sockets are put in them. */
export const temporaryPrefix = (kind: TemporaryKind, root: string): string =>
  join(tmpdir(), `harness-${kind}-${sha256(root).slice(0, 8)}-`);

/** Those that exist, whichever process made them. */
export function temporaryFolders(kind: TemporaryKind, root: string): readonly string[] {
  const prefix = temporaryPrefix(kind, root);
  return readdirSync(tmpdir())
    .map((name) => join(tmpdir(), name))
    .filter((folder) => folder.startsWith(prefix));
}
