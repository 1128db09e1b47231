// A cleanup session as straight lines (reference 000, Periodic Cleanup): what is untidy is measured, an agent tidies it, and nothing
// that a user could notice may have changed: every test that held holds, none asks for less, no feature is claimed.
import type { Run } from '../../engine/types.ts';
import type { Actions, Checkpoint, Say } from '../../model/action.ts';
import type { Config } from '../../model/config.ts';
import { startScripts } from '../../model/scripts.ts';
import type { Failure } from '../../model/failure.ts';
import { CLEANUP } from '../../model/item.ts';
import type { Json } from '../../model/json.ts';
import type { Usage } from '../../model/usage.ts';
import type { Problem, Verdict } from '../../model/verdict.ts';
import { ask, budgetInput, type BudgetFacts } from '../session/asks.ts';
import { catchUp } from '../session/catch-up.ts';
import { baselineCheck, lintCheck, sanityChecks } from '../session/checks.ts';
import { converse, type Heard } from '../session/conversation.ts';
import { evidenceLine, shownChecks, stateOf, takenFrom } from '../session/verdicts.ts';
import { baselineFailing, environment } from '../session/preflight.ts';

type R = Run<Actions>;
type Untidy = {
  readonly largeFiles: readonly { readonly path: string; readonly lines: number }[];
  readonly lint: { readonly tail: string } | null;
};
export type CleanupStart =
  | { readonly ready: true; readonly untidy: Untidy }
  | { readonly ready: false; readonly failure: Failure };

export async function untidy(run: R, { session }: { readonly session: number }, config: Config): Promise<CleanupStart> {
  const no = (failure: Failure): CleanupStart => ({ ready: false, failure });
  const git = await ask<{ failure: Failure | null }>(run, 'git-state', {});
  if (git.failure) return no(git.failure);
  const broken = await environment(run, config);
  if (broken) return no(broken);
  const checks = baselineCheck(config);
  const base = await run.do('baseline', { kind: 'check', purpose: 'baseline', session: null, checks });
  if (!base.holds) return no(baselineFailing(base));
  const taken = takenFrom(base, base.tree);
  if (taken !== null)
    await run.do('take-baseline', { kind: 'remember', what: 'baseline', session: session - 1, input: taken });
  const spent = await ask<BudgetFacts>(run, 'budget', budgetInput(CLEANUP, config, 0));
  if (spent.failure) return no(spent.failure);
  const { stateDir } = config.paths;
  const sizes = await ask<Pick<Untidy, 'largeFiles'>>(run, 'large-files', {
    stateDir,
    max: config.quality.maxFileLines,
  });
  const lint = await run.do('lint', { kind: 'check', purpose: 'sanity', session: null, checks: lintCheck(config) });
  const red = lint.checks.find(({ passed }) => !passed);
  return { ready: true, untidy: { ...sizes, lint: red === undefined ? null : { tail: red.tail } } };
}

export type CleanupWork = { readonly checkpoint: Checkpoint; readonly session: number; readonly untidy: Untidy };
export type Tidied =
  | { readonly end: 'holds'; readonly verdict: Verdict; readonly text: string }
  | {
      readonly end: 'refused';
      readonly reason: string;
      readonly problems: readonly Problem[];
      readonly failure: Failure | null;
      readonly text: string;
    };

export async function tidy(run: R, input: CleanupWork, config: Config): Promise<Tidied> {
  const { session, checkpoint } = input;
  const opening: Say = { kind: 'open', brief: 'cleanup', input: briefOf(input, config) };
  const who = { role: 'cleanup', session, attempt: 1, item: null, title: 'Cleanup', output: '' };
  const tell = converse(run, { who, opening, config });
  let say: Say = opening;
  for (let fixes = 0; ; fixes += 1) {
    const { said, step, outage }: Heard = await tell(say);
    const { text } = said;
    const refused = (reason: string, problems: readonly Problem[] = [], failure: Failure | null = null): Tidied => ({
      end: 'refused',
      reason,
      problems,
      failure,
      text,
    });
    if (outage) return refused(outage.failure.reason, [], outage.failure);
    if (said.end !== 'end-turn') return refused(said.end);
    const claimed = { backlog: config.paths.backlog, before: checkpoint.ref, item: CLEANUP };
    const { problems: edits } = await ask<{ problems: readonly Problem[] }>(step, 'claim', claimed);
    let problems = edits.filter(({ code }) => code !== 'nothing-claimed');
    const checks = [...baselineCheck(config), ...lintCheck(config)];
    const verdict: Verdict = await step.do('check', { kind: 'check', purpose: 'feature', session, checks });
    problems = [...problems, ...verdict.problems, ...verdict.tampering];
    if (verdict.holds && problems.length === 0) {
      const proved = await step.do('strength', strengthOf(input, config, verdict));
      // What a person would have to judge is no cleanup.
      problems = [...proved.problems, ...proved.doubts];
      if (problems.length === 0) return { end: 'holds', verdict, text };
    }
    const isFinal = verdict.regressions.length > 0 || verdict.tampering.length > 0 || said.wrapUp !== null;
    if (isFinal || fixes >= config.verification.fixTurns) return refused(problems[0]?.code ?? 'refused', problems);
    await step.do('revert-claim', { kind: 'restore', checkpoint, paths: [config.paths.backlog] });
    say = { kind: 'problems', problems, note: '' };
  }
}

