// Preflight: seven questions before any agent starts. The first "no" ends it.
import type { z } from 'zod';
import { readFacts, type Survey } from '../../engine/definitions.ts';
import type { Run } from '../../engine/types.ts';
import type { Actions, CheckSpec } from '../../model/action.ts';
import type { Overspent } from '../../model/budget.ts';
import type { Config } from '../../model/config.ts';
import { failure, type Failure, type Params } from '../../model/failure.ts';
import type { Reason } from '../../model/reasons.ts';
import { shellWord } from '../../model/shell-quote.ts';
import type { Problem, ProblemCode, Verdict } from '../../model/verdict.ts';
import { baselineFrom } from '../../model/baseline-record.ts';
import { baselineCheck, environmentCheck, featureCommand, sanityChecks } from './checks.ts';
import type { ItemFacts } from './facts.ts';
import { isOnBranch } from './last.ts';
import { budget, directory, gitState, program, type filesFacts } from './surveys.ts';

type R = Run<Actions>;
/** The surveys by which a machine reads its item and checks the files that it needs. */
export type PreflightSurveys<F extends ItemFacts> = {
  readonly item: Survey<{ readonly item: string }, { readonly facts: F | null; readonly failure: Failure | null }>;
  readonly files: Survey<Record<string, never>, z.output<typeof filesFacts>>;
};
export type Preflight<F extends ItemFacts> =
  | { readonly ready: true; readonly facts: F; readonly firstTask: readonly Problem[] }
  /** `over`: a budget is used up, which a user may raise. */
  | { readonly ready: false; readonly failure: Failure; readonly over?: Overspent };

export async function preflight<F extends ItemFacts>(
  run: R,
  { item, session }: { readonly item: string; readonly session: number },
  config: Config,
  surveys: PreflightSurveys<F>,
): Promise<Preflight<F>> {
  const on = config.preflight;
  const no = (why: Failure): Preflight<F> => ({ ready: false, failure: why });
  if (on.workingDirectory) {
    const { failure: wrong } = await readFacts(run, directory, {});
    if (wrong) return no(wrong);
  }
  if (on.harnessFiles) {
    const { missing, notExecutable } = await readFacts(run, surveys.files, {});
    if (missing.length > 0) return no(failure('harness-file-missing', namesOf(missing)));
    if (notExecutable.length > 0) return no(failure('not-executable', namesOf(notExecutable)));
  }
  if (on.gitState) {
    const { failure: unfit } = await readFacts(run, gitState, {});
    if (unfit?.reason === 'dirty-tree' && config.dirtyTree === 'stash')
      await run.do('stash', { kind: 'stash', session });
    else if (unfit) return no(unfit);
  }
  const { facts, failure: unknown } = await readFacts(run, surveys.item, { item });
  if (facts === null || unknown) return no(unknown ?? failure('item-unknown', { item }));
  if (on.environment) {
    const broken = await startEnvironment(run, config);
    if (broken) return no(broken);
    // After the scripts of the project, which may install it.
    const command = unprovenCommand(facts, config);
    const { failure: missing } = command === null ? NONE : await readFacts(run, program, { item, command });
    if (missing) return no(missing);
  }
  let firstTask: readonly Problem[] = [];
  if (on.baselineTests && config.verification.regressionCheck) {
    const verdict = await run.do('baseline', {
      kind: 'check',
      purpose: 'baseline',
      session: null,
      checks: baselineCheck(config),
    });
    // An item that was found failing is to be fixed, and work in progress that an older version left on the branch may have broken a test:
    // then this is the first task of the session.
    if (!verdict.holds && !isOnBranch(facts) && !facts.isFailing) return no(baselineFailing(verdict));
    firstTask = verdict.problems;
    // Tests of unfinished work do not become part of the baseline: the next session may rewrite them, the user may skip the item.
    const baseline = verdict.holds && !isOnBranch(facts) ? baselineFrom(verdict, verdict.tree) : null;
    if (baseline !== null)
      await run.do('take-baseline', { kind: 'remember', what: 'baseline', session: session - 1, baseline });
  }
  if (on.budget) {
    const { failure: spent, over } = await readFacts(run, budget, { item, session: 0 });
    if (spent) return { ready: false, failure: spent, ...(over ? { over } : {}) };
  }
  const sanity = sanityChecks(config);
  const unsound =
    sanity.length === 0
      ? []
      : (await run.do('sanity', { kind: 'check', purpose: 'sanity', session: null, checks: sanity })).warnings;
  return {
    ready: true,
    facts: unsound.length === 0 ? facts : { ...facts, isUnsound: true },
    firstTask: [...firstTask, ...unsound],
  };
}

