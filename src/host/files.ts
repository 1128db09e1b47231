// Reads files: what is there, what is missing, and what cannot be read. Writing is io.ts.
import { Buffer } from 'node:buffer';
import {
  accessSync,
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
import { dirname } from 'node:path';
import { failure, type Failure } from '../model/failure.ts';
import { err, ok, type Result } from '../model/result.ts';
import { codeOf } from './error-code.ts';

/** Larger than any file that people and agents write manually; a larger one is a mistake or an attack. */
const LARGEST_BYTES = 64 * 1024 * 1024;

/**
 * The text of a file, byte order mark included; null only if there is no such file. Fails with `file-unreadable` (`file`, `code`: the
 * system's error code, or `not-a-file`, `too-large`, `not-utf-8`). A pipe or a device is refused, never waited for.
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

/** The text of a file, '' where it cannot be read: for files whose absence and damage mean the same. */
export function textOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** The last bytes of a text file; '' where there is none. A character that is cut at the front is shown as `�`. */
export function tailOf(file: string, maxBytes: number): string {
  if (!existsSync(file)) return '';
  const handle = openSync(file, 'r');
  try {
    const { size } = fstatSync(handle);
    const bytes = Buffer.alloc(Math.min(maxBytes, size));
    readSync(handle, bytes, 0, bytes.length, size - bytes.length);
    return bytes.toString('utf8');
  } finally {
    closeSync(handle);
  }
}

/** The whole lines at the end of a file, at most so many bytes; of a shorter file everything. */
export function lastLines(file: string, maxBytes: number): string {
  const text = tailOf(file, maxBytes + 1);
  return Buffer.byteLength(text) <= maxBytes ? text : text.slice(text.indexOf('\n') + 1);
}

export type RegularFile =
  | { readonly kind: 'file'; readonly bytes: Buffer; readonly mode: number }
  | { readonly kind: 'absent' }
  /** A link, folder, pipe, device, a file that may not be read, or one with more than `maxBytes`. */
  | { readonly kind: 'other'; readonly why: string };

/** Bytes of a file. */
type FilePart = { readonly from: number; readonly size: number };

/** Reads a file, or a part of it, that hostile code may have put in place: never through a link, never a pipe or a device, never without a bound. */
export function readRegular(path: string, maxBytes: number, part?: FilePart): RegularFile {
  let file: number;
  try {
    // Without O_NONBLOCK, opening a pipe would wait for a writer.
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    return code === 'ENOENT' || code === 'ENOTDIR' ? { kind: 'absent' } : { kind: 'other', why: code };
  }
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) return { kind: 'other', why: 'not-a-file' };
    const { from, size } = part ?? { from: 0, size: stat.size };
    if (size > maxBytes) return { kind: 'other', why: `${size} bytes` };
    const bytes = Buffer.alloc(Math.max(0, Math.min(size, stat.size - from)));
    let at = 0;
    while (at < bytes.length) {
      const read = readSync(file, bytes, at, bytes.length - at, from + at);
      if (read === 0) break;
      at += read;
    }
    return { kind: 'file', bytes: bytes.subarray(0, at), mode: stat.mode & 0o7777 };
  } finally {
    closeSync(file);
  }
}

export type FolderEntry = { readonly name: string; readonly kind: 'file' | 'folder' | 'link' | 'other' };

/** The entries of a folder, sorted by name; empty if there is no such folder. Links are not followed. Fails as `readText`. */
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

function kindOf(entry: Dirent): FolderEntry['kind'] {
  if (entry.isSymbolicLink()) return 'link';
  return entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : 'other';
}

/** Hexadecimal. The module is loaded on first use: importing it takes a fifth of the time of a command that only reads. */
export const sha256 = (text: string | Uint8Array): string =>
  process.getBuiltinModule('node:crypto').createHash('sha256').update(text).digest('hex');

/** Refusals of the system that no program can foresee: permissions, a full disk, something else in place of a folder. */
const REFUSALS = new Set(
  'EACCES EPERM EROFS ENOSPC EDQUOT EEXIST ENOTDIR EISDIR EMFILE EIO ENAMETOOLONG ELOOP'.split(' '),
);

/** Its code; where folders were to be made on a disk that is read-only, Node says that there is no such folder. */
export function codeOfRefusal(error: unknown): string {
  const code = codeOf(error);
  const path = error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : null;
  const isMaking = error instanceof Error && 'syscall' in error && error.syscall === 'mkdir';
  if (code !== 'ENOENT' || path === null || !isMaking) return code;
  let there = path;
  while (!existsSync(there) && there !== dirname(there)) there = dirname(there);
  try {
    accessSync(there, constants.W_OK);
    return code;
  } catch (refusal) {
    return codeOf(refusal);
  }
}

/** The codes of a disk, or of a user's part of it, that has no room. */
export const isFull = (code: string): boolean => code === 'ENOSPC' || code === 'EDQUOT';

/** `path-unusable` (`file`, `code`; `full`: the same where there is no room) where the system refused a file or folder; null for any other error. */
export function failureOfSystem(error: unknown): Failure | null {
  const code = codeOfRefusal(error);
  if (!REFUSALS.has(code) || !(error instanceof Error) || !('path' in error)) return null;
  const file = String('dest' in error ? error.dest : error.path);
  return failure(
    'path-unusable',
    { file, code, ...(isFull(code) ? { full: file } : { path: file }) },
    { at: { file } },
  );
}

const isMissing = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(codeOf(error));

const unreadable = (file: string, code: string): Failure =>
  failure('file-unreadable', { file, code }, { at: { file } });
