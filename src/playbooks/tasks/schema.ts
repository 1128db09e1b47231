// harness-tasks.json: types, the rule of each field, what a missing one means, and its reader. Names are the file's own.
// Unknown fields are allowed and survive.
import type { Override, Skipped } from '../../model/item.ts';
import type { Json } from '../../model/json.ts';
import {
  isAtLeast,
  isFilled,
  isList,
  isObject,
  isOneOf,
  isText,
  isWord,
  quoted,
  rule,
  type FieldRule,
  readRecords,
  type Format,
} from '../records/read.ts';
import type { Result } from '../../model/result.ts';

export const STATUSES = ['pending', 'in_progress', 'completed', 'failed'] as const;
export type TaskStatus = (typeof STATUSES)[number];
/** The first runs first. */
export const PRIORITIES = ['P0', 'P1', 'P2'] as const;
export type Priority = (typeof PRIORITIES)[number];

export type TaskId = string;
/** A step that an agent reported as done. */
export type TaskCheckpoint = {
  readonly step: number;
  readonly total: number;
  readonly description: string;
  /** ISO 8601. */
  readonly timestamp: string;
};
export type Task = {
  readonly id: TaskId;
  readonly title: string;
  readonly status: TaskStatus;
  readonly priority?: Priority | null;
  readonly depends_on?: readonly TaskId[] | null;
  /** Failures so far. */
  readonly attempts?: number | null;
  readonly max_attempts?: number | null;
  /** Full or abbreviated id of the commit that a failure goes back to. */
  readonly started_at_commit?: string | null;
  readonly validation?: { readonly command?: string | null; readonly timeout_seconds?: number | null } | null;
  readonly on_failure?: { readonly cleanup?: string | null } | null;
  /** One line each, the category in brackets first: `[TEST_FAIL] 2 tests fail`. */
  readonly error_log?: readonly string[] | null;
  readonly checkpoints?: readonly TaskCheckpoint[] | null;
  /** ISO 8601. */
  readonly completed_at?: string | null;
  /** Decisions of the user. */
  readonly skipped?: Skipped | null;
  readonly override?: Override | null;
  readonly [unknown: string]: Json | undefined;
};
export type TasksFile = {
  readonly version?: number;
  readonly created?: string;
  readonly session_config?: {
    readonly max_tasks_per_session?: number | null;
    readonly max_sessions?: number | null;
  } | null;
  readonly tasks: readonly Task[];
  readonly session_count?: number | null;
  /** ISO 8601. */
  readonly last_session?: string | null;
};

const DEFAULT_MAX_ATTEMPTS = 3;
/** For a validation without a time-out of its own. */
const DEFAULT_TIMEOUT_SECONDS = 300;
const DEFAULT_LIMITS = { tasks: 20, sessions: 50 } as const;

export const dependenciesOf = (task: Task): readonly TaskId[] => task.depends_on ?? [];
export const attemptsOf = (task: Task): number => task.attempts ?? 0;
export const maxAttemptsOf = (task: Task): number => task.max_attempts ?? DEFAULT_MAX_ATTEMPTS;
export const hasAttemptsLeft = (task: Task): boolean => attemptsOf(task) < maxAttemptsOf(task);
/** A task without a priority runs after all that have one. */
export const rankOf = ({ priority }: Task): number => (priority ? PRIORITIES.indexOf(priority) : PRIORITIES.length);
export const sessionsOf = (file: TasksFile): number => file.session_count ?? 0;
/** How many tasks a session takes up, and how many sessions there are, at most. */
export const limitsOf = ({
  session_config: config,
}: TasksFile): { readonly tasks: number; readonly sessions: number } => ({
  tasks: config?.max_tasks_per_session ?? DEFAULT_LIMITS.tasks,
  sessions: config?.max_sessions ?? DEFAULT_LIMITS.sessions,
});
/** Null: it has none and lands unproved. */
export const validationOf = ({ validation }: Task): { readonly command: string; readonly timeoutMs: number } | null =>
  validation?.command
    ? { command: validation.command, timeoutMs: 1000 * (validation.timeout_seconds ?? DEFAULT_TIMEOUT_SECONDS) }
    : null;

