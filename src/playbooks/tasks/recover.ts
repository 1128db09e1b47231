// A task whose session was cut (reference 003, Context Window Recovery Protocol): what lies there is looked at, proved where the table
// says so, and nothing is lost: what does not hold is rolled back by the end of the attempt, which keeps it.
import type { Run } from '../../engine/types.ts';
import type { Actions, Checkpoint } from '../../model/action.ts';
import type { Config } from '../../model/config.ts';
import type { Verdict } from '../../model/verdict.ts';
import { ask } from '../session/asks.ts';
import { featureChecks } from '../session/checks.ts';
import { judge } from '../session/judge.ts';
import { environment } from '../session/preflight.ts';
import { errorOf } from './errors.ts';
import type { TaskError, TaskFacts } from './facts.ts';
import { merged, type HeardCheckpoint } from './notes.ts';
import type { Recovered } from './positions.ts';
import { recoveryFor } from './recovery.ts';

type R = Run<Actions>;
type RecoverInput = { readonly facts: TaskFacts; readonly session: number };
type Left = {
  readonly isBaseThere: boolean;
  readonly uncommitted: boolean;
  readonly commits: boolean;
  /** Others committed too since the task began. */
  readonly isMixed: boolean;
  readonly heard: readonly HeardCheckpoint[];
  /** N of SESSION-N now: the task was claimed in an earlier one. */
  readonly run: number;
};

export async function recover(run: R, { facts, session }: RecoverInput, config: Config): Promise<Recovered> {
  const { id, task } = facts;
  const { usage } = await run.do('close', { kind: 'close', session });
  const { backlog, stateDir } = config.paths;
  const left = await ask<Left>(run, 'found', { backlog, item: id, base: task.base, stateDir, session });
  const { run: now } = left;
  const checkpoints = merged(task.checkpoints, left.heard);
  const of = (why: string, at?: string): Promise<Checkpoint> =>
    run.do(why, { kind: 'checkpoint', session, item: id, why, ...(at === undefined ? {} : { of: at }) });
  if (!left.isBaseThere || task.base === null) {
    const message = `started_at_commit ${task.base ?? 'null'} is not there: nothing can be rolled back to it`;
    const base = await of('recovery_head', 'HEAD');
    return {
      ...lost({ category: 'TASK_EXEC', message }),
      action: 'mark failed at max_attempts',
      checkpoints,
      base,
      usage,
      run: now,
      isLast: true,
    };
  }
  // Commits of others stay where they are: then only what nobody committed becomes the task's.
  const base = await of('recovery_base', left.isMixed ? 'HEAD' : task.base);
  const about = { checkpoints, base, usage, run: now };
  const found = { uncommitted: left.uncommitted, commits: left.commits, checkpoints: checkpoints.length > 0 };
  const action = recoveryFor(found);
  const reason = `uncommitted=${word(left.uncommitted)} commits=${word(left.commits)} checkpoints=${checkpoints.length}`;
  if (config.recovery === 'restore')
    return { ...lost(TIMED_OUT), ...about, reason, action: 'roll back', isLast: false };
  switch (action.do) {
    case 'no-progress':
      return { ...lost(NO_PROGRESS), ...about, reason, action: 'mark failed', isLast: false };
    case 'compare': {
      const state = await run.do('state', { kind: 'check', purpose: 'recovery', session: null, checks: [] });
      const isReflected = left.heard.length > 0 && left.heard.at(-1)?.tree === state.tree;
      return isReflected
        ? {
            end: 'resume',
            ...about,
            reason: `${reason}, files are as at the last step`,
            action: 'resume from last step',
          }
        : {
            ...lost(WORK_LOST),
            ...about,
            reason: `${reason}, files are not as at the last step`,
            action: 'mark failed',
            isLast: false,
          };
    }
    case 'validate': {
      const broken = await environment(run, config);
      if (broken !== null) {
        // What the cut session cost is written down by the end of an attempt, and this is none.
        if (usage.inputTokens + usage.outputTokens > 0)
          await run.do('costs', { kind: 'remember', what: 'costs', session, input: { item: id } });
        return { end: 'blocked', failure: broken, ...about, reason, action: 'wait for the environment' };
      }
      if (action.commit === 'before') await commitFound(run, { facts, session });
      const judged =
        config.recovery === 'literal'
          ? await validated(run, { facts, session }, config)
          : await judge(run, { facts, checkpoint: base, session }, config);
      const { verdict, strength, problems } = judged;
      const committed = action.commit === 'nothing' ? '' : ', uncommitted changes committed';
      if (problems.length === 0)
        return {
          end: 'holds',
          verdict,
          strength,
          ...about,
          reason: `${reason}, validation passes`,
          action: `mark completed${committed}`,
        };
      const { regressions, evidence } = verdict;
      const error = errorOf(problems[0]?.code ?? 'rejected', problems);
      const why = { reason: problems[0]?.code ?? 'rejected', problems, regressions, evidence, failure: null };
      return {
        end: 'failed',
        error,
        why,
        isLast: false,
        ...about,
        reason: `${reason}, validation fails`,
        action: `git reset --hard ${task.base}, mark failed`,
      };
    }
  }
}

const word = (is: boolean): string => (is ? 'yes' : 'no');
const NO_PROGRESS: TaskError = { category: 'SESSION_TIMEOUT', message: 'No progress detected' };
const WORK_LOST: TaskError = {
  category: 'SESSION_TIMEOUT',
  message: 'Work was lost: the files are not what the checkpoints say',
};
const TIMED_OUT: TaskError = { category: 'SESSION_TIMEOUT', message: 'The session was cut' };

const lost = (error: TaskError) =>
  ({
    end: 'failed',
    error,
    reason: error.message,
    why: { reason: 'session-lost', problems: [], regressions: [], evidence: null, failure: null },
  }) as const;

/** As the reference has it: the task's own command and nothing else. */
async function validated(
  run: R,
  { facts, session }: RecoverInput,
  config: Config,
): Promise<{ verdict: Verdict; strength: null; problems: Verdict['problems'] }> {
  const checks = featureChecks(facts, config).filter(({ name }) => name === 'feature');
  const verdict = await run.do('check', { kind: 'check', purpose: 'feature', session, checks });
  return { verdict, strength: null, problems: verdict.problems };
}

const commitFound = (run: R, { facts: { id, title }, session }: RecoverInput) =>
  run.do('commit-found', {
    kind: 'commit',
    style: 'provisional',
    item: id,
    session,
    subject: `WIP: Recovered - #${id} ${title}`,
    body: '',
    tree: null,
    checkpoint: null,
    only: null,
    edit: null,
  });
