// The file of the session state (L1): one JSON line for each call of `append`, so that a crash writes all of its entries or none.
// I1 a torn last line was never durable and is cut; the same call writes it again. I2 a broken line before it is refused.
import { z } from 'zod';
import { failure } from '../model/failure.ts';
import type { MemoryEntry } from '../model/memory.ts';
import { err, ok, type Result } from '../model/result.ts';
import { isLasting, markedIn, trickKey } from './tricks.ts';

const entry = z.object({
  n: z.int().positive(),
  session: z.int(),
  role: z.string(),
  item: z.string().nullable(),
  lines: z.array(z.string()).readonly(),
});
const record = z.object({
  /** Of the action that appended it. */
  token: z.string(),
  at: z.string(),
  /** Empty: they were pruned, and the token is kept so that the call is still known. */
  entries: z.array(entry).readonly(),
});
export type MemoryRecord = Readonly<z.output<typeof record>>;

export const lineOf = (one: MemoryRecord): string => `${JSON.stringify(one)}\n`;

/** `isTorn`: the last line was cut by a crash and is left out. Fails with `state-unreadable` (`file`) at a broken line before it. */
export function readRecords(
  text: string,
  file: string,
): Result<{ readonly records: readonly MemoryRecord[]; readonly isTorn: boolean }> {
  const lines = text.split('\n');
  const rest = lines.pop() ?? '';
  const records: MemoryRecord[] = [];
  for (const [at, line] of lines.entries()) {
    const read = parsed(line);
    if (read === null && at === lines.length - 1 && rest === '') return ok({ records, isTorn: true });
    if (read === null) return err(failure('state-unreadable', { file }, { at: { file, line: at + 1 } }));
    records.push(read);
  }
  return ok({ records, isTorn: rest !== '' });
}

function parsed(line: string): MemoryRecord | null {
  try {
    const read = record.safeParse(JSON.parse(line));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}

export const entriesOf = (records: readonly MemoryRecord[]): readonly MemoryEntry[] =>
  records.flatMap(({ at, entries }) => entries.map((one) => ({ ...one, at })));

/** The number of the newest entry; 0: there is none. */
export const newestOf = (records: readonly MemoryRecord[]): number =>
  records.reduce((most, { entries }) => Math.max(most, entries.at(-1)?.n ?? 0), 0);

/** Characters of the lines that are kept whole, and of older lines that name a trick; calls whose tokens are kept without entries. */
export const RAW_CAPS = { whole: 120_000, tricks: 40_000, tokens: 1_000 } as const;
export type RawCaps = { readonly whole: number; readonly tricks: number; readonly tokens: number };

const lengthOf = (lines: readonly string[]): number => lines.reduce((sum, line) => sum + line.length + 1, 0);

/**
 * The newest entries as they are, as many as the cap allows and always the newest; of older ones the lines that name or confirm a trick, each once for its
 * session and role. The records are returned unchanged where nothing is over its cap.
 */
export function prune(records: readonly MemoryRecord[], caps: RawCaps = RAW_CAPS): readonly MemoryRecord[] {
  const total = records.reduce(
    (sum, { entries }) => sum + entries.reduce((all, { lines }) => all + lengthOf(lines), 0),
    0,
  );
  if (total <= caps.whole && records.length <= caps.tokens) return records;
  const seen = new Set<string>();
  const kept: MemoryRecord[] = [];
  let whole = 0;
  let tricks = 0;
  let isOver = false;
  let tokens = 0;
  for (const { entries, ...about } of records.toReversed()) {
    const left = entries.toReversed().flatMap((one) => {
      const key = (line: string): string => {
        const { mark = '', text = '' } = markedIn(line) ?? {};
        return JSON.stringify([mark, trickKey(text), one.session, one.role]);
      };
      const length = lengthOf(one.lines);
      isOver ||= whole > 0 && whole + length > caps.whole;
      if (!isOver) {
        whole += length;
        for (const line of one.lines) if (isLasting(line)) seen.add(key(line));
        return [one];
      }
      const lines = one.lines.filter((line) => {
        if (!isLasting(line) || seen.has(key(line)) || tricks + line.length + 1 > caps.tricks) return false;
        seen.add(key(line));
        tricks += line.length + 1;
        return true;
      });
      return lines.length === 0 ? [] : [{ ...one, lines }];
    });
    if (left.length === 0 && (tokens += 1) > caps.tokens) continue;
    kept.push({ ...about, entries: left.toReversed() });
  }
  return kept.toReversed();
}
