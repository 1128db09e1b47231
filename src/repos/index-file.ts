// An index as git stores it, read without a git process. What is not read here (a part of an index, a sparse one, a form that came later, a
// broken file) is null: git is asked.
import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { renameSync, writeFileSync, type BigIntStats } from 'node:fs';
import { targetStatsOf } from '../host/paths.ts';
import { readRegular } from '../host/files.ts';
import { type Git, type ObjectId } from './git.ts';
import { clockStepNs } from './paths.ts';
import { headFromFiles } from './ref-files.ts';

export type IndexEntry = {
  readonly path: string;
  readonly mode: string;
  readonly id: ObjectId;
  /** 0: as a rule; else one of the versions that a merge has left. */
  readonly stage: number;
  /** Assume-unchanged or skip-worktree: git does not look at the file. */
  readonly isMarked: boolean;
  /** `git add -N`: in no tree yet. */
  readonly isIntent: boolean;
  /** What git saw of the file: times in seconds and nanoseconds, inode and size, each modulo 2^32. */
  readonly seen: readonly number[];
};

const LARGEST_BYTES = 256 * 1024 * 1024;
const HEADER = 12;
const [MARKED, EXTENDED, STAGE] = [0x8000, 0x4000, 12];
const [SKIPPED, INTENT] = [0x4000, 0x2000];

/** About eight thousand entries. To read more of them here takes longer than to ask git, which does it for a process of five milliseconds. */
const MOST_BYTES = 1024 * 1024;

/** Whether git answers a question about all of this index sooner. */
export const isLargeIndex = (file: string): boolean => (targetStatsOf(file)?.size ?? 0) > MOST_BYTES;

/** null: git is to be asked. A file that is not there has no entries. */
export function readIndex(git: Git, file: string): readonly IndexEntry[] | null {
  const length = headFromFiles(git)?.commit.length;
  const read = readRegular(file, LARGEST_BYTES);
  if (length === undefined || read.kind === 'other') return null;
  if (read.kind === 'absent') return [];
  return placesIn(read.bytes, length / 2);
}

/** The same for an index that is read here sooner than git would answer; null also for a larger one. */
export const readSmallIndex = (git: Git, file: string): readonly IndexEntry[] | null =>
  isLargeIndex(file) ? null : readIndex(git, file);

/**
 * Gives entries of a private index another mode and id, in place; git reads their files again. false: one of them is not there, or the index
 * cannot be read here, and nothing was changed. `length`: of an id.
 */
export function editIndex(
  file: string,
  length: number,
  files: ReadonlyMap<string, { readonly mode: string; readonly id: ObjectId }>,
): boolean {
  const read = readRegular(file, LARGEST_BYTES);
  if (read.kind !== 'file') return false;
  const entries = placesIn(read.bytes, length / 2);
  if (entries === null) return false;
  const found = entries.filter(({ path, stage, isIntent }) => files.has(path) && stage === 0 && !isIntent);
  if (found.length !== files.size) return false;
  const end = entries.at(-1)?.end ?? HEADER;
  // What comes after the entries speaks of the index as it was.
  const bytes = Buffer.from(read.bytes.subarray(0, end));
  for (const { path, start } of found) {
    const { mode = '', id = '' } = files.get(path) ?? {};
    bytes.fill(0, start, start + 40);
    bytes.writeUInt32BE(Number.parseInt(mode, 8), start + 24);
    bytes.write(id, start + 40, 'hex');
  }
  const sum = createHash(length === 64 ? 'sha256' : 'sha1')
    .update(bytes)
    .digest();
  writeFileSync(`${file}.new`, Buffer.concat([bytes, sum]));
  renameSync(`${file}.new`, file);
  return true;
}

export type IndexedFile = {
  readonly path: string;
  readonly mode: string;
  readonly id: ObjectId;
  readonly facts: BigIntStats;
};

/** An index with these files, as git writes it (version 2 of its `index-format`). Sorted as git sorts; at least one. */
export function indexOf(files: readonly IndexedFile[]): Buffer {
  const idBytes = (files[0]?.id.length ?? 0) / 2;
  const header = Buffer.alloc(HEADER);
  header.write('DIRC', 'latin1');
  header.writeUInt32BE(2, 4);
  header.writeUInt32BE(files.length, 8);
  const parts = files.map(({ path, mode, id, facts }) => {
    const name = Buffer.from(path, 'utf8');
    const length = 42 + idBytes + name.length;
    // Filled up with 1 to 8 zero bytes.
    const entry = Buffer.alloc((length + 8) & ~7);
    const { dev, ino, uid, gid, size } = facts;
    const times = seenOf(facts).slice(0, 4);
    for (const [n, value] of [...times, dev, ino, BigInt(`0o${mode}`), uid, gid, size].entries())
      entry.writeUInt32BE(Number(BigInt.asUintN(32, value)), 4 * n);
    entry.write(id, 40, 'hex');
    entry.writeUInt16BE(Math.min(name.length, LONGEST_NAME), 40 + idBytes);
    name.copy(entry, 42 + idBytes);
    return entry;
  });
  const bytes = Buffer.concat([header, ...parts]);
  const sum = createHash(idBytes === 32 ? 'sha256' : 'sha1')
    .update(bytes)
    .digest();
  return Buffer.concat([bytes, sum]);
}
/** The length of a name is kept in twelve bits. */
const LONGEST_NAME = 0xfff;

