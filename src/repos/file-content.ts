// Whether a file of the work tree has the bytes of an entry, without git. Links are not followed.
import { readlinkSync } from 'node:fs';
import { readRegular } from '../host/files.ts';
import type { TreeEntry } from './edited-tree.ts';
import { objectIdOf } from './objects.ts';
import { isLink } from './paths.ts';

const LARGEST_BYTES = 64 * 1024 * 1024;

/** `file`: absolute. False where it is not there, of another kind, or larger than 64 MB; whether it may be executed is not compared. */
export function hasContent(file: string, { id, mode }: TreeEntry): boolean {
  if (mode === '120000') return isLink(file) && objectIdOf('blob', readlinkSync(file, 'buffer'), id) === id;
  const read = readRegular(file, LARGEST_BYTES);
  return read.kind === 'file' && objectIdOf('blob', read.bytes, id) === id;
}
