// Answers of commands that only look, as they were printed last, each with all that it was made of: printed again while nothing of that has
// changed. One file each in `answers/` of the state folder of the work tree, where no agent in a box can write, and which it cannot even see
// (docs/sandbox.md). Without a box an agent may write the folder, and with it the program and all that an answer is made of: a signature
// would protect nothing. Such a file decides nothing, is written without a sync, and is ignored where anything in it is not as expected.
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { packageRoot } from '../../host/package-root.ts';
import type { UserEnvironment } from '../../host/user-environment.ts';
import { parsedJson } from '../open/loose-json.ts';
import { isCurrent, SOURCE_KINDS, type SourceFact, type Sources } from '../../host/sources.ts';
import { findWorkTree, stateFolders } from '../../repos/folders.ts';

/** A call as far as its answer depends on it. */
export type AskedLine = {
  readonly argv: readonly string[];
  readonly cwd: string;
  /** As on the command line. */
  readonly repo: string | null;
  readonly isTerminal: boolean;
  readonly environment: UserEnvironment;
};
export type KeptAnswer = { readonly exit: number; readonly text: Uint8Array; readonly sources: Sources };
/** `key`: the call, the program and the place. Another copy of the program, or of the repository, has other keys. */
export type AnswerFile = { readonly workspaceDir: string; readonly file: string; readonly key: string };

/** Change it with the format or with what is noted: what another version kept is then ignored. */
const FORMAT = 'harness-answer 1';
/** Of the first line: the format, and the sum of all that follows. */
const FIRST_BYTES = 32;
export const LARGEST_BYTES = 24 * 1024 * 1024;
/** Read at once, and with the second line in the first of them. A larger buffer costs more than reading twice. */
const CHUNK_BYTES = 256 * 1024;

/** Where the answer to a call is kept; null: the repository has no state of the harness, and those who only look make none. */
export function slotOf({ argv, cwd, repo, isTerminal, environment }: AskedLine): AnswerFile | null {
  const found = findWorkTree(resolve(cwd, repo ?? environment.repo ?? '.'));
  if (found === null) return null;
  const { workspaceDir } = stateFolders(found);
  const place = [packageRoot(), workspaceDir, cwd, process.version, process.geteuid?.() ?? null];
  const key = JSON.stringify([...place, argv, isTerminal, environment]);
  return { workspaceDir, file: join(workspaceDir, 'answers', hashOf(key).toString(16)), key };
}

/** FNV-1a: only chooses a file, in which the whole key is compared. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return hash;
}

/**
 * Prints the answer that is kept, if it still holds; its exit code, or null if nothing was printed. It is read twice: nothing is printed
 * before all of it is known to be whole.
 */
export function printKept({ file, key }: AnswerFile, now: number, print: (bytes: Uint8Array) => void): number | null {
  const opened = openOrNull(file);
  if (opened === null) return null;
  try {
    const size = sizeOf(opened);
    const head = headOf(opened, size, key);
    if (head === null || !isCurrent(head.sources, now)) return null;
    let at = 0;
    for (const bytes of chunksOf(opened, size)) {
      if (at + bytes.length > head.from) print(bytes.subarray(Math.max(0, head.from - at)));
      at += bytes.length;
    }
    return head.exit;
  } finally {
    closeSync(opened);
  }
}

function openOrNull(file: string): number | null {
  try {
    return openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return null;
  }
}

/** 0 for what is no file of this user. */
function sizeOf(file: number): number {
  const facts = fstatSync(file);
  const isOwn = facts.isFile() && facts.uid === (process.geteuid?.() ?? facts.uid);
  return isOwn && facts.size <= LARGEST_BYTES ? facts.size : 0;
}

/** All in the same memory. A file that is shorter than it was ends early. */
function* chunksOf(file: number, size: number): Generator<Buffer> {
  const buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  for (let at = 0; at < size;) {
    let filled = 0;
    while (filled < Math.min(CHUNK_BYTES, size - at)) {
      const read = readSync(file, buffer, filled, Math.min(CHUNK_BYTES, size - at) - filled, at + filled);
      if (read === 0) return;
      filled += read;
    }
    yield buffer.subarray(0, filled);
    at += filled;
  }
}

type Head = { readonly exit: number; readonly sources: Sources; readonly from: number };

/** Null: the file is not whole, or of another call or version. After a power loss it may be there with a part of its text. */
function headOf(file: number, size: number, key: string): Head | null {
  let sum = 0;
  let at = 0;
  let first = '';
  let second = '';
  for (const bytes of chunksOf(file, size)) {
    if (at === 0) {
      first = bytes.toString('latin1', 0, FIRST_BYTES);
      second = bytes.toString('utf8', FIRST_BYTES, Math.max(FIRST_BYTES, bytes.indexOf(10, FIRST_BYTES)));
    }
    sum = sumOf(bytes, at === 0 ? FIRST_BYTES : 0, sum, size);
    at += bytes.length;
  }
  if (at !== size || first !== firstLine(sum)) return null;
  const head = parsedJson(second);
  if (typeof head !== 'object' || head === null) return null;
  const { key: asked, exit, length, from, until, sources }: { readonly [name: string]: unknown } = { ...head };
  if (asked !== key || typeof exit !== 'number' || typeof length !== 'number' || typeof from !== 'number') return null;
  if ((until !== null && typeof until !== 'number') || !Array.isArray(sources)) return null;
  const list = sources.map(sourceOf);
  if (!list.every((source) => source !== null)) return null;
  return { exit, sources: { list, from, until }, from: size - length };
}

/** Two lines, then what was printed. */
export function keptBytes(key: string, { exit, text, sources }: KeptAnswer): Buffer {
  const { list, from, until } = sources;
  const listed = list.map(({ kind, path, fact }) => [kind, path, fact]);
  const second = Buffer.from(`${JSON.stringify({ key, exit, length: text.length, from, until, sources: listed })}\n`);
  const bytes = Buffer.allocUnsafeSlow(FIRST_BYTES + second.length + text.length);
  bytes.set(second, FIRST_BYTES);
  bytes.set(text, FIRST_BYTES + second.length);
  let sum = 0;
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES)
    sum = sumOf(bytes.subarray(at, at + CHUNK_BYTES), at === 0 ? FIRST_BYTES : 0, sum, bytes.length);
  bytes.write(firstLine(sum), 'latin1');
  return bytes;
}

const firstLine = (sum: number): string => `${`${FORMAT} ${sum >>> 0}`.padEnd(FIRST_BYTES - 1)}\n`;

/**
 * By words, in the order of bytes of this machine. Of a large file one word of every 508 bytes: a disk loses no less, and adding all of them
 * takes longer than printing them, as does loading node:zlib.
 */
function sumOf(bytes: Buffer, from: number, before: number, size: number): number {
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
  const step = size > SMALL_BYTES ? 127 : 1;
  let sum = before;
  for (let i = from >> 2; i < words.length; i += step) sum = (sum + (words[i] ?? 0)) | 0;
  for (let i = words.length << 2; i < bytes.length; i += 1) sum = (sum + (bytes[i] ?? 0)) | 0;
  return sum;
}
const SMALL_BYTES = 32 * 1024;

function sourceOf(value: unknown): SourceFact | null {
  const [kind, path, fact]: readonly unknown[] = Array.isArray(value) ? value : [];
  const known = SOURCE_KINDS.find((one) => one === kind);
  return known !== undefined && typeof path === 'string' && typeof fact === 'string'
    ? { kind: known, path, fact }
    : null;
}