/** The start of the log line of a task that was not tried because of what it depends on. */
export const DEPENDENCY = '[DEPENDENCY]';
export const isKeptBack = (task: Task): boolean =>
  task.status === 'failed' && (task.error_log ?? []).some((line) => line.startsWith(DEPENDENCY));
export const isSkipped = (task: Task): boolean => (task.skipped ?? null) !== null && task.status !== 'completed';
/** Tasks that depend on it may start. */
export const isFree = (task: Task): boolean =>
  task.status === 'completed' || (isSkipped(task) && task.skipped?.unblock === true);

const isCount = isAtLeast(0);
const isLimit = isAtLeast(1);
const isSeconds = (v: unknown): boolean => typeof v === 'number' && Number.isFinite(v) && v > 0 && v <= 86_400;
const has = (v: unknown, name: string, fits: (v: unknown) => boolean): boolean =>
  isObject(v) && ((v[name] ?? null) === null || fits(v[name]));

/** `null` counts as absent wherever a field is not required. */
export const TASK_FIELDS: readonly FieldRule[] = [
  rule('id', 'a word such as task-001', isWord, true),
  rule('title', 'string', isFilled, true),
  rule('status', quoted(STATUSES), isOneOf(STATUSES), true),
  rule('priority', quoted(PRIORITIES), isOneOf(PRIORITIES)),
  rule('depends_on', 'id[]', isList(isFilled)),
  rule('attempts', 'integer ≥ 0', isCount),
  rule('max_attempts', 'integer ≥ 1', isLimit),
  rule('started_at_commit', 'commit id', (v) => typeof v === 'string' && /^[0-9a-f]{4,64}$/i.test(v)),
  rule(
    'validation',
    '{ command: string, timeout_seconds: number > 0 }',
    (v) => has(v, 'command', isText) && has(v, 'timeout_seconds', isSeconds),
  ),
  rule('on_failure', '{ cleanup: string }', (v) => has(v, 'cleanup', isText)),
  rule('error_log', 'string[]', isList(isText)),
  rule(
    'checkpoints',
    '{ step: integer, total: integer, description: string, timestamp: string }[]',
    isList((v) => isObject(v) && isCount(v['step']) && isCount(v['total']) && isText(v['description'])),
  ),
  rule('completed_at', 'string', isText),
  rule(
    'skipped',
    '{ reason: string, at: string, unblock: true | false }',
    (v) => isObject(v) && isText(v['reason']) && typeof v['unblock'] === 'boolean',
  ),
  rule(
    'override',
    '{ passes: true | false, reason: string, by: string, at: string }',
    (v) => isObject(v) && typeof v['passes'] === 'boolean' && isText(v['reason']) && isText(v['by']) && isText(v['at']),
  ),
];

export const FILE_FIELDS: readonly FieldRule[] = [
  rule('tasks', 'task[]', (v) => Array.isArray(v), true),
  rule('version', '2', (v) => v === 2),
  rule('created', 'string', isText),
  rule(
    'session_config',
    '{ max_tasks_per_session: integer ≥ 1, max_sessions: integer ≥ 1 }',
    (v) => has(v, 'max_tasks_per_session', isLimit) && has(v, 'max_sessions', isLimit),
  ),
  rule('session_count', 'integer ≥ 0', isCount),
  rule('last_session', 'string', isText),
];

const FORMAT: Format = { list: 'tasks', entry: 'Task', file: FILE_FIELDS, fields: TASK_FIELDS };

/** Failure: `backlog-invalid` with `count` and one cause per mistake. A wrong dependency is not a mistake of the file: it fails its task. */
export const readTasks = (text: string, file: string): Result<TasksFile> => readRecords(text, file, FORMAT);

/** Whether it is JSON. If not, the copy from before the last write is used. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
