// Where the records of the harness are (src/model/records.ts). What is in `.harness/` is a copy for people.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { RECORDS, type RecordName } from '../model/records.ts';
import type { StateFolders } from './folders.ts';

export type RecordFolders = StateFolders & {
  /** `.harness/`. */
  readonly stateDir: string;
};

const folderOf = ({ privateDir, workspaceDir }: StateFolders, name: RecordName): string =>
  RECORDS[name] === 'repository' ? privateDir : workspaceDir;

/** Where it is written, and read once a run has begun. */
export const keptPath = (folders: StateFolders, name: RecordName): string => join(folderOf(folders, name), name);
export const shownPath = ({ stateDir }: Pick<RecordFolders, 'stateDir'>, name: RecordName): string =>
  join(stateDir, name);

/** Exists since the first run of a program that keeps its records here: from then on what is in `.harness/` decides nothing. */
export const markPath = (folder: string): string => join(folder, 'records.json');

/** Where the record is read: `.harness/` only before the first run of this program. */
export function recordPath(folders: RecordFolders, name: RecordName): string {
  const kept = keptPath(folders, name);
  return existsSync(kept) || existsSync(markPath(folderOf(folders, name))) ? kept : shownPath(folders, name);
}
