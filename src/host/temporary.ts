// Temporary folders of a work tree: their names tell whose they are, so that a life removes what an earlier one left.
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sha256 } from './files.ts';

/** What a folder is for: a box, copies of a tree, the tree of before, canaries of the sandbox. */
export type TemporaryKind = 'box' | 'copy' | 'before' | 'canary';

/** How the paths of such folders for the work tree at `root` begin: short, since sockets are put in them. */
export const temporaryOf = (kind: TemporaryKind, root: string): string =>
  join(tmpdir(), `harness-${kind}-${sha256(root).slice(0, 8)}-`);

/** Those that are there, whoever made them. */
export function temporariesOf(kind: TemporaryKind, root: string): readonly string[] {
  const begin = temporaryOf(kind, root);
  return readdirSync(tmpdir())
    .map((name) => join(tmpdir(), name))
    .filter((folder) => folder.startsWith(begin));
}
