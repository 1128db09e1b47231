// Reads harness-tasks.json: every mistake at once, each with task, field, line, column and what is allowed.
import type { Result } from '../../model/result.ts';
import { readRecords, type Format } from '../records/read.ts';
import { FILE_FIELDS, TASK_FIELDS, type TasksFile } from './schema.ts';

const FORMAT: Format = { list: 'tasks', entry: 'Task', file: FILE_FIELDS, fields: TASK_FIELDS };

/** Failure: `backlog-invalid` with `count` and one cause per mistake. A wrong dependency is not a mistake of the file: it fails its task. */
export const readTasks = (text: string, file: string): Result<TasksFile> => readRecords(text, file, FORMAT);

/** If it is not, the copy from before the last write is used. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
