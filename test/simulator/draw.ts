// What a mission begins with: its kind, configuration, what it was asked for, and what its agents are like.
import type { Config } from '../../src/model/config.ts';
import { SUBJECTS, type GatePolicy } from '../../src/model/gate.ts';
import { GATE_SUBJECTS } from '../../src/playbooks/workflow/table/gates.ts';
import type { RunMode } from '../../src/model/run.ts';
import { configOf } from '../support/config.ts';
import { FEATURES, TASKS } from './backlog-kind.ts';
import { diceOf, type Dice } from './chance.ts';
import type { Kind, Moods } from './kind.ts';
import type { Agents } from './mission.ts';
import { MISSION } from './mission-kind.ts';
import { WORKFLOW } from './workflow/kind.ts';

const MINUTE = 60_000;

export const isWorkflow = (seed: number): boolean => Math.floor(seed / 2) % 4 === 3;
/** Each fourth is one workflow; of the others a quarter is worked by the tasks machine, and a fifth by the roles of a mission. */
export function drawKind(seed: number, dice: Dice): Kind {
  const list = dice.weighed({ tasks: 25, mission: 20, features: 55 });
  return isWorkflow(seed) ? WORKFLOW : { tasks: TASKS, mission: MISSION, features: FEATURES }[list];
}

export function drawConfig(dice: Dice, kind: Kind): Config {
  const some = (least: number, most: number): number | null =>
    dice.happens(0.5) ? null : Math.round((least + dice.roll() * (most - least)) * 100) / 100;
  const policies: { [subject: string]: GatePolicy } = {};
  for (const [subject, { options, never }] of Object.entries({ ...SUBJECTS, ...GATE_SUBJECTS })) {
    if (!dice.happens(0.3)) continue;
    const allowed = options.filter((one) => one !== 'abort' && !(never as readonly string[]).includes(one));
    policies[subject] = {
      answer: dice.happens(0.85) ? dice.oneOf(allowed) : null,
      afterMs: dice.between(1, 20) * MINUTE,
    };
  }
  return configOf({
    ...kind.config,
    environment: { healthCheck: null },
    testing: {
      runner: 'tap',
      feature: 'run {test_file}',
      full: 'run all',
      sanity: { health: null, lint: null, typeCheck: null, quick: null },
    },
    costs: {
      perSessionUsd: some(0.2, 3),
      perFeatureUsd: some(0.5, 6 * kind.sessionsEach),
      totalProjectUsd: some(2, 20 * kind.sessionsEach),
    },
    ...drawQuota(dice),
    features: { maxStuckSessions: dice.between(1, 4) },
    verification: { fixTurns: dice.between(0, 3) },
    session: {
      timeoutMinutes: dice.between(20, 90),
      timeoutWarningMinutes: 15,
      idleSeconds: dice.between(200, 900),
      maxOutputBytes: 400_000,
    },
    preflight: { budget: true, autoReset: dice.happens(0.8) },
    progress: { checkIntervalTokens: dice.between(20, 60) * 1_000, forceStopAfterStuckChecks: dice.between(1, 3) },
    gates: { policies },
  });
}

/** Some have a quota window that they may use up, and some of these have a substitute. */
function drawQuota(dice: Dice): Pick<Config, 'quota'> & { agents?: Partial<Config['agents']> } {
  const windows = dice.happens(0.25)
    ? [{ provider: 'scripted' as const, hours: dice.between(1, 5), tokens: dice.between(30, 500) * 1_000 }]
    : [];
  const other = { provider: 'acp' as const, model: null, command: ['other'], env: {}, scenario: null };
  const quota = { beginBelow: 0.9, wrapUpAt: 0.95, windows };
  return dice.happens(0.15) ? { quota, agents: { fallback: [other] } } : { quota };
}

export function drawMode(dice: Dice): RunMode {
  return {
    work: true,
    only: null,
    untilDone: dice.happens(0.9),
    maxSessions: dice.happens(0.2) ? dice.between(1, 20) : null,
    maxItems: dice.happens(0.1) ? dice.between(1, 6) : null,
    maintainMs: dice.happens(0.15) ? dice.between(30, 180) * MINUTE : null,
  };
}

export function drawAgents(seed: number, moods: Moods): Agents {
  const dice = diceOf(seed, 'moods');
  const weights = moods[dice.oneOf(Object.keys(moods))]!;
  return {
    inject: dice.oneOf(['mid-turn', 'next-turn', 'none']),
    tells: dice.oneOf(['reports', 'totals']),
    obeys: dice.oneOf([1, 0.8, 0.2]),
    outageLasts: dice.oneOf([0.2, 0.6, 0.97]),
    next: () => dice.weighed(weights),
  };
}
