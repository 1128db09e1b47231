// Facts that the loop and the tasks machine read. Each decides nothing beyond what it read.
import { z } from 'zod';
import { defineSurvey, type ReadContext } from '../../engine/definitions.ts';
import { nextFacts, nextInput, type NextFacts } from '../../engine/playbook.ts';
import { chooseApart } from '../../model/expected-files.ts';
import { failure, failureSchema, type Failure } from '../../model/failure.ts';
import type { RepositoryView } from '../../model/repository-view.ts';
import { filesExpected, givenUp, noNext } from '../session/item/next.ts';
import { leftByLast, stateOf } from '../session/last.ts';
import { filesFacts, listOf, missingFiles } from '../session/surveys.ts';
import { chosen, subjectIn } from './backlog.ts';
import { taskCheckpointSchema, taskFacts, type TaskFacts } from './facts.ts';
import { readLedger } from './ledger.ts';
import { HEALTHY, lastOfLog, readLine } from './log.ts';
import { notesIn } from './notes.ts';
import { attemptsOf, isSkipped, maxAttemptsOf, sessionsOf, validationOf, type Task, type TaskId } from './schema.ts';
import { settled } from './select.ts';

/** Which task is next: the one under way, then what was never tried, then what failed and may be tried again. */
export const next = defineSurvey({
  id: 'tasks.next',
  input: nextInput,
  facts: nextFacts,
  async read(context, { only, taken, prefer, atWork = [] }) {
    const ledger = await readLedger(context);
    if (!ledger.ok) return noNext(ledger.failure);
    const state = await stateOf(context);
    if (!state.ok) return noNext(state.failure);
    const tasks = settled(ledger.value.tasks);
    const open = tasks.filter((task) => task.status !== 'completed' && !isSkipped(task));
    const { current_feature: current, last_session: last } = state.value;
    const over = new Set(tasks.filter((task) => task.status === 'completed' || isSkipped(task)).map(({ id }) => id));
    const wip = (await context.view.worksInProgress()).find((one) => over.has(one.item));
    const session = Math.max(last, await context.view.lastSession()) + 1;
    const found = (task: Task | null): NextFacts => ({
      next: task?.id ?? null,
      remaining: open.length,
      session,
      failure: null,
      ...(wip === undefined ? {} : { leftover: wip.item }),
    });
    const free = tasks.filter(({ id }) => !taken.includes(id));
    if (only !== null) {
      if (taken.includes(only)) return found(null);
      const wanted = tasks.find(({ id }) => id === only);
      if (wanted === undefined) return noNext(failure('item-unknown', { item: only }));
      const others = tasks.filter((task) => task.id === only || task.status === 'completed' || isSkipped(task));
      return chosen(others, null)?.id === only ? found(wanted) : noNext(notReady(wanted, tasks));
    }
    const failedAt = await failuresIn(context);
    const { next: id, apart } = chooseApart({
      pick: (waiting) =>
        chosen(
          free.filter((one) => !waiting.has(one.id)),
          prefer ?? String(current),
          failedAt,
        )?.id ?? null,
      filesOf: await filesExpected(context, { subject: (one) => subjectIn(tasks, one) }, atWork),
      atWork,
      prefer: prefer ?? null,
    });
    const task = tasks.find((one) => one.id === id) ?? null;
    const left = open.filter(({ id }) => !taken.includes(id));
    return task === null && left.length > 0 && taken.length === 0
      ? noNext(givenUp(left.map(({ id }) => id)))
      : { ...found(task), ...(apart.length === 0 ? {} : { apart }) };
  },
});

function notReady(task: Task, tasks: readonly Task[]): Failure {
  const isDone = (id: TaskId): boolean => tasks.some((other) => other.id === id && other.status === 'completed');
  const blockers = (task.depends_on ?? []).filter((id) => !isDone(id)).join(', ');
  const status = task.status === 'completed' ? 'item-landed' : isSkipped(task) ? 'item-skipped' : 'item-blocked';
  return failure('item-not-ready', { item: task.id, status, blockers });
}

/** When each task failed last, by the end of the log: the list has no field for it. One that it does not name failed earlier. ISO 8601 by id. */
async function failuresIn({ view, config }: ReadContext): Promise<ReadonlyMap<TaskId, string>> {
  const failed = new Map<TaskId, string>();
  for (const line of (await lastOfLog({ view, config })).split('\n')) {
    const read = line.includes('] ERROR [') ? readLine(line) : null;
    if (read?.type === 'ERROR' && read.task !== undefined) failed.set(read.task, read.at);
  }
  return failed;
}

