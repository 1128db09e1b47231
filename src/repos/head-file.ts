// HEAD, its branch and other refs read from the files git keeps them in, where they stand there in the plainest form. Anything else
// (links, other storages, symbolic branches, odd names) is null: then git is asked.
import { Buffer } from 'node:buffer';
import { join } from 'node:path';
import { readRegular } from '../host/files.ts';
import type { GitFolders } from './folders.ts';

/** `branch` without refs/heads/; null: HEAD is detached. */
export type HeadFile = { readonly commit: string; readonly branch: string | null };

const LARGEST_REF_BYTES = 1_000;
const LARGEST_PACKED_BYTES = 64 * 1024 * 1024;
const OBJECT_ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
/** Names that mean the same to git and to the file system, of refs that all work trees share. */
const PLAIN_REF = /^refs\/(?:heads|harness)\/(?!\.)[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/;
const BRANCHES = 'refs/heads/';

export function headFromFiles(folders: GitFolders): HeadFile | null {
  const head = lineOf(join(folders.gitDir, 'HEAD'), LARGEST_REF_BYTES);
  if (head === null) return null;
  if (OBJECT_ID.test(head)) return { commit: head, branch: null };
  const ref = head.startsWith('ref: ') ? head.slice(5) : '';
  const commit = ref.startsWith(BRANCHES) ? refFromFiles(folders, ref) : null;
  return commit === null ? null : { commit, branch: ref.slice(BRANCHES.length) };
}

/** The object that a name stands for by itself: HEAD, a full id, a ref by its full name. Nobody asked whether it is there. */
export function idFromFiles(folders: GitFolders, name: string): string | null {
  if (OBJECT_ID.test(name)) return name;
  return name === 'HEAD' ? (headFromFiles(folders)?.commit ?? null) : refFromFiles(folders, name);
}

function refFromFiles({ commonDir }: GitFolders, ref: string): string | null {
  if (!PLAIN_REF.test(ref) || ref.includes('..') || ref.includes('.lock')) return null;
  const loose = readRegular(join(commonDir, ref), LARGEST_REF_BYTES);
  const commit = loose.kind === 'file' ? oneLine(loose.bytes) : loose.kind === 'absent' ? packed(commonDir, ref) : null;
  return commit !== null && OBJECT_ID.test(commit) ? commit : null;
}

function lineOf(path: string, maxBytes: number): string | null {
  const file = readRegular(path, maxBytes);
  return file.kind === 'file' ? oneLine(file.bytes) : null;
}

/** The text of a file that is one line with its end; null for anything else. */
function oneLine(bytes: Buffer): string | null {
  const text = bytes.toString('latin1');
  return text.indexOf('\n') === text.length - 1 ? text.slice(0, -1) : null;
}

/** A ref that is not there loosely may have been packed. */
function packed(commonDir: string, ref: string): string | null {
  const file = readRegular(join(commonDir, 'packed-refs'), LARGEST_PACKED_BYTES);
  if (file.kind !== 'file') return null;
  const end = file.bytes.indexOf(Buffer.from(` ${ref}\n`));
  return end < 0 ? null : file.bytes.subarray(file.bytes.lastIndexOf(10, end) + 1, end).toString('latin1');
}
