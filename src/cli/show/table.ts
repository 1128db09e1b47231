// Lines in columns. Makes text of agents and files printable: one line, no control characters.
import { printable } from '../../host/formatter.ts';

/** Longer texts are cut in lists, not in details. */
const LONGEST = 100;

export const oneLine = (text: string): string => printable(text.replace(/\s+/g, ' ').trim());

export function short(text: string, most: number = LONGEST): string {
  const line = oneLine(text);
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}

/** Pads every column but the last to its widest cell. `paint` colours a cell after padding. */
export function columns(
  rows: readonly (readonly string[])[],
  paint: (text: string, row: number, column: number) => string = (text) => text,
): readonly string[] {
  const widths: number[] = [];
  for (const row of rows) for (const [c, cell] of row.entries()) widths[c] = Math.max(widths[c] ?? 0, cell.length);
  return rows.map((row, r) =>
    row
      .map((cell, c) => paint(c === row.length - 1 ? cell : cell.padEnd(widths[c] ?? 0), r, c))
      .join('  ')
      .trimEnd(),
  );
}

/** `label  value`, one line each; further lines of a value are aligned below its first. */
export function pairs(list: readonly (readonly [string, string | readonly string[]])[]): readonly string[] {
  const rows = list.flatMap(([label, value]) =>
    typeof value === 'string' ? [[label, value]] : value.map((line, i) => [i === 0 ? label : '', line]),
  );
  return columns(rows);
}
