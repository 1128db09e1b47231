// The journal: append-only JSON lines, one writer, a checksum on each line.
// I1 a line is durable when append returns; one that is only noted, with the next append. I2 a torn tail is truncated. I3 a broken line in the middle is refused.
import { existsSync, readFileSync, truncateSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Io } from '../host/io.ts';
import { failure } from '../model/failure.ts';
import { err, ok, type Result } from '../model/result.ts';

export type Journal<L> = {
  readonly path: string;
  readonly lines: readonly L[];
  /** Lines that are appended together are written together or not at all. */
  readonly append: (...lines: readonly L[]) => void;
  /** The same, not waited for: durable with the next append. A power failure before takes it, as a crash before it would have. */
  readonly note: (...lines: readonly L[]) => void;
  replaceAll(lines: readonly L[]): void;
};

/** Opens a journal, truncating a torn tail. Fails with `journal-broken` (params file, line) if a middle line is broken. */
export function openJournal<L extends object>(path: string, io: Io): Result<Journal<L>> {
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const read = readLines<L>(text);
  if (!read.ok)
    return err(
      failure('journal-broken', { file: path, line: read.failure }, { at: { file: path, line: read.failure } }),
    );
  const { lines, keep } = read.value;
  if (keep < Buffer.byteLength(text)) truncateSync(path, keep);
  let torn: { readonly by: unknown } | null = null;
  const add = (more: readonly L[], how?: 'may-be-lost'): void => {
    // After a full disk half a line may be there: nothing may follow it until opening the journal again truncates it.
    if (torn) throw torn.by;
    try {
      io.append(path, more.length === 1 ? encode(more[0] ?? {}) : encode(more), how);
    } catch (error) {
      torn = { by: error };
      throw error;
    }
    lines.push(...more);
  };
  return ok({
    path,
    lines,
    append: (...more) => add(more),
    note: (...more) => add(more, 'may-be-lost'),
    replaceAll(next) {
      io.replace(path, next.map(encode).join(''));
      torn = null;
      lines.length = 0;
      for (const line of next) lines.push(line); // spread arguments could overflow the stack
    },
  });
}

/**
 * The valid lines and their length in bytes; or the number of the first broken line in the middle. One append is one line of
 * text, a list if it holds several: a crash can leave at most the last one torn, with or without its newline.
 */
export function readLines<L>(text: string): Result<{ lines: L[]; keep: number }, number> {
  const lines: L[] = [];
  let at = 0;
  for (let n = 1, end = text.indexOf('\n'); end >= 0; n += 1, end = text.indexOf('\n', at)) {
    const value = decode<L | readonly L[]>(text, at, end);
    if (value === null) {
      if (end < text.length - 1) return err(n);
      break;
    }
    if (isList(value)) for (const line of value) lines.push(line);
    else lines.push(value);
    at = end + 1;
  }
  return ok({ lines, keep: Buffer.byteLength(text) - Buffer.byteLength(text.slice(at)) });
}

const isList = <L>(value: L | readonly L[]): value is readonly L[] => Array.isArray(value);

export function encode(line: object): string {
  const json = JSON.stringify(line);
  return `${crc32(json).toString(16).padStart(8, '0')} ${json}\n`;
}

function decode<L>(text: string, from: number, end: number): L | null {
  const json = text.slice(from + 9, end);
  // Compared as a number: formatting the sums would take a fifth of the time of reading a journal.
  if (end < from + 9 || text[from + 8] !== ' ' || hexOf(text, from) !== crc32(json)) return null;
  return JSON.parse(json);
}

/** The value of eight lower-case hex digits; NaN if they are none. */
function hexOf(text: string, from: number): number {
  let sum = 0;
  for (let i = from; i < from + 8; i += 1) {
    const code = text.charCodeAt(i);
    const digit = code >= 48 && code <= 57 ? code - 48 : code >= 97 && code <= 102 ? code - 87 : Number.NaN;
    sum = sum * 16 + digit;
  }
  return sum;
}

/** Identifies a journal line in evidence. */
export const hashOfLine = (line: object): string => createHash('sha256').update(encode(line)).digest('hex');

/** Identifies a state file's text in a journal line. */
export const fingerprint = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);
