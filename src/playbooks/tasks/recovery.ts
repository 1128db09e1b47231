// Recovers a task whose session was interrupted. A table decides by what is found: work that may be complete is proved, other work is kept as an
// attempt and rolled back.
import type { z } from 'zod';
import { readFacts } from '../../engine/definitions.ts';
import type { Run } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import type { Checkpoint } from '../../model/checkpoint.ts';
import { Bug } from '../../model/bug.ts';
import type { Config } from '../../model/config.ts';
import type { Failure } from '../../model/failure.ts';
import type { Usage } from '../../model/usage.ts';
import type { Verdict } from '../../model/verdict.ts';
import { featureChecks } from '../session/checks.ts';
import { NO_PROBLEM, type Rejection, type WorkResult } from '../session/facts.ts';
import { judge } from '../session/verdicts.ts';
import { startEnvironment } from '../session/preflight.ts';
import { errorOf, type TaskError } from './log.ts';
import type { checkpointsSchema, TaskFacts } from './facts.ts';
import { merged } from './notes.ts';
import { interruptedTask } from './surveys.ts';

/** Uncommitted changes, commits that name the task since it started, steps that its agent reported. */
type InterruptedWork = { readonly uncommitted: boolean; readonly commits: boolean; readonly checkpoints: boolean };

/**
 * `no-progress`: it failed without any work. `compare`: resumed if the files match the reported steps, else failed.
 * `validate`: its command decides; `commit`: when uncommitted changes are committed: `before` it is run, `after` it passed, `nothing`: there are none.
 */
export type Recovery =
  | { readonly do: 'no-progress' }
  | { readonly do: 'compare' }
  | { readonly do: 'validate'; readonly commit: 'before' | 'after' | 'nothing' };

type Row = { readonly [K in keyof InterruptedWork]: boolean | 'any' } & { readonly action: Recovery };
export const RECOVERY_TABLE: readonly Row[] = [
  { uncommitted: false, commits: false, checkpoints: false, action: { do: 'no-progress' } },
  { uncommitted: false, commits: false, checkpoints: true, action: { do: 'compare' } },
  { uncommitted: false, commits: true, checkpoints: 'any', action: { do: 'validate', commit: 'nothing' } },
  { uncommitted: true, commits: false, checkpoints: 'any', action: { do: 'validate', commit: 'after' } },
  { uncommitted: true, commits: true, checkpoints: 'any', action: { do: 'validate', commit: 'before' } },
];

export function recoveryFor(found: InterruptedWork): Recovery {
  const fits = (row: Row): boolean =>
    (['uncommitted', 'commits', 'checkpoints'] as const).every((key) => row[key] === 'any' || row[key] === found[key]);
  const row = RECOVERY_TABLE.find(fits);
  if (row === undefined) throw new Bug(`no row of the recovery table fits ${JSON.stringify(found)}`);
  return row.action;
}

type R = Run<Actions>;
type OfTask = { readonly facts: TaskFacts; readonly session: number };

export type Recovered = {
  /** For the log. */
  readonly action: string;
  readonly reason: string;
  readonly checkpoints: z.output<typeof checkpointsSchema>;
  /** Below the task's commits: what a rollback restores. */
  readonly base: Checkpoint;
  readonly usage: Usage;
  /** N of SESSION-N by now, and of the session that reported the steps. */
  readonly run: number;
  readonly claimedIn: number;
} & (
  | { readonly end: 'judged'; readonly work: Extract<WorkResult, { end: 'holds' | 'doubtful' }> }
  | { readonly end: 'resume' }
  /** `isLast`: there is no way back, so that another attempt makes no sense. */
  | { readonly end: 'failed'; readonly error: TaskError; readonly why: Rejection; readonly isLast: boolean }
  | { readonly end: 'blocked'; readonly failure: Failure }
);

