// The ends of a session without a landing: its work is saved for the next one, or rolled back. Each is one recoverable sequence that first closes the
// agent's session.
import { readFacts } from '../../engine/definitions.ts';
import type { Run } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import type { Config } from '../../model/config.ts';
import type { Problem } from '../../model/verdict.ts';
import type { BrokenItem, ClosingSession, EndingHooks } from './ending-hooks.ts';
import { keepWork, logLater, record, type KeptTree } from './ending-steps.ts';
import type { CutReason, Rejection, RollbackResult, SaveResult } from './facts.ts';
import { budget } from './surveys.ts';
import { terminationOf } from './session-state.ts';

type R = Run<Actions>;

/** Ended by a limit or a pause: its work is kept as work in progress, the tree goes back to the tip, and the next session continues it. */
export async function save(
  run: R,
  input: ClosingSession &
    KeptTree & {
      readonly why: CutReason;
      /** What is wrong with the work, for the session that continues it; left out: nothing is known. */
      readonly problems?: readonly Problem[];
      /** How far it has come; left out: it is not done. */
      readonly reached?: string;
    },
  config: Config,
  hooks: EndingHooks,
): Promise<SaveResult> {
  const { facts, session, why, checkpoint, problems = [] } = input;
  const { usage } = await run.do('close', { kind: 'close', session });
  const paths = hooks.claimedIn(config);
  if (paths.length > 0) await run.do('revert-claim', { kind: 'restore', checkpoint, paths });
  const state = [
    `SESSION TERMINATED: ${why} in the middle of #${facts.id}`,
    'Work in progress is kept; the next session continues from it.',
  ];
  // Before the tree goes back: the agent's own notes are in it.
  await logLater(run, { ...input, state }, config, hooks);
  const { commit, refused } = await keepWork(run, input, config, why);
  if (refused !== null) return rollBackRefused(run, input, config, hooks, usage, refused);
  const termination = terminationOf(why);
  const found = problems.length === 0 ? {} : { problems };
  await record(run, input, hooks, { completed: false, termination, result: 'partial', reason: why, commit, ...found });
  if (why !== 'budget') return { usage, commit };
  const { over } = await readFacts(run, budget, { item: facts.id, session });
  return { usage, commit, ...(over ? { over } : {}) };
}

/** Work that cannot be committed cannot be continued: kept as an attempt and rolled back, like work that does not hold. */
async function rollBackRefused(
  run: R,
  input: ClosingSession,
  config: Config,
  hooks: EndingHooks,
  usage: SaveResult['usage'],
  refused: Problem,
): Promise<SaveResult> {
  const { facts, session, checkpoint } = input;
  const why = refused.code;
  const back = await run.do('rollback', { kind: 'rollback', checkpoint, item: facts.id, session, why });
  const state = [`Rolled back: ${why}`];
  await logLater(run.scope('refused'), { ...input, state }, config, hooks);
  const { attempt } = back;
  const about = { result: 'failed', reason: why, problems: [refused], attempt };
  await record(run, input, hooks, { completed: false, termination: 'error', ...about });
  return { usage, commit: null, refused };
}

/**
 * Work that does not hold: kept as an attempt, rolled back, written into the log. Where the work was the cause, the work in progress that it
 * continued is given up with it.
 */
export async function reject(
  run: R,
  input: ClosingSession & { readonly why: Rejection },
  config: Config,
  hooks: EndingHooks,
): Promise<RollbackResult> {
  const { facts, session, checkpoint, why } = input;
  const { usage } = await run.do('close', { kind: 'close', session });
  const back = await run.do('rollback', { kind: 'rollback', checkpoint, item: facts.id, session, why: why.reason });
  if (facts.partial?.wip !== undefined && (why.problems.length > 0 || hooks.startsAnew === true))
    await run.do('drop-wip', { kind: 'drop-wip', item: facts.id });
  const broken = why.regressions.length === 0 ? [] : await hooks.blame(run.scope('regressed'), input, config);
  const state = [`Rolled back: ${why.reason}`, ...broken.map(brokenLine)];
  const problems = [...why.problems, ...broken.map(brokeItem)];
  await logLater(run, { ...input, state }, config, hooks);
  await record(run, input, hooks, {
    completed: false,
    termination: 'error',
    result: 'failed',
    reason: why.reason,
    problems,
    failure: why.failure,
    broken: broken.map(({ id, dependents, isFailing }) => ({ id, dependents, isFailing })),
    evidence: why.evidence,
    attempt: back.attempt,
  });
  return { usage, attempt: back.attempt, problems };
}

const brokeItem = ({ id, title, testFile, dependents, isFailing }: BrokenItem): Problem => ({
  code: 'broke-item',
  params: {
    item: id,
    ...(title === '' ? {} : { title: title.slice(0, MOST_OF_TITLE) }),
    ...(dependents.length === 0 ? {} : { dependents: listed(dependents) }),
    ...(isFailing ? { test: testFile } : {}),
  },
});

/** Characters of a title, and dependents, that are named. */
const MOST_OF_TITLE = 80;
const MOST_DEPENDENTS = 8;
const listed = (ids: readonly string[]): string =>
  [
    ...ids.slice(0, MOST_DEPENDENTS).map((id) => `#${id}`),
    ...(ids.length > MOST_DEPENDENTS ? [`… (${ids.length})`] : []),
  ].join(', ');

const brokenLine = (b: BrokenItem): string =>
  `Broke #${b.id}${b.dependents.length > 0 ? `, which #${b.dependents.join(', #')} depends on` : ''}${b.isFailing ? '; it fails without this change too and goes first' : ''}`;