type Placed = IndexEntry & { readonly start: number; readonly end: number };

function placesIn(bytes: Buffer, idBytes: number): readonly Placed[] | null {
  try {
    return entriesOfIndex(bytes, idBytes);
  } catch {
    return null; // it ends in the middle of something
  }
}

function entriesOfIndex(bytes: Buffer, idBytes: number): readonly Placed[] | null {
  const version = bytes.readUInt32BE(4);
  if (bytes.toString('latin1', 0, 4) !== 'DIRC' || version < 2 || version > 4) return null;
  const entries: Placed[] = [];
  let at = HEADER;
  // Of version 4: the name of an entry begins like the one before.
  let before = Buffer.alloc(0);
  for (let left = bytes.readUInt32BE(8); left > 0; left -= 1) {
    const start = at;
    const flags = bytes.readUInt16BE(at + 40 + idBytes);
    const isExtended = version > 2 && (flags & EXTENDED) !== 0;
    const more = isExtended ? bytes.readUInt16BE(at + 42 + idBytes) : 0;
    at += 42 + idBytes + (isExtended ? 2 : 0);
    const cut = version === 4 ? varint(bytes, at) : null;
    const from = cut?.next ?? at;
    const end = bytes.indexOf(0, from);
    if (end < 0) return null;
    if (cut !== null)
      before = Buffer.concat([before.subarray(0, before.length - cut.value), bytes.subarray(from, end)]);
    // Without the compression of version 4 an entry is filled up with 1 to 8 zero bytes.
    at = cut === null ? start + ((end - start + 8) & ~7) : end + 1;
    entries.push({
      path: cut === null ? bytes.toString('utf8', from, end) : before.toString('utf8'),
      mode: modeOf(bytes.readUInt32BE(start + 24)),
      id: bytes.toString('hex', start + 40, start + 40 + idBytes),
      stage: (flags >> STAGE) & 3,
      isMarked: (flags & MARKED) !== 0 || (more & SKIPPED) !== 0,
      isIntent: (more & INTENT) !== 0,
      start,
      end: at,
      get seen() {
        return SEEN.map((n) => bytes.readUInt32BE(start + 4 * n));
      },
    });
  }
  return hasNeededPart(bytes.subarray(at, bytes.length - idBytes)) ? null : entries;
}

/** The fields of `IndexEntry.seen`, each of four bytes. */
const SEEN = [0, 1, 2, 3, 5, 9];

const MODES = new Map<number, string>();
/** A tree has few modes and many files. */
function modeOf(bits: number): string {
  const known = MODES.get(bits) ?? bits.toString(8).padStart(6, '0');
  MODES.set(bits, known);
  return known;
}

/** A part whose name begins with a small letter changes what the entries mean. */
function hasNeededPart(parts: Buffer): boolean {
  for (let at = 0; at < parts.length; at += 8 + parts.readUInt32BE(at + 4))
    if (!/^[A-Z]/.test(parts.toString('latin1', at, at + 1))) return true;
  return false;
}

/** As git packs the number of bytes that the name before loses at its end. */
function varint(bytes: Buffer, from: number): { readonly value: number; readonly next: number } {
  let at = from;
  let byte = bytes.readUInt8(at++);
  let value = byte & 127;
  while ((byte & 128) !== 0) {
    byte = bytes.readUInt8(at++);
    value = (value + 1) * 128 + (byte & 127);
  }
  return { value, next: at };
}

/** Whether a file looks as it did when git saw it. */
export function isSeen({ seen }: IndexEntry, facts: BigIntStats): boolean {
  return seenOf(facts).every((value, n) => Number(BigInt.asUintN(32, value)) === seen[n]);
}

/** Whether a file was last changed so long before its index was written that a later change looks different. */
export const isSettled = (facts: BigIntStats, index: BigIntStats): boolean =>
  facts.ctimeNs + clockStepNs(facts) < index.mtimeNs;

const SECOND = 1_000_000_000n;
const seenOf = ({ ctimeNs, mtimeNs, ino, size }: BigIntStats): readonly bigint[] => [
  ctimeNs / SECOND,
  ctimeNs % SECOND,
  mtimeNs / SECOND,
  mtimeNs % SECOND,
  ino,
  size,
];
