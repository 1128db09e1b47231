// The checks of preflight, of a feature and of a landing.
import type { Checkpoint, CheckSpec, StrengthAsk } from '../../model/action.ts';
import type { Config } from '../../model/config.ts';
import { startScripts } from '../../model/scripts.ts';
import type { OwnProof } from '../../model/item.ts';
import type { Problem, Verdict } from '../../model/verdict.ts';
import type { ItemFacts } from './facts.ts';

const minutes = (n: number): number => Math.round(n * 60_000);

/** POSIX single quotes: a test file's name is data, never shell. */
export const quote = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

export const featureCommand = (config: Config, testFile: string): string | null =>
  config.testing.feature === null ? null : config.testing.feature.replaceAll('{test_file}', quote(testFile));

/** The feature's own test, its automated checks that are commands, the whole suite against the baseline, and lint as a warning. */
export function featureChecks(
  facts: Pick<ItemFacts, 'testFile' | 'proof' | 'byHand'>,
  config: Config,
): readonly CheckSpec[] {
  const timeoutMs = minutes(config.testing.timeoutMinutes);
  const command = facts.testFile === null ? null : featureCommand(config, facts.testFile);
  const feature: CheckSpec[] = facts.proof
    ? [ownCheck(facts.proof)]
    : command === null
      ? []
      : [
          {
            name: 'feature',
            command,
            runner: config.testing.runner,
            needsTests: true,
            timeoutMs,
            weight: 'must',
            against: null,
          },
        ];
  const byCommand = (facts.byHand?.commands ?? []).map((line, n): CheckSpec => ({
    name: `automated-${n + 1}`,
    command: line,
    runner: null,
    needsTests: false,
    timeoutMs,
    weight: 'must',
    against: null,
  }));
  return [
    ...feature,
    ...byCommand,
    ...(config.verification.regressionCheck ? baselineCheck(config) : []),
    ...lintCheck(config),
  ];
}

/** The item's own command decides by its exit code alone. */
const ownCheck = ({ command, timeoutMs }: OwnProof): CheckSpec => ({
  name: 'feature',
  command,
  runner: null,
  needsTests: false,
  timeoutMs,
  weight: 'must',
  against: null,
});

/**
 * The checks of a session: those of the feature, and the sanity checks if they failed before it started, since fixing them was its first
 * task.
 */
export function sessionChecks(facts: ItemFacts, config: Config): readonly CheckSpec[] {
  const feature = featureChecks(facts, config);
  if (facts.isUnsound !== true) return feature;
  const sanity = sanityChecks(config).map((check): CheckSpec => ({ ...check, weight: 'must' }));
  return [...feature.filter(({ weight }) => weight !== 'warn'), ...sanity];
}

/** All problems are of sanity checks, which failed before the session started. */
export const isUnsoundStill = (problems: readonly Problem[], config: Config): boolean => {
  const names = new Set(sanityChecks(config).map(({ name }) => name));
  return problems.length > 0 && problems.every(({ params }) => names.has(String(params['check'])));
};

export const baselineCheck = (config: Config): readonly CheckSpec[] =>
  config.testing.full === null
    ? []
    : [
        {
          name: 'full',
          command: config.testing.full,
          runner: config.testing.runner,
          needsTests: false,
          timeoutMs: minutes(config.testing.timeoutMinutes),
          weight: 'must',
          against: 'baseline',
        },
      ];

export const lintCheck = (config: Config): readonly CheckSpec[] => {
  const command = config.quality.lintCommand ?? config.testing.sanity.lint;
  return command === null
    ? []
    : [
        {
          name: 'lint',
          command,
          runner: null,
          needsTests: false,
          timeoutMs: minutes(5),
          weight: 'warn',
          against: null,
        },
      ];
};

/** Checks before new work. Those that fail become the session's first task. */
export function sanityChecks(config: Config): readonly CheckSpec[] {
  const { sanity } = config.testing;
  const all = { health: sanity.health, lint: sanity.lint, 'type-check': sanity.typeCheck, quick: sanity.quick };
  return Object.entries(all).flatMap(([name, command]) =>
    command === null
      ? []
      : [
          {
            name,
            command,
            runner: null,
            needsTests: false,
            timeoutMs: minutes(config.testing.timeoutMinutes),
            weight: 'warn' as const,
            against: null,
          },
        ],
  );
}

export const environmentCheck = (config: Config, name: 'init' | 'reset' | 'health'): CheckSpec | null => {
  const command = {
    init: config.environment.init,
    reset: config.environment.reset,
    health: config.environment.healthCheck,
  }[name];
  return command === null
    ? null
    : {
        name,
        command,
        runner: null,
        needsTests: false,
        timeoutMs: minutes(config.environment.timeoutMinutes),
        weight: 'environment',
        against: null,
      };
};

/** Categories of items that change no behaviour, so that their tests may pass before the work. */
const EXEMPT = /^(?:docs?|documentation|cleanup|chore|manual)$/i;

/** Asks whether the passing tests prove the work on the item. */
export function strengthAction(
  {
    facts,
    checkpoint,
    session,
  }: { readonly facts: ItemFacts; readonly checkpoint: Checkpoint; readonly session: number },
  config: Config,
  verdict: Verdict,
): { readonly kind: 'strength' } & StrengthAsk {
  const checks = featureChecks(facts, config);
  const tookMs = (name: string): number => verdict.checks.find((check) => check.name === name)?.ms ?? 0;
  return {
    kind: 'strength',
    item: facts.id,
    session,
    since: facts.partial?.base ?? checkpoint.tree,
    tree: verdict.tree,
    testFile: facts.testFile,
    mayChangeTests: facts.mayChangeTests,
    itemKind: EXEMPT.test(facts.category) ? 'exempt' : 'code',
    feature: checks.find((check) => check.name === 'feature') ?? null,
    full: checks.find((check) => check.name === 'full') ?? null,
    tookMs: { feature: tookMs('feature'), full: tookMs('full') },
    passedBy: [config.paths.backlog, config.paths.progress],
    scripts: startScripts(config.environment),
    rules: { mutation: config.verification.mutation, minKilled: config.verification.minKilled },
  };
}