/** The task, and what its last session left. */
export const item = defineSurvey({
  id: 'tasks.item',
  input: z.object({ item: z.string() }),
  facts: z.object({ facts: taskFacts.nullable(), failure: failureSchema.nullable() }),
  async read(context, { item: id }) {
    const no = (why: Failure) => ({ facts: null, failure: why });
    const ledger = await readLedger(context);
    if (!ledger.ok) return no(ledger.failure);
    const list = await listOf(context);
    if (!list.ok) return no(list.failure);
    const state = await stateOf(context);
    if (!state.ok) return no(state.failure);
    const task = ledger.value.tasks.find((one) => one.id === id);
    const subject = list.value.subject(id);
    if (task === undefined || subject === null) return no(failure('item-unknown', { item: id }));
    const left = await leftByLast(context, state.value, id);
    const proof = validationOf(task);
    const run = sessionsOf(ledger.value);
    const log = await lastOfLog(context);
    const facts: TaskFacts = {
      id: task.id,
      title: task.title,
      category: 'task',
      testFile: null,
      ...(proof === null ? {} : { proof }),
      mayChangeTests: subject.mayChangeTests,
      ...left,
      oversized: [],
      attempt: attemptsOf(task) + 1,
      task: {
        status: task.status,
        attempts: attemptsOf(task),
        maxAttempts: maxAttemptsOf(task),
        errorLog: task.error_log ?? [],
        checkpoints: task.checkpoints ?? [],
        base: task.started_at_commit ?? null,
        cleanup: task.on_failure?.cleanup ?? null,
        run,
        isHealthLogged: log.includes(`[SESSION-${run}] INIT ${HEALTHY}`),
      },
    };
    return { facts, failure: null };
  },
});

/** The log is created with its first line, and scripts come from the configuration. */
export const files = defineSurvey({
  id: 'tasks.files',
  input: z.object({}),
  facts: filesFacts,
  read: async (context) => ({ missing: await missingFiles(context, []), notExecutable: [] }),
});

/** The time of a log line, as a step: a resumed procedure writes the same line again. */
export const now = defineSurvey({
  id: 'tasks.now',
  input: z.object({}),
  facts: z.object({ at: z.string() }),
  read: ({ view }) => Promise.resolve({ at: view.now }),
});

/** How many commits are searched for those of an interrupted task. */
const MOST_COMMITS = 200;

const reported = z.array(taskCheckpointSchema.extend({ tree: z.string().nullable() })).readonly();
const notesOf = async (view: RepositoryView, stateDir: string, session: number) =>
  notesIn(await view.read(`${stateDir}/sessions/${session}/notes.jsonl`));

/** What an interrupted task left. A commit belongs to it where its message or its trailer names it. */
export const interruptedTask = defineSurvey({
  id: 'tasks.interrupted',
  input: z.object({ item: z.string(), base: z.string().nullable(), session: z.number() }),
  facts: z.object({
    isBaseThere: z.boolean(),
    uncommitted: z.boolean(),
    commits: z.boolean(),
    /** Others committed too since the task started. */
    isMixed: z.boolean(),
    /** Steps that its agent reported. */
    reported,
    /** N of SESSION-N now: the task was claimed in an earlier one. */
    run: z.number(),
    /** N of SESSION-N that claimed it, as far as the log says. */
    claimedIn: z.number().optional(),
  }),
  async read(context, { item: id, base, session }) {
    const { view, config } = context;
    const ledger = await readLedger(context);
    const isBaseThere = base !== null && (await view.isCommit(base));
    const recent = await view.recentCommits(MOST_COMMITS);
    const end = base === null ? -1 : recent.findIndex((commit) => commit.id.startsWith(base.toLowerCase()));
    const since = end < 0 ? recent : recent.slice(0, end);
    const own = since.filter(({ subject, trailers }) => names(subject, id) || trailers['Harness-Item'] === id);
    const { dirty } = await view.head();
    const claimedIn = lastClaim(await lastOfLog(context), id);
    return {
      isBaseThere,
      uncommitted: dirty.length > 0,
      commits: own.length > 0,
      isMixed: own.length < since.length,
      reported: await notesOf(view, config.paths.stateDir, session),
      run: ledger.ok ? sessionsOf(ledger.value) : 0,
      ...(claimedIn === null ? {} : { claimedIn }),
    };
  },
});

function lastClaim(log: string, id: TaskId): number | null {
  const line = log.split('\n').findLast((one) => one.includes(`] Starting [${id}] `));
  return (line === undefined ? null : readLine(line)?.session) ?? null;
}

/**
 * The commit in which a task landed that the list says was never tried: the list was put back, as `git stash` does with one that is tracked. A
 * landing that a person reverted is none.
 */
export const landedBefore = defineSurvey({
  id: 'tasks.landed-before',
  input: z.object({ item: z.string() }),
  facts: z.object({ commit: z.string().nullable(), at: z.string() }),
  async read({ view }, { item }) {
    const recent = await view.recentCommits(MOST_COMMITS);
    const landed = recent.find(
      ({ trailers }) => trailers['Harness-Item'] === item && trailers['Harness-Evidence'] !== undefined,
    );
    const isReverted = recent.some(({ subject }) => subject === `Revert "${landed?.subject ?? ''}"`);
    return landed === undefined || isReverted ? { commit: null, at: '' } : { commit: landed.id, at: landed.at };
  },
});

/** task-1 is not named by task-12. */
const names = (subject: string, id: TaskId): boolean =>
  subject.split(/[^\p{L}\p{N}._-]+/u).some((word) => word.replace(/[._-]+$/, '') === id);

/** Steps that the agent of a session has reported so far. */
export const reportedSteps = defineSurvey({
  id: 'tasks.reported',
  input: z.object({ session: z.number() }),
  facts: z.object({ reported }),
  read: async ({ view, config }, { session }) => ({
    reported: await notesOf(view, config.paths.stateDir, session),
  }),
});
