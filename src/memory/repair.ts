// Reads a file of the memory that goes into prompts. What is broken in it is fixed: a line that reads like the heading of the runtime
// context is quoted, bytes that are no text are dropped, a text over its cap is cut at a line. The broken original is kept beside it.
import type { Buffer } from 'node:buffer';
import { readRegular, type RegularFile } from '../host/files.ts';
import type { Io } from '../host/io.ts';
import type { MemoryRepair } from '../model/memory.ts';
import { cutAtLine, isWithin, type Cap } from './caps.ts';
import { guardOnce } from './context.ts';

const MOST_BYTES = 8 * 1024 * 1024;
const MOST_ORIGINALS = 9;

export type MemoryFile = {
  /** Fit for a prompt; '' where there is no file, or it cannot be read. */
  readonly text: string;
  readonly repairs: readonly MemoryRepair[];
  /** What the file held, where it has to be replaced by `text`. */
  readonly broken: Buffer | null;
};

/** Changes nothing. `cap` null: it may be of any length. */
export function inspect(file: string, cap: Cap | null): MemoryFile {
  const found = readRegular(file, MOST_BYTES);
  if (found.kind === 'absent') return { text: '', repairs: [], broken: null };
  if (found.kind === 'other') return { text: '', repairs: [{ file, why: 'unreadable' }], broken: null };
  const causes: MemoryRepair['why'][] = [];
  const decoded = decode(found.bytes);
  if (decoded === null) causes.push('not-utf-8');
  const plain = (decoded ?? found.bytes.toString('utf8')).replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n');
  const clean = decoded === null || BINARY.test(plain) ? withoutBytes(plain) : plain;
  if (decoded !== null && clean !== plain) causes.push('binary');
  const quoted = guardOnce(clean);
  if (quoted !== clean) causes.push('heading');
  const isLong = cap !== null && !isWithin(quoted, cap);
  if (isLong) causes.push('too-long');
  const text = isLong ? cutAtLine(quoted, cap) : quoted;
  return {
    text,
    repairs: causes.map((why) => ({ file, why })),
    broken: causes.length === 0 ? null : found.bytes,
  };
}

/** Writes what `inspect` found: the original beside it first, then the text. */
export function repair(io: Io, file: string, { text, broken }: MemoryFile): void {
  if (broken === null) return;
  keepOriginal(io, file, broken);
  io.replace(file, text === '' || text.endsWith('\n') ? text : `${text}\n`);
}

/** The same bytes are kept once; when there are too many originals, the last gives way. */
function keepOriginal(io: Io, file: string, bytes: Buffer): void {
  for (let n = 1; ; n += 1) {
    const name = n === 1 ? `${file}.broken` : `${file}.${n}.broken`;
    const there: RegularFile = readRegular(name, MOST_BYTES);
    if (there.kind === 'file' && there.bytes.equals(bytes)) return;
    if (there.kind !== 'absent' && n < MOST_ORIGINALS) continue;
    io.replace(name, bytes);
    return;
  }
}

function decode(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** What no text has: control characters but line ends and tabs. `\uFFFD`: what was no UTF-8. */
const BINARY = /[^\P{Cc}\n\t]/u;
const NO_TEXT = /[^\P{Cc}\n\t]|\uFFFD/gu;

/** A line of which less than half is left was no line of text. */
const withoutBytes = (text: string): string =>
  text
    .split('\n')
    .flatMap((line) => {
      const left = line.replaceAll(NO_TEXT, '');
      return left.length * 2 < line.length ? [] : [left];
    })
    .join('\n');
