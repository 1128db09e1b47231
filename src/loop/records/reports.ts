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
  const isOfRun = linesOf(tail).at(-1)?.run === run;
  // A crash may have left half a line.
  if (isOfRun) io.append(file, tail.endsWith('\n') ? text : `\n${text}`);
  else io.replace(file, text);
}

/** In the order in which the items ended; `run` null: of the newest run. Lines that are torn or of another version are left out. */
export function itemReports(workspaceDir: string, run: string | null): readonly ItemReport[] {
  const lines = linesIn(fileOf(workspaceDir)).filter((one) => run === null || one.run === run);
  const byKey = new Map(lines.map(({ key, run: _run, ...report }) => [key, report]));
  return [...byKey.values()];
}

/** The newest report of a session, where it is among the last; null: it is not. */
export const lastReport = (workspaceDir: string, session: number): ItemReport | null =>
  linesOf(tailOf(fileOf(workspaceDir), LONGEST)).findLast((one) => one.session === session) ?? null;

/** Bytes of the end of the file that hold its last line. */
const LONGEST = 256 * 1024;

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
