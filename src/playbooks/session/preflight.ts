// Preflight: seven questions before any agent starts (reference 000, Pre-Flight Checks). The first "no" ends it.
import type { Run } from '../../engine/types.ts';
import type { Actions, CheckSpec } from '../../model/action.ts';
import type { Config } from '../../model/config.ts';
import { failure, type Failure, type Params } from '../../model/failure.ts';
import type { Reason } from '../../model/reasons.ts';
import type { Problem, Verdict } from '../../model/verdict.ts';
import { ask, budgetInput, type BudgetFacts } from './asks.ts';
import { takenFrom } from './verdicts.ts';
import { baselineCheck, environmentCheck, quote, sanityChecks } from './checks.ts';
import type { ItemFacts, Preflight } from './facts.ts';

type R = Run<Actions>;
type FailureFacts = { readonly failure: Failure | null };
const no = (f: Failure): Preflight => ({ ready: false, failure: f });

export async function preflight(
  run: R,
  input: { readonly item: string; readonly session: number },
  config: Config,
): Promise<Preflight> {
  const on = config.preflight;
  if (on.workingDirectory) {
    const { failure: wrong } = await ask<FailureFacts>(run, 'directory', { config: ownSource(config) });
    if (wrong) return no(wrong);
  }
  if (on.harnessFiles) {
    const files = {
      config: ownSource(config),
      backlog: config.paths.backlog,
      progress: config.paths.progress,
      init: config.environment.init,
      reset: config.environment.reset,
    };
    const { missing, notExecutable } = await ask<{ missing: readonly string[]; notExecutable: readonly string[] }>(
      run,
      'harness-files',
      files,
    );
    if (missing.length > 0) return no(failure('harness-file-missing', namesOf(missing)));
    if (notExecutable.length > 0) return no(failure('not-executable', namesOf(notExecutable)));
  }
  let stash: string | null = null;
  if (on.gitState) {
    const git = await ask<FailureFacts>(run, 'git-state', {});
    if (git.failure?.reason === 'dirty-tree' && config.dirtyTree === 'stash')
      stash = (await run.do('stash', { kind: 'stash', session: input.session })).stash;
    else if (git.failure) return no(git.failure);
  }
  const { facts, failure: unknown } = await ask<{ facts: ItemFacts; failure: Failure | null }>(run, 'item', {
    backlog: config.paths.backlog,
    item: input.item,
    stateDir: config.paths.stateDir,
    newer: config.compatibility.onNewerState,
    maxSteps: config.features.maxVerificationSteps,
  });
  if (unknown) return no(unknown);
  if (on.environment) {
    const broken = await environment(run, config);
    if (broken) return no(broken);
  }
  let firstTask: readonly Problem[] = [];
  if (on.baselineTests && config.verification.regressionCheck) {
    const verdict = await run.do('baseline', {
      kind: 'check',
      purpose: 'baseline',
      session: null,
      checks: baselineCheck(config),
    });
    // Work in progress of this very feature may have broken a test, and one that was found failing is here to be mended: then
    // that is where the session begins.
    if (!verdict.holds && facts.partial === null && !facts.isFailing) return no(baselineFailing(verdict));
    firstTask = verdict.problems;
    // What unfinished work adds need not hold later: the next session may write it anew, a person may leave it out.
    const taken = verdict.holds && facts.partial === null ? takenFrom(verdict, verdict.tree) : null;
    if (taken !== null)
      await run.do('take-baseline', { kind: 'remember', what: 'baseline', session: input.session - 1, input: taken });
  }
  if (on.budget) {
    const spent = await ask<BudgetFacts>(run, 'budget', budgetInput(input.item, config, 0));
    if (spent.failure) return { ready: false, failure: spent.failure, ...(spent.over ? { over: spent.over } : {}) };
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
    stash,
  };
}

/** init.sh, and where it fails reset.sh and init.sh again; then the health check. */
export async function environment(run: R, config: Config): Promise<Failure | null> {
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

/** A configuration outside of the repository was read by its path: it says nothing of the folder. */
const ownSource = ({ source }: Config): string | null => (source?.startsWith('/') ? null : source);

/** `files` for a sentence, `paths` for a command line. */
const namesOf = (files: readonly string[]): Params => ({
  count: files.length,
  files: files.join(', '),
  paths: files.map(quote).join(' '),
});

const once = (run: R, name: string, check: CheckSpec): Promise<Verdict> =>
  run.do(name, { kind: 'check', purpose: 'environment', session: null, checks: [check] });

function commandFailed(reason: Reason, verdict: Verdict): Failure {
  const last = verdict.checks.at(-1);
  return failure(reason, { command: last?.command ?? '', exit: last?.exit ?? -1, tail: last?.tail ?? '' });
}

/** Of a command's output: the message must fit on a screen. */
const SHOWN_LINES = 12;

export function baselineFailing(verdict: Verdict): Failure {
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
