// Where the records of the harness are (src/model/records.ts). What is in `.harness/` is a copy for people.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { RECORDS, type RecordName } from '../model/records.ts';
import type { StateFolders } from './folders.ts';

/** `treeDir`: the state of the work tree that tests run in, where it is another one (lanes). */
type KeptFolders = StateFolders & { readonly treeDir?: string };
export type RecordFolders = KeptFolders & {
  /** `.harness/`. */
  readonly stateDir: string;
};

const folderOf = ({ privateDir, workspaceDir, treeDir = workspaceDir }: KeptFolders, name: RecordName): string =>
  RECORDS[name] === 'repository' ? privateDir : RECORDS[name] === 'tree' ? treeDir : workspaceDir;

/** Where it is written, and read once a run has begun. */
export const keptPath = (folders: KeptFolders, name: RecordName): string => join(folderOf(folders, name), name);
export const shownPath = ({ stateDir }: Pick<RecordFolders, 'stateDir'>, name: RecordName): string =>
  join(stateDir, name);

/** Exists since the first run of a program that keeps its records here: from then on what is in `.harness/` decides nothing. */
export const markPath = (folder: string): string => join(folder, 'records.json');

/** Where the record is read: `.harness/` only before the first run of this program. */
export function recordPath(folders: RecordFolders, name: RecordName): string {
  const kept = keptPath(folders, name);
  return existsSync(kept) || existsSync(markPath(folderOf(folders, name))) ? kept : shownPath(folders, name);
}