export async function recover(run: R, { facts, session }: OfTask, config: Config): Promise<Recovered> {
  const { id, task } = facts;
  const { usage } = await run.do('close', { kind: 'close', session });
  const left = await readFacts(run, interruptedTask, { item: id, base: task.base, session });
  const checkpoints = merged(task.checkpoints, left.reported);
  const claimedIn = left.claimedIn ?? left.run;
  const take = (why: string, of: string): Promise<Checkpoint> =>
    run.do(why, { kind: 'checkpoint', session, item: id, why, of });
  if (!left.isBaseThere || task.base === null) {
    const message = `started_at_commit ${task.base ?? 'null'} is not there: nothing can be rolled back to it`;
    const base = await take('recovery_head', 'HEAD');
    const error = { category: 'TASK_EXEC', message } as const;
    const action = 'mark failed at max_attempts';
    return { ...lost(error), action, checkpoints, base, usage, run: left.run, claimedIn, isLast: true };
  }
  // If others committed too, their commits stay, and only uncommitted work counts as the task's.
  const base = await take('recovery_base', left.isMixed ? 'HEAD' : task.base);
  const reason = `uncommitted=${yesNo(left.uncommitted)} commits=${yesNo(left.commits)} checkpoints=${checkpoints.length}`;
  const about = { checkpoints, base, usage, run: left.run, claimedIn, reason };
  const failed = (error: TaskError, action: string, more = ''): Recovered => ({
    ...lost(error),
    ...about,
    reason: `${reason}${more}`,
    action,
    isLast: false,
  });
  if (config.recovery === 'restore') return failed(INTERRUPTED, 'roll back');
  const { uncommitted, commits } = left;
  const recovery = recoveryFor({ uncommitted, commits, checkpoints: checkpoints.length > 0 });
  switch (recovery.do) {
    case 'no-progress':
      return failed(NO_PROGRESS, 'mark failed');
    case 'compare': {
      const state = await run.do('state', { kind: 'check', purpose: 'recovery', session: null, checks: [] });
      const isReflected = left.reported.length > 0 && left.reported.at(-1)?.tree === state.tree;
      if (!isReflected) return failed(WORK_LOST, 'mark failed', ', files are not as at the last step');
      const action = 'resume from last step';
      return { end: 'resume', ...about, reason: `${reason}, files are as at the last step`, action };
    }
    case 'validate': {
      const failure = await startEnvironment(run, config);
      if (failure !== null) {
        // The end of an attempt records the cost of the interrupted session; here the attempt does not end.
        if (usage.inputTokens + usage.outputTokens > 0)
          await run.do('costs', { kind: 'remember', what: 'costs', session, item: id });
        return { end: 'blocked', failure, ...about, action: 'wait for the environment' };
      }
      const { verdict, strength, problems } =
        config.recovery === 'literal'
          ? await validated(run, { facts, session }, config)
          : await judge(run, { facts, checkpoint: base, session }, config);
      if (problems.length === 0) {
        const committed = recovery.commit === 'nothing' ? '' : ', uncommitted changes committed';
        const action = `mark completed${committed}`;
        const isDoubtful = strength !== null && strength.doubts.length > 0;
        const work = isDoubtful
          ? ({ end: 'doubtful', verdict, strength, text: '' } as const)
          : ({ end: 'holds', verdict, strength, text: '' } as const);
        return { end: 'judged', work, ...about, reason: `${reason}, validation passes`, action };
      }
      const code = problems[0]?.code ?? 'rejected';
      const { regressions, evidence } = verdict;
      return {
        end: 'failed',
        error: errorOf(code, problems),
        why: { reason: code, problems, regressions, evidence, failure: null },
        isLast: false,
        ...about,
        reason: `${reason}, validation fails`,
        action: `git reset --hard ${task.base}, mark failed`,
      };
    }
  }
}

const yesNo = (is: boolean): string => (is ? 'yes' : 'no');
const NO_PROGRESS: TaskError = { category: 'SESSION_TIMEOUT', message: 'No progress detected' };
const WORK_LOST: TaskError = {
  category: 'SESSION_TIMEOUT',
  message: 'Work was lost: the files are not what the checkpoints say',
};
const INTERRUPTED: TaskError = { category: 'SESSION_TIMEOUT', message: 'The session was cut' };

const lost = (error: TaskError) =>
  ({ end: 'failed', error, reason: error.message, why: { ...NO_PROBLEM, reason: 'session-lost' } }) as const;

/** `recovery: literal`: the task's own command and no other check. */
async function validated(
  run: R,
  { facts, session }: OfTask,
  config: Config,
): Promise<{ verdict: Verdict; strength: null; problems: Verdict['problems'] }> {
  const checks = featureChecks(facts, config).filter(({ name }) => name === 'feature');
  const verdict = await run.do('check', { kind: 'check', purpose: 'feature', session, checks });
  return { verdict, strength: null, problems: verdict.problems };
}
