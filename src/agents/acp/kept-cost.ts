// What a session had cost when its last turn ended, kept in its private folder: a resumed session tells its whole cost only.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../host/files.ts';

const fileOf = (home: string, id: string): string => join(home, `acp-cost-${sha256(id).slice(0, 16)}.json`);

/** US dollars; null if unknown. */
export function readCost(home: string, id: string): number | null {
  try {
    const read: unknown = JSON.parse(readFileSync(fileOf(home, id), 'utf8'));
    return typeof read === 'number' ? read : null;
  } catch {
    return null;
  }
}

/** A lost write only makes one later turn's cost unknown. */
export function keepCost(home: string, id: string, costUsd: number): void {
  try {
    mkdirSync(home, { recursive: true });
    writeFileSync(fileOf(home, id), JSON.stringify(costUsd));
  } catch {
    // see above
  }
}