type Over = {
  readonly session: number;
  readonly checkpoint: Checkpoint;
  readonly startedAt: string;
  readonly endedAt: string;
};
export type Landed = { readonly commit: string | null; readonly refused: readonly Problem[]; readonly usage: Usage };

export async function landCleanup(
  run: R,
  input: Over & { readonly verdict: Verdict },
  config: Config,
): Promise<Landed> {
  const { session, checkpoint, verdict } = input;
  const { usage, tampering } = await run.do('close', { kind: 'close', session });
  if (tampering.length > 0) return { commit: null, refused: tampering, usage };
  const made = await run.do('commit', {
    kind: 'commit',
    style: 'plain',
    item: null,
    session,
    subject: `refactor: cleanup in session ${session}`,
    body: evidenceLine(verdict),
    tree: verdict.tree,
    checkpoint,
    only: null,
    edit: { name: 'log-entry', input: entryOf(input, config, shownChecks(verdict), stateOf(verdict)) },
  });
  if (made.commit === null) return { commit: null, refused: made.refused ? [made.refused] : [], usage };
  const push = await run.do('push', { kind: 'push', commit: made.commit });
  const taken = takenFrom(verdict, made.tree);
  if (taken !== null) await run.do('baseline', { kind: 'remember', what: 'baseline', session, input: taken });
  await run.do('sizes', { kind: 'remember', what: 'sizes', session, input: {} });
  await record(run, input, { completed: true, termination: 'success', result: 'landed', commit: made.commit });
  const checks = [...baselineCheck(config), ...lintCheck(config)];
  await catchUp(run, { item: null, session, commit: made.commit, push, checks }, config);
  return { commit: made.commit, refused: [], usage };
}

export async function undoCleanup(
  run: R,
  input: Over & { readonly reason: string; readonly problems: readonly Problem[] },
  config: Config,
): Promise<{ readonly usage: Usage }> {
  const { session, checkpoint, reason, problems } = input;
  const { usage } = await run.do('close', { kind: 'close', session });
  const back = await run.do('rollback', { kind: 'rollback', checkpoint, item: null, session, why: reason });
  await run.do('commit', {
    kind: 'commit',
    style: 'plain',
    item: null,
    session,
    subject: `docs(harness): cleanup in session ${session} was rolled back: ${reason}`,
    body: '',
    tree: null,
    checkpoint,
    only: [config.paths.progress],
    edit: { name: 'log-entry', input: entryOf(input, config, '', [`Rolled back: ${reason}`]) },
  });
  const { attempt } = back;
  await record(run, input, { completed: false, termination: 'error', result: 'failed', reason, problems, attempt });
  return { usage };
}

async function record(
  run: R,
  { session, startedAt, endedAt }: Over,
  about: { readonly [key: string]: Json },
): Promise<void> {
  await run.do('costs', { kind: 'remember', what: 'costs', session, input: { item: CLEANUP } });
  const all = { item: CLEANUP, startedAt, endedAt, ...about };
  await run.do('record', { kind: 'remember', what: 'session', session, input: all });
}

const entryOf = (
  { session, endedAt, checkpoint }: Over,
  { paths, project }: Config,
  verification: string,
  state: readonly string[],
): Json => ({
  backlog: paths.backlog,
  progress: paths.progress,
  project: project.name,
  item: null,
  session,
  at: endedAt,
  base: checkpoint.ref,
  entry: { verification, state },
});

const strengthOf = ({ session, checkpoint }: CleanupWork, config: Config, verdict: Verdict) => {
  const [full = null] = baselineCheck(config);
  return {
    kind: 'strength' as const,
    item: null,
    session,
    since: checkpoint.tree,
    tree: verdict.tree,
    testFile: null,
    mayChangeTests: false,
    itemKind: 'exempt' as const,
    feature: null,
    full,
    tookMs: { feature: 0, full: verdict.checks.find(({ name }) => name === 'full')?.ms ?? 0 },
    passedBy: [config.paths.backlog, config.paths.progress],
    scripts: startScripts(config.environment),
    rules: { mutation: config.verification.mutation, minKilled: config.verification.minKilled },
  };
};

const briefOf = ({ session, untidy: { largeFiles, lint } }: CleanupWork, config: Config): Json => ({
  session,
  largeFiles: largeFiles as unknown as Json,
  maxFileLines: config.quality.maxFileLines,
  lint: lint === null ? null : { tail: lint.tail },
  commands: {
    init: config.environment.init,
    reset: config.environment.reset,
    full: config.testing.full,
    sanity: sanityChecks(config).map((c) => c.command),
  },
});
