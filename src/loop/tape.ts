// The cassette that a run is recorded on or played from. Durable line by line, bounded, and without secrets: a turn that contains one
// is recorded by name only, with the reason.
import { Buffer } from 'node:buffer';
import { existsSync, readFileSync } from 'node:fs';
import {
  LARGEST_BYTES,
  readCassette,
  sealed,
  type Cassette,
  type CassetteHeader,
  type CassetteLine,
  type RecordedEnd,
  type RecordedTurn,
} from '../agents/replay/cassette.ts';
import { divergence } from '../agents/replay/divergence.ts';
import type { Io } from '../host/io.ts';
import type { Failure } from '../model/failure.ts';
import { ok, type Result } from '../model/result.ts';

export type { RecordedEnd };
export type Recording = {
  readonly is: 'recording';
  /** An earlier process of this run began it. */
  readonly isResumed: boolean;
  /** Where it is kept for people. */
  readonly file: string;
  has(session: number, turn: number): boolean;
  /** Texts that the harness wrote under this key, as they were recorded. */
  own(key: string): readonly { readonly [path: string]: string }[];
  /** Durable on return, whole or not at all. */
  add(line: CassetteLine): void;
  turns(): readonly RecordedTurn[];
  /** Puts what is recorded so far where people look for it. */
  keep(): void;
};
export type Playing = {
  readonly is: 'playing';
  readonly cassette: Cassette;
  /** An earlier process of this run began it. */
  readonly isResumed: boolean;
  /** Where it is kept what was played; its first line is the tree that the replay began with. */
  readonly file: string;
  /** Durable: which turns this run has played. */
  played(session: number, turn: number): void;
  /** Turns of the cassette that were not played. */
  left(): readonly RecordedTurn[];
};
export type Tape = Recording | Playing;

/** Begins a cassette, or continues one that an earlier process of the run began: a line cut by a crash is removed. */
export function openRecording(
  io: Io,
  { growing, file }: { readonly growing: string; readonly file: string },
  header: CassetteHeader | null,
): Result<Recording> {
  if (header !== null) io.replace(growing, sealed('', header).text);
  const read = readCassette(growing, 'cut');
  if (!read.ok) return read;
  const { bytes } = read.value;
  const whole = readFileSync(growing);
  if (whole.length > bytes) io.replace(growing, whole.subarray(0, bytes));
  const turns = new Map(read.value.turns.map((turn) => [nameOf(turn), turn]));
  const own = [...read.value.own];
  let { seal } = read.value;
  let written = bytes;
  const write = (line: CassetteLine): void => {
    const next = sealed(seal, line);
    io.append(growing, next.text);
    seal = next.seal;
    written += Buffer.byteLength(next.text);
    if (line.t === 'turn') turns.set(nameOf(line), line);
    if (line.t === 'own') own.push(line);
  };
  return ok({
    is: 'recording',
    isResumed: header === null,
    file,
    has: (session, turn) => turns.has(nameOf({ session, turn })),
    own: (key) => own.filter((one) => one.key === key).map((one) => one.files),
    add(line) {
      const size = written + Buffer.byteLength(JSON.stringify(line)) + 100;
      if (size <= LARGEST_BYTES || line.t === 'end') write(line);
      else if (line.t === 'turn') write(emptied({ ...line, prompt: { ...line.prompt, text: '' } }, 'cassette-full'));
    },
    turns: () => [...turns.values()],
    keep: () => io.replace(file, readFileSync(growing)),
  });
}

/** `began`: the tree a replay begins with; null: it continues what an earlier process began. */
export function openPlaying(
  io: Io,
  cassette: string,
  { file, began }: { readonly file: string; readonly began: string | null },
): Result<Playing> {
  const read = readCassette(cassette);
  if (!read.ok) return read;
  if (began !== null || !existsSync(file)) io.replace(file, `${began ?? ''}\n`);
  return ok({
    is: 'playing',
    cassette: read.value,
    isResumed: began === null,
    file,
    played: (session, turn) => io.append(file, `${session}/${turn}\n`),
    left() {
      const played = new Set(existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []);
      return read.value.turns.filter((turn) => !played.has(nameOf(turn)));
    },
  });
}

/** The replay has its verdict: what of it is not as it was recorded. */
export function endPlaying(io: Io, tape: Playing, now: RecordedEnd): Failure | null {
  const { cassette } = tape;
  const [left, ...more] = tape.left();
  const [began] = readFileSync(tape.file, 'utf8').split('\n');
  io.remove(tape.file);
  if (left !== undefined) {
    const { session, turn } = left;
    return divergence(cassette, 'departed-left', { session, turn, count: 1 + more.length });
  }
  const { end } = cassette;
  if (end === null) return null;
  const [expected, found] = tape.isResumed || end.resumed ? commonTexts(end, now) : [endText(end), endText(now)];
  if (expected !== found) return divergence(cassette, 'departed-verdict', { expected, found });
  // From another start the same work leads to another tree.
  if (began !== cassette.header.tree || end.tree === now.tree) return null;
  return divergence(cassette, 'departed-verdict', { expected: `tree ${end.tree}`, found: `tree ${now.tree}` });
}

/** The report of a run that was interrupted has the items of its last process only. */
const commonTexts = (one: RecordedEnd, other: RecordedEnd): readonly [string, string] => {
  const of = (mine: RecordedEnd, theirs: RecordedEnd): string =>
    mine.items
      .filter(({ session }) => theirs.items.some((item) => item.session === session))
      .map(itemText)
      .join(', ');
  return [of(one, other), of(other, one)];
};

const itemText = ({ id, result, reason }: RecordedEnd['items'][number]): string => `#${id} ${result} (${reason})`;
const endText = ({ result, reason, items }: RecordedEnd): string =>
  [`${result} (${reason})`, ...items.map(itemText)].join(', ');

/** A turn by name alone, with the reason why it cannot be played. */
export const emptied = (turn: RecordedTurn, why: string): RecordedTurn => ({
  ...turn,
  events: [],
  changes: [],
  outcome: { ...turn.outcome, text: '' },
  unplayable: why,
});

const nameOf = ({ session, turn }: { readonly session: number; readonly turn: number }): string => `${session}/${turn}`;
