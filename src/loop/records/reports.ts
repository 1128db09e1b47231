// What became of the items of a run, one line each: `reports.jsonl` in the private folder, of the newest run alone.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { tailOf } from '../../host/files.ts';
import { itemOutcomeSchema, type ItemOutcome } from '../../model/action.ts';
import type { ItemId } from '../../model/item.ts';
import type { RunContext } from '../run-context.ts';

const itemReport = itemOutcomeSchema.extend({ id: z.string(), session: z.number() });
export type ItemReport = z.output<typeof itemReport>;
/** `key`: of the item's action; a line that is written again after a crash has the same. */
const line = itemReport.extend({ run: z.string(), key: z.string() });

const fileOf = (workspaceDir: string): string => join(workspaceDir, 'reports.jsonl');

export function reportItem(
  { workspaceDir, io, run }: Pick<RunContext, 'workspaceDir' | 'io' | 'run'>,
  key: string,
  { item: id, session, outcome }: { readonly item: ItemId; readonly session: number; readonly outcome: ItemOutcome },
): void {
  const text = `${JSON.stringify({ run, key, id, session, ...outcome })}\n`;
  const file = fileOf(workspaceDir);
  const tail = tailOf(file, LONGEST);
  const isOfRun = lastLine(tail, () => true)?.run === run;
  // A crash may have left half a line. Nothing waits for it: people read it, and the outcome of the item, which is durable after it, decides.
  if (isOfRun) io.append(file, tail.endsWith('\n') ? text : `\n${text}`, 'may-be-lost');
  else io.replace(file, text, 'may-be-lost');
}

/** In the order in which the items ended; `run` null: of the newest run. Lines that are torn or of another version are left out. */
export function itemReports(workspaceDir: string, run: string | null): readonly ItemReport[] {
  const lines = linesIn(fileOf(workspaceDir)).filter((one) => run === null || one.run === run);
  const byKey = new Map(lines.map(({ key, run: _run, ...report }) => [key, report]));
  return [...byKey.values()];
}

/** The newest report of a session, where it is among the last; null: it is not. */
export const lastReport = (workspaceDir: string, session: number): ItemReport | null =>
  lastLine(tailOf(fileOf(workspaceDir), LONGEST), (one) => one.session === session);

/** Bytes of the end of the file that hold its last line. */
const LONGEST = 256 * 1024;

/** The last that is so; null: none. Most of the text is not looked at. */
function lastLine(text: string, is: (one: z.output<typeof line>) => boolean): z.output<typeof line> | null {
  for (const one of text.split('\n').reverse()) {
    const [read] = linesOf(one);
    if (read !== undefined && is(read)) return read;
  }
  return null;
}

const linesIn = (file: string): readonly z.output<typeof line>[] =>
  existsSync(file) ? linesOf(readFileSync(file, 'utf8')) : [];

const linesOf = (text: string): readonly z.output<typeof line>[] =>
  text.split('\n').flatMap((one) => {
    try {
      return line.safeParse(JSON.parse(one)).data ?? [];
    } catch {
      return []; // torn
    }
  });
