// Refs read from the files of git where they have the plainest form; otherwise git is asked.
import { Buffer } from 'node:buffer';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { statsOf } from '../host/paths.ts';
import { readRegular } from '../host/files.ts';
import { ok, type Result } from '../model/result.ts';
import type { GitFolders } from './folders.ts';
import type { Git, ObjectId } from './git.ts';

const LARGEST_REF_BYTES = 1_000;
const LARGEST_PACKED_BYTES = 64 * 1024 * 1024;

/** Of these folders (`refs/heads`), sorted: `<id> <name>` with the end of the line. `read`: how a file is read. */
export async function listRefs(
  git: Git,
  folders: readonly string[],
  read: typeof readRegular = readRegular,
): Promise<Result<string>> {
  const refs = refsFromFiles(git.commonDir, folders, read);
  if (refs === null) return git.run(['for-each-ref', '--format=%(objectname) %(refname)', ...folders]);
  return ok(
    [...refs]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, id]) => `${id} ${name}\n`)
      .join(''),
  );
}

/** null: a ref that names another one, something else than a file, another store of refs. */
function refsFromFiles(
  commonDir: string,
  folders: readonly string[],
  read: typeof readRegular,
): ReadonlyMap<string, ObjectId> | null {
  const loose = new Map<string, ObjectId>();
  const walk = (folder: string): boolean =>
    readdirSync(join(commonDir, folder), { withFileTypes: true }).every((entry) => {
      const name = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return walk(name);
      if (entry.name.endsWith('.lock')) return true;
      const file = read(join(commonDir, name), LARGEST_REF_BYTES);
      const [, id] = (file.kind === 'file' ? /^([0-9a-f]{40,64})\n$/.exec(file.bytes.toString('latin1')) : null) ?? [];
      if (id !== undefined) loose.set(name, id);
      return id !== undefined;
    });
  try {
    for (const folder of folders) {
      const facts = statsOf(join(commonDir, folder));
      if (facts?.isDirectory() === false || (facts !== null && !walk(folder))) return null;
    }
  } catch {
    return null; // git removed a folder meanwhile
  }
  // After the loose ones: git packs a ref first and removes its own file then, so one that is packed meanwhile is in one of the two.
  const packed = read(join(commonDir, 'packed-refs'), LARGEST_PACKED_BYTES);
  if (packed.kind === 'other') return null;
  const refs = new Map<string, ObjectId>();
  for (const line of packed.kind === 'file' ? packed.bytes.toString('utf8').split('\n') : []) {
    const [, id = '', name = ''] = /^([0-9a-f]{40,64}) (.+)$/.exec(line) ?? [];
    if (folders.some((folder) => name.startsWith(`${folder}/`))) refs.set(name, id);
  }
  // A loose ref is newer than a packed one.
  for (const [name, id] of loose) refs.set(name, id);
  return refs;
}

/** `branch` without refs/heads/; null: HEAD is detached. */
export type HeadFile = { readonly commit: string; readonly branch: string | null };

const BRANCHES = 'refs/heads/';
const OBJECT_ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
/** Names that mean the same to git and to the file system, of refs that all work trees share. */
const PLAIN_REF = /^refs\/(?:heads|harness)\/(?!\.)[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/;

export function headFromFiles(folders: GitFolders): HeadFile | null {
  const head = lineOf(join(folders.gitDir, 'HEAD'), LARGEST_REF_BYTES);
  if (head === null) return null;
  if (OBJECT_ID.test(head)) return { commit: head, branch: null };
  const ref = head.startsWith('ref: ') ? head.slice(5) : '';
  const commit = ref.startsWith(BRANCHES) ? refFromFiles(folders, ref) : null;
  return commit === null ? null : { commit, branch: ref.slice(BRANCHES.length) };
}

/** The object of HEAD, of a full id, or of a ref by its full name. It may not exist. */
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
