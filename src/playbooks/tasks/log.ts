// Lines of harness-progress.txt. Each entry is one line, so that grep finds all of it.
import { z } from 'zod';
import type { ReadContext } from '../../engine/definitions.ts';
import type { TaskId } from './schema.ts';
import type { Problem, ProblemCode } from '../../model/verdict.ts';

export const LINE_TYPES = [
  'INIT',
  'Starting',
  'Completed',
  'ERROR',
  'CHECKPOINT',
  'ROLLBACK',
  'RECOVERY',
  'STATS',
  'LOCK',
  'WARN',
] as const;
export type LineType = (typeof LINE_TYPES)[number];
export const CATEGORIES = ['ENV_SETUP', 'TASK_EXEC', 'TEST_FAIL', 'TIMEOUT', 'DEPENDENCY', 'SESSION_TIMEOUT'] as const;
export type Category = (typeof CATEGORIES)[number];
/** Why an attempt failed, in the log and in error_log. */
export const taskErrorSchema = z.object({ category: z.enum(CATEGORIES), message: z.string() });
export type TaskError = z.output<typeof taskErrorSchema>;

/** The line of a run whose environment started; once in each. */
export const HEALTHY = 'Environment health check: PASS';

/** Some thousand lines. What is older is not looked for, so that no item reads more the longer the project is. */
const END_BYTES = 256 * 1024;

/** The end of the log; empty: there is none. */
export const lastOfLog = async ({ view, config }: Pick<ReadContext, 'view' | 'config'>): Promise<string> =>
  (await view.read(config.paths.progress, END_BYTES)) ?? '';

export type LogLine = {
  /** ISO 8601. */
  readonly at: string;
  readonly session: number;
  readonly type: LineType;
  readonly task?: TaskId;
  readonly category?: Category;
  readonly message: string;
};

/** Without its line end. The time has no fractions, as in the reference. */
export function logLine({ at, session, type, task, category, message }: LogLine): string {
  const parts = [`[${at.replace(/\.\d+(?=Z|[+-])/, '')}]`, `[SESSION-${session}]`, type];
  if (task !== undefined) parts.push(`[${oneLine(task)}]`);
  if (category !== undefined) parts.push(`[${category}]`);
  return [...parts, oneLine(message)].join(' ').trimEnd();
}

const oneLine = (text: string): string => text.replace(/\s*[\r\n]+\s*/g, ' ').trim();

const LINE = /^\[([^\]]+)\] \[SESSION-(\d+)\] ([A-Za-z]+)(?: \[([^\]]+)\])?(?: \[([A-Z_]+)\])?(?: (.*))?$/;

/** null: not a line of this format, such as a note of the user. */
export function readLine(line: string): LogLine | null {
  const [, at = '', session = '', type = '', task, category, message = ''] = LINE.exec(line) ?? [];
  const known = LINE_TYPES.find((one) => one === type);
  if (known === undefined) return null;
  const kind = CATEGORIES.find((one) => one === category);
  // What looks like a category and is none belongs to the words.
  const words = category !== undefined && kind === undefined ? `[${category}] ${message}`.trim() : message;
  return {
    at,
    session: Number(session),
    type: known,
    ...(task === undefined ? {} : { task }),
    ...(kind === undefined ? {} : { category: kind }),
    message: words,
  };
}

/** A step that an agent reports: `CHECKPOINT step=2/4 "routes made"`, anywhere in a line. */
export function checkpointIn(text: string): { step: number; total: number; description: string } | null {
  const [, step = '', total = '', description = ''] =
    /\bCHECKPOINT step=(\d{1,4})\/(\d{1,4}) "([^"\n]*)"/.exec(text) ?? [];
  if (step === '' || Number(total) === 0 || Number(step) > Number(total)) return null;
  return { step: Number(step), total: Number(total), description };
}

/** The category of an attempt's first problem. Any other is TEST_FAIL. */
const CATEGORY: { readonly [C in ProblemCode]?: Category } = {
  'check-timed-out': 'TIMEOUT',
  'command-missing': 'ENV_SETUP',
  'harness-file-edited': 'TASK_EXEC',
  'config-edited': 'TASK_EXEC',
  'git-files-edited': 'TASK_EXEC',
  'history-rewritten': 'TASK_EXEC',
  'branch-switched': 'TASK_EXEC',
  'nested-repository': 'TASK_EXEC',
  'secret-in-change': 'TASK_EXEC',
  'tree-changed-since-check': 'TASK_EXEC',
  'branch-moved': 'TASK_EXEC',
  'landing-conflict': 'TASK_EXEC',
};

const MOST_CHARS = 300;

/** Why an attempt failed, on one line, with the last line of the command's output. */
export function errorOf(reason: string, problems: readonly Problem[]): TaskError {
  const [first] = problems;
  if (first === undefined) return { category: 'TASK_EXEC', message: reason };
  const { code, params, ids = [] } = first;
  const known = ['check', 'exit', 'limit', 'count', 'path', 'file'].flatMap((name) =>
    params[name] === undefined ? [] : [`${name}=${params[name]}`],
  );
  const said =
    String(params['tail'] ?? '')
      .trimEnd()
      .split('\n')
      .at(-1)
      ?.trim() ?? '';
  const words = [code, ...known, ...ids.slice(0, 5), ...(said === '' ? [] : [`: ${said}`])]
    .join(' ')
    .replace(' : ', ': ');
  return { category: CATEGORY[code] ?? 'TEST_FAIL', message: words.replace(/\s+/g, ' ').slice(0, MOST_CHARS) };
}

/** An entry of error_log. */
export const errorLine = ({ category, message }: TaskError): string => `[${category}] ${message}`;
