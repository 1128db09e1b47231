// The entries of the list and the log for the start and the end of a run, with its statistics. A "session" of this format is a run of the harness.
import type { RunLog } from '../../engine/playbook.ts';
import { editCall, type ReadContext } from '../../engine/definitions.ts';
import { failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { ledgerPath, ledgerText, ownsList, readLedger, seconds, sessionEdit } from './ledger.ts';
import { lastOfLog, logLine, readLine, type LogLine } from './log.ts';
import {
  DEPENDENCY,
  isJson,
  readTasks,
  limitsOf,
  sessionsOf,
  attemptsOf,
  dependenciesOf,
  hasAttemptsLeft,
  isKeptBack,
  type Task,
} from './schema.ts';
import { dependencyFaults, settled } from './select.ts';

/** `blocked` is computed and never stored. */
export type TaskStats = {
  readonly total: number;
  readonly completed: number;
  readonly failed: number;
  /** Includes the one under way. */
  readonly pending: number;
  /** Pending tasks that depend on one which is not tried again. */
  readonly blocked: number;
  readonly attempts: number;
  readonly checkpoints: number;
};

export function statsOf(tasks: readonly Task[]): TaskStats {
  const lost = new Set(
    tasks
      .filter((task) => task.status === 'failed' && (isKeptBack(task) || !hasAttemptsLeft(task)))
      .map(({ id }) => id),
  );
  const sum = (of: (task: Task) => number): number => tasks.reduce((all, task) => all + of(task), 0);
  const count = (is: (task: Task) => boolean): number => sum((task) => (is(task) ? 1 : 0));
  return {
    total: tasks.length,
    completed: count(({ status }) => status === 'completed'),
    failed: count(({ status }) => status === 'failed'),
    pending: count(({ status }) => status === 'pending' || status === 'in_progress'),
    blocked: count((task) => task.status === 'pending' && dependenciesOf(task).some((id) => lost.has(id))),
    attempts: sum(attemptsOf),
    checkpoints: sum((task) => (task.checkpoints ?? []).length),
  };
}

/** In the documented order of fields. */
export const statsText = (s: TaskStats): string =>
  `tasks_total=${s.total} completed=${s.completed} failed=${s.failed} pending=${s.pending} blocked=${s.blocked} ` +
  `attempts_total=${s.attempts} checkpoints=${s.checkpoints}`;

const line = (at: string, session: number, type: LogLine['type'], message: string): string =>
  logLine({ at, session, type, message });

export const runLog: RunLog = {
  /** Reads the list, or restores it from the copy before its last write; counts the session; logs the lock. */
  async begin(context, { at, pid, stale }) {
    const refused = (why: ReturnType<typeof failure>, lines: readonly string[] = []) => ({
      failure: why,
      edit: null,
      lines,
    });
    const found = await listText(context);
    if (!found.ok) return refused(found.failure);
    const { text, file, isBroken } = found.value;
    const read = readTasks(text, file);
    if (!read.ok) {
      const message = `${file} corrupted and unrecoverable`;
      const session = (await lastInLog(context)) + 1;
      const corrupted = logLine({ at, session, type: 'ERROR', category: 'ENV_SETUP', message });
      return refused(read.failure, isBroken ? [corrupted] : []);
    }
    const n = sessionsOf(read.value) + 1;
    const { tasks, sessions } = limitsOf(read.value);
    const lines = [
      ...(isBroken ? [line(at, n, 'WARN', `${file} could not be parsed: restored from ${file}.bak`)] : []),
      line(at, n, 'LOCK', `acquired (pid=${pid})`),
      ...(stale === null ? [] : [line(at, n, 'WARN', `Removed stale lock from pid=${stale}`)]),
      ...(await faultLines(context, read.value.tasks, { at, session: n })),
    ];
    if (n > sessions) {
      const stats = line(at, n, 'STATS', statsText(statsOf(settled(read.value.tasks))));
      const ended = [...lines, stats, line(at, n, 'LOCK', 'released')];
      return { failure: null, limit: 'max-sessions', edit: null, lines: ended };
    }
    return { failure: null, most: tasks, edit: editCall(sessionEdit, { count: n, at: seconds(at) }), lines };
  },
  async end(context, { at }) {
    const ledger = await readLedger(context);
    if (!ledger.ok) return { failure: null, edit: null, lines: [] };
    const n = sessionsOf(ledger.value);
    const stats = statsText(statsOf(settled(ledger.value.tasks)));
    const edit = editCall(sessionEdit, { count: n, at: seconds(at) });
    const faults = await faultLines(context, ledger.value.tasks, { at, session: n });
    return { failure: null, edit, lines: [...faults, line(at, n, 'STATS', stats), line(at, n, 'LOCK', 'released')] };
  },
};

/** Why tasks cannot start, as far as the log does not say it of them last. */
async function faultLines(
  { view, config }: ReadContext,
  tasks: readonly Task[],
  about: { readonly at: string; readonly session: number },
): Promise<readonly string[]> {
  const faults = dependencyFaults(tasks);
  if (faults.size === 0) return [];
  const log = (await lastOfLog({ view, config })).split('\n');
  return [...faults].flatMap(([task, fault]) => {
    const message = fault.slice(`${DEPENDENCY} `.length);
    const last = log.findLast((one) => one.includes(`] ERROR [${task}] `));
    if (last?.endsWith(fault) === true) return [];
    return [logLine({ ...about, type: 'ERROR', task, category: 'DEPENDENCY', message })];
  });
}

/** The ledger's text; for a list that does not parse, the copy before its last write if that parses. */
async function listText(
  context: ReadContext,
): Promise<Result<{ readonly text: string; readonly file: string; readonly isBroken: boolean }>> {
  const { view, config } = context;
  const file = ledgerPath(config);
  const text = ownsList(config) ? await view.read(file) : null;
  if (text === null || isJson(text)) {
    const ledger = ownsList(config) ? (text === null ? missing(file) : ok(text)) : await ledgerText(context);
    return ledger.ok ? ok({ text: ledger.value, file, isBroken: false }) : ledger;
  }
  const copy = await view.read(`${file}.bak`);
  return ok({ text: copy !== null && isJson(copy) ? copy : text, file, isBroken: true });
}

const missing = (file: string): Result<string> => err(failure('backlog-missing', { file }, { at: { file } }));

async function lastInLog(context: ReadContext): Promise<number> {
  const lines = (await lastOfLog(context)).split('\n').slice(-200);
  return lines.reduce((most, one) => Math.max(most, readLine(one)?.session ?? 0), 0);
}