const NONE = { failure: null };

/** The command that proves the item, where the suite before the session does not show that it can be started. */
function unprovenCommand({ proof, testFile }: ItemFacts, config: Config): string | null {
  if (proof) return proof.command;
  return testFile === null || config.testing.full !== null ? null : featureCommand(config, testFile);
}

/** Runs init.sh, and if it fails reset.sh and init.sh again; then the health check. null: the environment is up. */
export async function startEnvironment(run: R, config: Config): Promise<Failure | null> {
  const init = environmentCheck(config, 'init');
  const reset = environmentCheck(config, 'reset');
  if (init) {
    let started = await once(run, 'init', init);
    const tries = config.preflight.autoReset && reset !== null ? config.preflight.maxResetAttempts : 0;
    for (let n = 1; !started.holds && n <= tries; n += 1) {
      const again = run.scope(`reset-${n}`);
      const cleared = reset === null ? started : await once(again, 'reset', reset);
      if (!cleared.holds && n === tries) return commandFailed('reset-failed', cleared);
      started = await once(again, 'init', init);
    }
    if (!started.holds) return commandFailed('init-failed', started);
  }
  const health = environmentCheck(config, 'health');
  if (!health) return null;
  const healthy = await once(run, 'health', health);
  return healthy.holds ? null : commandFailed('unhealthy', healthy);
}

/** `files` for a sentence, `paths` for a command line. */
const namesOf = (files: readonly string[]): Params => ({
  count: files.length,
  files: files.join(', '),
  paths: files.map(shellWord).join(' '),
});

const once = (run: R, name: string, check: CheckSpec): Promise<Verdict> =>
  run.do(name, { kind: 'check', purpose: 'environment', session: null, checks: [check] });

function commandFailed(reason: Reason, verdict: Verdict): Failure {
  const last = verdict.checks.at(-1);
  return failure(reason, { command: last?.command ?? '', exit: last?.exit ?? -1, tail: last?.tail ?? '' });
}

/** Characters of a command's output: the message must fit on a screen. */
const SHOWN_LINES = 12;

/** The runner could not be started or reported nothing: no test has failed. */
const NOT_RUN = new Set<ProblemCode>(['command-missing', 'report-missing', 'report-unreadable']);

export function baselineFailing(verdict: Verdict): Failure {
  const [first] = verdict.problems;
  if (first !== undefined && NOT_RUN.has(first.code)) {
    const { command = '', tail = '' } = verdict.checks.at(-1) ?? {};
    const lines = tail.split('\n').filter((line) => line.trim() !== '');
    return failure('tests-not-runnable', { command, tail: lines.slice(-SHOWN_LINES).join('\n') });
  }
  const ids = [...verdict.regressions, ...verdict.problems.flatMap((p) => p.ids ?? [])];
  const tests = [...new Set(ids)];
  const last = verdict.checks.at(-1);
  return failure('baseline-failing', {
    count: tests.length === 0 ? '' : tests.length,
    tests: tests.slice(0, 10).join('\n'),
    command: last?.command ?? '',
    tail: (last?.tail ?? '').split('\n').slice(-SHOWN_LINES).join('\n'),
  });
}
