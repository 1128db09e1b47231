// The totals of a session, stored in its private folder, so that a resumed session continues counting.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Totals } from './usage.ts';

const totals = z.object({ input: z.number(), output: z.number(), cached: z.number(), costUsd: z.number() });

const fileOf = (home: string, id: string): string => join(home, `claude-totals-${id}.json`);

/** As of the last turn that ended; null if unknown. */
export function readTotals(home: string, id: string): Totals | null {
  try {
    return totals.parse(JSON.parse(readFileSync(fileOf(home, id), 'utf8')));
  } catch {
    return null;
  }
}

/** A lost write only makes one later turn's cost unknown. */
export function keepTotals(home: string, id: string, known: Totals): void {
  try {
    mkdirSync(home, { recursive: true });
    writeFileSync(fileOf(home, id), JSON.stringify(known));
  } catch {
    // see the comment of the function
  }
}
