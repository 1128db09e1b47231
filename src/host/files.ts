// The reading side of files: what is there, what is not, and what cannot be told. Writing is io.ts.
import { Buffer } from 'node:buffer';
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  readFileSync,
  readdirSync,
  readSync,
  type Dirent,
} from 'node:fs';
import { failure, type Failure } from '../model/failure.ts';
import { err, ok, type Result } from '../model/result.ts';

/** Larger than any file that people and agents write by hand; a larger one is a mistake or an attack. */
const LARGEST_BYTES = 64 * 1024 * 1024;

/**
 * The text of a file as it stands, byte order mark included; null only if it is not there. Fails with `file-unreadable`
 * (`file`, `code`: the system's error code, or `not-a-file`, `too-large`, `not-utf-8`). A pipe or a device in its place
 * is refused, never waited for.
 */
export function readText(path: string): Result<string | null> {
  let file: number | null = null;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const facts = fstatSync(file);
    if (!facts.isFile()) return err(unreadable(path, 'not-a-file'));
    if (facts.size > LARGEST_BYTES) return err(unreadable(path, 'too-large'));
    return ok(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(file)));
  } catch (error) {
    if (error instanceof TypeError) return err(unreadable(path, 'not-utf-8'));
    return isMissing(error) ? ok(null) : err(unreadable(path, codeOf(error)));
  } finally {
    if (file !== null) closeSync(file);
  }
}

export type FolderEntry = { readonly name: string; readonly kind: 'file' | 'folder' | 'link' | 'other' };

/** What a folder holds, sorted by name; empty if it is not there. Links are named, not followed. Fails as `readText`. */
export function listFolder(path: string): Result<readonly FolderEntry[]> {
  try {
    const entries = readdirSync(path, { withFileTypes: true }).map((entry) => ({
      name: entry.name,
      kind: kindOf(entry),
    }));
    return ok(entries.sort((a, b) => (a.name < b.name ? -1 : 1)));
  } catch (error) {
    return isMissing(error) ? ok([]) : err(unreadable(path, codeOf(error)));
  }
}

/** Hexadecimal. The module is fetched when first used: importing it costs a command that only reads a fifth of its time. */
export const sha256 = (text: string | Uint8Array): string =>
  process.getBuiltinModule('node:crypto').createHash('sha256').update(text).digest('hex');

/** The system's own name of an error, as ENOENT. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';

/** Refusals of the system that no program can foresee: rights, a full disk, something else in the place of a folder. */
const REFUSALS = new Set(
  'EACCES EPERM EROFS ENOSPC EDQUOT EEXIST ENOTDIR EISDIR EMFILE EIO ENAMETOOLONG ELOOP'.split(' '),
);

/** `path-unusable` (`file`, `code`) where the system refused a file or folder; null for any other error. */
export function failureOfSystem(error: unknown): Failure | null {
  const code = codeOf(error);
  if (!REFUSALS.has(code) || !(error instanceof Error) || !('path' in error)) return null;
  const file = String('dest' in error ? error.dest : error.path);
  return failure('path-unusable', { file, code }, { at: { file } });
}

const isMissing = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(codeOf(error));

const unreadable = (file: string, code: string): Failure =>
  failure('file-unreadable', { file, code }, { at: { file } });

function kindOf(entry: Dirent): FolderEntry['kind'] {
  if (entry.isSymbolicLink()) return 'link';
  return entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : 'other';
}

/** The last bytes of a text file; '' where there is none. A character that is cut at the front is shown as odd. */
export function tailOf(file: string, most: number): string {
  if (!existsSync(file)) return '';
  const handle = openSync(file, 'r');
  try {
    const { size } = fstatSync(handle);
    const bytes = Buffer.alloc(Math.min(most, size));
    readSync(handle, bytes, 0, bytes.length, size - bytes.length);
    return bytes.toString('utf8');
  } finally {
    closeSync(handle);
  }
}
