// The cassette: the prompts of a run and what the agents did, as lines of JSON without anything specific to the machine. Each line has a
// seal that includes the line before it, so that a line that is cut, changed or removed is found when the file is read.
import { Buffer } from 'node:buffer';
import { z } from 'zod';
import { readText, sha256 } from '../../host/files.ts';
import type { AgentEvent } from '../../model/event.ts';
import { failure, type Failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { turnOutcome } from '../host/turn-results.ts';

/** A file after the turn; `text` where it is UTF-8, else `base64`. A link's text is where it points. */
const content = z.object({
  mode: z.enum(['file', 'executable', 'link']),
  text: z.exactOptional(z.string()),
  base64: z.exactOptional(z.string()),
});
const change = z.object({
  /** Repository-relative. */
  path: z.string().min(1),
  /** `<mode>:<sha256>` before the turn; null: there was no such file. Absent: a file of the harness, with different content each time. */
  was: z.exactOptional(z.string().nullable()),
  /** null: it was deleted. */
  now: content.nullable(),
});
const header = z.object({
  t: z.literal('cassette'),
  schema: z.literal(1),
  harness: z.string(),
  playbook: z.string(),
  /** The command that the user types for the same run. */
  command: z.string(),
  /** The tree at the start of the run. */
  tree: z.string(),
});
const turn = z.object({
  t: z.literal('turn'),
  session: z.int(),
  turn: z.int(),
  role: z.string(),
  item: z.string().nullable(),
  provider: z.string(),
  /** Masked and normalized (normalize.ts). */
  prompt: z.object({ sha256: z.string(), text: z.string() }),
  events: z.array(z.custom<AgentEvent>((value) => z.looseObject({ t: z.string() }).safeParse(value).success)),
  outcome: turnOutcome,
  /** Git tree ids of the work tree. */
  tree: z.object({ before: z.string(), after: z.string() }),
  changes: z.array(change),
  /** Why it cannot be replayed: a code with a text in the catalogue. Then it has no events and no changes. */
  unplayable: z.string().nullable(),
});
/** Files with times in them that the harness wrote itself: a replay writes the same times. */
const own = z.object({ t: z.literal('own'), key: z.string(), files: z.record(z.string(), z.string()) });
const end = z.object({
  t: z.literal('end'),
  result: z.string(),
  reason: z.string(),
  items: z.array(z.object({ id: z.string(), session: z.int(), result: z.string(), reason: z.string() })),
  tree: z.string(),
  /** The run was interrupted: `items` are those of its last process. */
  resumed: z.boolean(),
});
/** Of a later version of the harness. */
const newer = z.looseObject({ schema: z.number().gt(1) });
const line = z.discriminatedUnion('t', [header, turn, own, end]);

export type FileContent = z.output<typeof content>;
export type RecordedChange = z.output<typeof change>;
export type CassetteHeader = z.output<typeof header>;
export type RecordedTurn = z.output<typeof turn>;
export type RecordedEnd = z.output<typeof end>;
export type CassetteLine = z.output<typeof line>;

export type Cassette = {
  readonly file: string;
  readonly header: CassetteHeader;
  /** For each session and turn the last recording, in the order of recording. */
  readonly turns: readonly RecordedTurn[];
  readonly own: readonly z.output<typeof own>[];
  /** Null: the recorded run did not end. */
  readonly end: RecordedEnd | null;
  /** The seal of the last line, which the seal of the next one includes. */
  readonly seal: string;
  readonly bytes: number;
};

/** More than the run of any agent that types its changes. */
export const LARGEST_BYTES = 48 * 1024 * 1024;

/** A line of the file, and its seal. */
export function sealed(previous: string, value: CassetteLine): { readonly text: string; readonly seal: string } {
  const json = JSON.stringify(value);
  const seal = sealOf(previous, json);
  return { text: `${json.slice(0, -1)},"seal":"${seal}"}\n`, seal };
}

const sealOf = (previous: string, json: string): string => sha256(`${previous}\n${json}`).slice(0, 32);

/**
 * Fails with `cassette-invalid` (`file`, `what`, and the line in `at`). `torn: 'cut'`: an incomplete last line, left by a crash, is ignored;
 * `bytes` is where the complete lines end.
 */
export function readCassette(file: string, torn: 'refuse' | 'cut' = 'refuse'): Result<Cassette> {
  const text = readText(file);
  if (!text.ok) return text;
  if (text.value === null) return err(invalid(file, 'cassette-missing'));
  return parseCassette(file, text.value, torn);
}

export function parseCassette(file: string, text: string, torn: 'refuse' | 'cut' = 'refuse'): Result<Cassette> {
  const rows = text.split('\n');
  const rest = rows.pop() ?? '';
  if (rest !== '' && torn === 'refuse') return err(invalid(file, 'cassette-cut', rows.length + 1));
  const lines: CassetteLine[] = [];
  let seal = '';
  for (const [at, row] of rows.entries()) {
    const [, body, its] = /^(.*),"seal":"([0-9a-f]{32})"\}$/s.exec(row) ?? [];
    if (body === undefined || its !== sealOf(seal, `${body}}`)) return err(invalid(file, 'cassette-damaged', at + 1));
    const value: unknown = JSON.parse(`${body}}`);
    if (at === 0 && newer.safeParse(value).success) return err(invalid(file, 'cassette-newer', 1));
    const read = line.safeParse(value);
    if (!read.success || (read.data.t === 'cassette') !== (at === 0)) return err(invalid(file, 'cassette-odd', at + 1));
    lines.push(read.data);
    seal = its;
  }
  const first = lines[0];
  if (first?.t !== 'cassette') return err(invalid(file, 'cassette-empty'));
  const turns = new Map(lines.flatMap((one) => (one.t === 'turn' ? [[`${one.session}/${one.turn}`, one]] : [])));
  return ok({
    file,
    header: first,
    turns: [...turns.values()],
    own: lines.filter((one) => one.t === 'own'),
    end: lines.findLast((one) => one.t === 'end') ?? null,
    seal,
    bytes: Buffer.byteLength(text) - Buffer.byteLength(rest),
  });
}

export const findTurn = (cassette: Cassette, session: number, number: number): RecordedTurn | null =>
  cassette.turns.find((one) => one.session === session && one.turn === number) ?? null;

const invalid = (file: string, what: string, at?: number): Failure =>
  failure('cassette-invalid', { file, what }, { at: { file, ...(at === undefined ? {} : { line: at }) } });
