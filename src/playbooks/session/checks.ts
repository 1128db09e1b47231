// The checks of preflight, of a feature and of a landing.
import type { Checkpoint } from '../../model/checkpoint.ts';
import type { CheckSpec, StrengthAsk } from '../../model/action.ts';
import type { Config } from '../../model/config.ts';
import { startScripts } from '../../model/scripts.ts';
import { shellWord } from '../../model/shell-quote.ts';
import type { OwnProof } from '../../model/item.ts';
import type { Problem, Verdict } from '../../model/verdict.ts';
import type { ItemFacts } from './facts.ts';

const minutes = (n: number): number => Math.round(n * 60_000);

/** The command that runs this test file; null: none is configured. */
export const featureCommand = (config: Config, testFile: string): string | null =>
  config.testing.feature === null ? null : config.testing.feature.replaceAll('{test_file}', () => shellWord(testFile));

/** A check that decides by the exit code of a command, unless `more` says otherwise. */
export const checkOf = (
  name: string,
  command: string,
  weight: CheckSpec['weight'],
  timeoutMs: number,
  more: Partial<Pick<CheckSpec, 'runner' | 'needsTests' | 'against'>> = {},
): CheckSpec => ({ name, command, runner: null, needsTests: false, timeoutMs, weight, against: null, ...more });

/** The feature's own test, its automated checks that are commands, the whole suite against the baseline, and lint. `since`: as for `lintCheck`. */
export function featureChecks(
  facts: Pick<ItemFacts, 'testFile' | 'proof' | 'byHand' | 'ownTests'>,
  config: Config,
  since?: string,
): readonly CheckSpec[] {
  const { runner, timeoutMinutes } = config.testing;
  const timeoutMs = minutes(timeoutMinutes);
  const command = facts.testFile === null ? null : featureCommand(config, facts.testFile);
  const feature: readonly CheckSpec[] = facts.proof
    ? commandChecks(facts.proof, facts.ownTests ?? [], config)
    : command === null
      ? []
      : [checkOf('feature', command, 'must', timeoutMs, { runner, needsTests: true })];
  const commands = facts.byHand?.commands ?? [];
  return [
    ...feature,
    ...commands.map((line, n) => checkOf(`automated-${n + 1}`, line, 'must', timeoutMs)),
    ...(config.verification.regressionCheck ? baselineCheck(config) : []),
    ...lintCheck(config, since),
  ];
}

/** Whether single tests can be run and reported, so that an exit code alone is not enough. */
export const reportsTests = ({ testing }: Config): boolean =>
  testing.runner !== 'command' && testing.feature !== null && testing.full !== null;

/**
 * The item's own command, and its tests by the runner of the project: the exit code of a command may come from anything that it runs.
 * Where the command is a call of the runner, one run is both.
 */
function commandChecks(proof: OwnProof, ownTests: readonly string[], config: Config): readonly CheckSpec[] {
  const { runner, timeoutMinutes, feature, full } = config.testing;
  const own = checkOf('feature', proof.command, 'must', proof.timeoutMs);
  if (!reportsTests(config) || feature === null) return [own];
  const reported = { runner, needsTests: true } as const;
  const line = proof.command.trim();
  const files = ownTests.map(shellWord).join(' ');
  const command = feature.replaceAll('{test_file}', () => files);
  if (line === full?.trim() || (ownTests.length > 0 && line === command.trim())) return [{ ...own, ...reported }];
  return ownTests.length === 0 ? [own] : [own, checkOf('own-test', command, 'must', minutes(timeoutMinutes), reported)];
}

/**
 * The checks of a session: those of the feature, and the sanity checks if they failed before it started, since fixing them was its first
 * task.
 */
export function sessionChecks(facts: ItemFacts, config: Config, since: string): readonly CheckSpec[] {
  const feature = featureChecks(facts, config, since);
  if (facts.isUnsound !== true) return feature;
  const sanity = sanityChecks(config).map((check): CheckSpec => ({ ...check, weight: 'must' }));
  const isSanity = ({ command }: CheckSpec): boolean => sanity.some((check) => check.command === command);
  return [
    ...feature.filter((check) => check.weight !== 'warn' && !(check.name === 'lint' && isSanity(check))),
    ...sanity,
  ];
}

