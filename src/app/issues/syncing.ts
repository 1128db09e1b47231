// What the parts of a sync of issues work with, and what they report.
import type { Listing } from '../../engine/backlog.ts';
import type { Forge, Issue } from '../../forge/port.ts';
import type { Catalogue } from '../../host/catalogue.ts';
import { ok, type Result } from '../../model/result.ts';
import type { Target } from '../open/target.ts';
import type { MirroredItem } from './links.ts';
import type { IssuesRecord } from './record.ts';

export type SyncEvent = {
  readonly do: 'create' | 'close' | 'explain' | 'reopen' | 'report' | 'skip' | 'add' | 'retitle' | 'wait' | 'refuse';
  readonly number: number;
  /** '': it is no item yet. */
  readonly item: string;
  /** The address, the title, the numbers that it waits for, or why it is refused. */
  readonly words: string;
};
/** What a sync works with. `save`: after each thing that was done on the forge. */
export type Syncing = {
  readonly target: Target;
  readonly forge: Forge;
  readonly catalogue: Catalogue;
  /** The newest list. */
  readonly text: string;
  readonly listing: Listing;
  readonly items: readonly MirroredItem[];
  /** Issues that changed since the last look. */
  readonly seen: readonly Issue[];
  readonly report: (event: SyncEvent) => void;
  record: IssuesRecord;
  save(change: Partial<IssuesRecord>): void;
};

/** null: there is no such issue. */
export async function readOrNone(forge: Forge, number: number): Promise<Result<Issue | null>> {
  const read = await forge.readIssue(number);
  return read.ok || read.failure.reason !== 'forge-not-found' ? read : ok(null);
}

/** A forge shows changes with a delay: those shortly before the newest one that was seen are asked for again. */
const OVERLAP_MS = 2 * 60_000;
export const lookFrom = (since: string | null): string | null =>
  since === null ? null : new Date(Date.parse(since) - OVERLAP_MS).toISOString();
