// Where the records of the harness are (src/model/records.ts), and how those of an older program, which were in `.harness/` alone,
// come to be there. What is in `.harness/` afterwards is a copy for people.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Io } from '../host/io.ts';
import { RECORDS, RECORD_NAMES, type RecordName } from '../model/records.ts';
import type { StateFolders } from './folders.ts';

export type RecordFolders = StateFolders & {
  /** `.harness/`. */
  readonly stateDir: string;
};

const folderOf = ({ privateDir, workspaceDir }: StateFolders, name: RecordName): string =>
  RECORDS[name] === 'repository' ? privateDir : workspaceDir;

/** Where it is written, and read once a run has begun. */
export const keptPath = (folders: StateFolders, name: RecordName): string => join(folderOf(folders, name), name);
export const shownPath = ({ stateDir }: Pick<RecordFolders, 'stateDir'>, name: RecordName): string => join(stateDir, name);

/** Exists since the first run of a program that keeps its records here: from then on what is in `.harness/` decides nothing. */
const markOf = (folder: string): string => join(folder, 'records.json');

/** Where the record is read: `.harness/` only before the first run of this program. */
export function recordPath(folders: RecordFolders, name: RecordName): string {
  const kept = keptPath(folders, name);
  return existsSync(kept) || existsSync(markOf(folderOf(folders, name))) ? kept : shownPath(folders, name);
}

/** Takes over the records of an older program. Only under the run lock, with no agent at work. Repeatable after a crash. */
export function adoptRecords(io: Io, folders: RecordFolders): void {
  for (const name of RECORD_NAMES) {
    const [from, to] = [recordPath(folders, name), keptPath(folders, name)];
    if (from !== to && existsSync(from)) io.replace(to, readFileSync(from));
  }
  for (const folder of new Set([folders.privateDir, folders.workspaceDir]))
    if (!existsSync(markOf(folder))) io.replace(markOf(folder), '{"schema":1}\n');
}