/** All problems are of sanity checks, which failed before the session started. */
export const isUnsoundStill = (problems: readonly Problem[], config: Config): boolean => {
  const names = new Set(sanityChecks(config).map(({ name }) => name));
  return problems.length > 0 && problems.every(({ params }) => names.has(String(params['check'])));
};

export function baselineCheck({ testing }: Config): readonly CheckSpec[] {
  const { full, runner, timeoutMinutes } = testing;
  return full === null ? [] : [checkOf('full', full, 'must', minutes(timeoutMinutes), { runner, against: 'baseline' })];
}

/** `since`: the tree or commit before the work; left out: its findings warn, whatever the configuration says. */
export function lintCheck(config: Config, since?: string): readonly CheckSpec[] {
  const command = config.quality.lintCommand ?? config.testing.sanity.lint;
  if (command === null) return [];
  const isRefusing = since !== undefined && !config.quality.warnOnLintErrors;
  return [{ ...checkOf('lint', command, isRefusing ? 'must' : 'warn', minutes(5)), ...(isRefusing ? { since } : {}) }];
}

/** Checks before new work. Those that fail become the session's first task. */
export function sanityChecks({ testing }: Config): readonly CheckSpec[] {
  const { health, lint, typeCheck, quick } = testing.sanity;
  const all = { health, lint, 'type-check': typeCheck, quick };
  return Object.entries(all).flatMap(([name, command]) =>
    command === null ? [] : [checkOf(name, command, 'warn', minutes(testing.timeoutMinutes))],
  );
}

export function environmentCheck({ environment }: Config, name: 'init' | 'reset' | 'health'): CheckSpec | null {
  const { init, reset, healthCheck, timeoutMinutes } = environment;
  const command = { init, reset, health: healthCheck }[name];
  return command === null ? null : checkOf(name, command, 'environment', minutes(timeoutMinutes));
}

/** The tree or commit where the work on the item began. */
export const beforeWork = ({ partial }: Pick<ItemFacts, 'partial'>, { tree }: Pick<Checkpoint, 'tree'>): string =>
  partial?.base ?? tree;

/** Categories of items that change no behaviour, so that their tests may pass before the work. */
const EXEMPT = /^(?:docs?|documentation|cleanup|chore|manual)$/i;

/** Asks whether the passing tests prove the work on the item. */
export function strengthAction(
  {
    facts,
    checkpoint,
    session,
  }: { readonly facts: ItemFacts; readonly checkpoint: Pick<Checkpoint, 'tree'>; readonly session: number },
  config: Config,
  verdict: Verdict,
): { readonly kind: 'strength' } & StrengthAsk {
  const checks = featureChecks(facts, config);
  const own = checks.find(({ name }) => name === 'own-test') ?? checks.find(({ name }) => name === 'feature') ?? null;
  // Without a runner there is the command alone, and nothing shows what it runs.
  const isProvable = facts.proof === undefined || reportsTests(config);
  const tookMs = (name: string): number => verdict.checks.find((check) => check.name === name)?.ms ?? 0;
  return {
    kind: 'strength',
    item: facts.id,
    session,
    since: beforeWork(facts, checkpoint),
    tree: verdict.tree,
    testFile: facts.testFile ?? facts.ownTests?.[0] ?? null,
    opens: facts.mayChangeTests,
    itemKind: EXEMPT.test(facts.category) || !isProvable ? 'exempt' : 'code',
    feature: own,
    full: checks.find((check) => check.name === 'full') ?? null,
    tookMs: { feature: own === null ? 0 : tookMs(own.name), full: tookMs('full') },
    passedBy: [config.paths.backlog, config.paths.progress],
    scripts: startScripts(config.environment),
    rules: { mutation: config.verification.mutation, minKilled: config.verification.minKilled },
  };
}
