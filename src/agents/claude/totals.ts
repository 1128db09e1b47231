// Owns the totals of earlier lives of a session, kept in its private folder: a resumed session goes on counting.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Totals } from './usage.ts';

const fileOf = (home: string, id: string): string => join(home, `claude-totals-${id}.json`);

/** As of the last turn that ended; null if unknown. */
export function readTotals(home: string, id: string): Totals | null {
  try {
    const read: unknown = JSON.parse(readFileSync(fileOf(home, id), 'utf8'));
    return isTotals(read) ? read : null;
  } catch {
    return null;
  }
}

/** A lost write only makes one later turn's cost unknown. */
export function keepTotals(home: string, id: string, totals: Totals): void {
  try {
    mkdirSync(home, { recursive: true });
    writeFileSync(fileOf(home, id), JSON.stringify(totals));
  } catch {
    // see above
  }
}

const isTotals = (read: unknown): read is Totals =>
  typeof read === 'object' &&
  read !== null &&
  ['input', 'output', 'cached', 'costUsd'].every(
    (key) => typeof (read as { readonly [key: string]: unknown })[key] === 'number',
  );
