// The cassette: what was said to agents in a run, and what they did, as lines of JSON that name nothing of the machine. Each
// line is sealed with the one before it: what was cut, changed or left out is found when it is read.
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
  /** `<mode>:<sha256>` before the turn; null: there was none. Left out: it is the harness's own, and of another content each time. */
  was: z.exactOptional(z.string().nullable()),
  /** null: it was deleted. */
  now: content.nullable(),
});
const header = z.object({
  t: z.literal('cassette'),
  schema: z.literal(1),
  harness: z.string(),
  playbook: z.string(),
  /** As a person types it to get the same run. */
  command: z.string(),
  /** The tree that the run began with. */
  tree: z.string(),
});
const turn = z.object({
  t: z.literal('turn'),
  session: z.int(),
  turn: z.int(),
  role: z.string(),
  item: z.string().nullable(),
  provider: z.string(),
  /** Masked and normal (normal.ts). */
  prompt: z.object({ sha256: z.string(), text: z.string() }),
  events: z.array(z.custom<AgentEvent>((value) => z.looseObject({ t: z.string() }).safeParse(value).success)),
  outcome: turnOutcome,
  /** The work tree as git names it. */
  tree: z.object({ before: z.string(), after: z.string() }),
  changes: z.array(change),
  /** Why it cannot be played: a code with words in the catalogue. Then it holds no events and no changes. */
  unplayable: z.string().nullable(),
});
/** Files that the harness wrote itself with times in them: a replay writes these times. */
const own = z.object({ t: z.literal('own'), key: z.string(), files: z.record(z.string(), z.string()) });
const end = z.object({
  t: z.literal('end'),
  result: z.string(),
  reason: z.string(),
  items: z.array(z.object({ id: z.string(), session: z.int(), result: z.string(), reason: z.string() })),
  tree: z.string(),
  /** It was interrupted on the way: `items` are those of its last life. */
  resumed: z.boolean(),
});
const line = z.discriminatedUnion('t', [header, turn, own, end]);

export type Content = z.output<typeof content>;
export type Change = z.output<typeof change>;
export type Header = z.output<typeof header>;
export type RecordedTurn = z.output<typeof turn>;
export type RecordedEnd = z.output<typeof end>;
export type Line = z.output<typeof line>;

export type Cassette = {
  readonly file: string;
  readonly header: Header;
  /** One for each session and turn: what was recorded last. In the order of recording. */
  readonly turns: readonly RecordedTurn[];
  readonly own: readonly z.output<typeof own>[];
  /** null: the recorded run was never finished. */
  readonly end: RecordedEnd | null;
  /** The seal of the last line: the next is bound to it. */
  readonly seal: string;
  readonly bytes: number;
};

/** More than any run needs whose agents write by hand. */
export const LARGEST_BYTES = 48 * 1024 * 1024;

/** A line as it is written, and its seal. */
export function sealed(previous: string, value: Line): { readonly text: string; readonly seal: string } {
  const json = JSON.stringify(value);
  const seal = sealOf(previous, json);
  return { text: `${json.slice(0, -1)},"seal":"${seal}"}\n`, seal };
}

const sealOf = (previous: string, json: string): string => sha256(`${previous}\n${json}`).slice(0, 32);

/**
 * Fails with `cassette-invalid` (`file`, `what`, and the line in `at`). `torn: 'cut'`: half a line at the end, left by a crash,
 * is left out; `bytes` says where what holds ends.
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
  const lines: Line[] = [];
  let seal = '';
  for (const [at, row] of rows.entries()) {
    const [, body, its] = /^(.*),"seal":"([0-9a-f]{32})"\}$/s.exec(row) ?? [];
    if (body === undefined || its !== sealOf(seal, `${body}}`)) return err(invalid(file, 'cassette-damaged', at + 1));
    const value = JSON.parse(`${body}}`) as { readonly schema?: unknown };
    if (at === 0 && typeof value.schema === 'number' && value.schema > 1)
      return err(invalid(file, 'cassette-newer', 1));
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
