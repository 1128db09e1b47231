// What a mission begins with: backlog, configuration, what it was asked for, and what its agents are like.
import type { Config } from '../../src/model/config.ts';
import { SUBJECTS, type GatePolicy } from '../../src/model/gate.ts';
import type { RunMode } from '../../src/model/run.ts';
import { configOf } from '../support/config.ts';
import { DEEDS, type Deed } from './agent.ts';
import { diceOf, type Dice } from './chance.ts';
import type { Agents } from './mission.ts';

export const FIRST_FILES: { readonly [path: string]: string } = {
  '.harness.yaml': 'playbook: features\n',
  '.gitignore': '.harness/\n',
  'claude-progress.txt': '# Progress: simulated\n',
  'init.sh': '#!/bin/sh\n',
  'reset.sh': '#!/bin/sh\n',
};

const MINUTE = 60_000;

export function drawBacklog(dice: Dice): string {
  const items = Array.from({ length: dice.between(3, 30) }, (_, n) => {
    const id = n + 1;
    const depends = id > 1 && dice.happens(0.5) ? [dice.between(1, id - 1)] : [];
    const steps = dice.happens(0.04) ? 9 : 2;
    const kind = dice.weighed({ automated: 88, hybrid: 8, manual: 4 });
    return {
      id,
      category: 'shop',
      description: `User can do ${id}`,
      test_file: `tests/f${id}.test`,
      verification_steps: Array.from({ length: steps }, (_, step) => `Step ${step}`),
      ...(depends.length > 0 ? { depends_on: depends } : {}),
      ...(kind === 'automated' ? {} : { verification_type: kind, manual_checks: ['It feels right'] }),
      passes: false,
    };
  });
  return `${JSON.stringify({ project: 'simulated', features: items }, null, 2)}\n`;
}

/** Its log stands in the state folder, with its ledger. */
const TASKS: Parameters<typeof configOf>[0] = {
  playbook: { backlog: 'features', machine: 'tasks' },
  recovery: 'checked',
  paths: { backlog: 'features.json', progress: '.harness/tasks/harness-progress.txt', stateDir: '.harness' },
};

export function drawConfig(dice: Dice): Config {
  const some = (least: number, most: number): number | null =>
    dice.happens(0.5) ? null : Math.round((least + dice.roll() * (most - least)) * 100) / 100;
  const policies: { [subject: string]: GatePolicy } = {};
  for (const [subject, { options, never }] of Object.entries(SUBJECTS)) {
    if (!dice.happens(0.3)) continue;
    const allowed = options.filter((one) => one !== 'abort' && !(never as readonly string[]).includes(one));
    policies[subject] = {
      answer: dice.happens(0.85) ? dice.oneOf(allowed) : null,
      afterMs: dice.between(1, 20) * MINUTE,
    };
  }
  return configOf({
    // Each fourth mission is worked by the tasks machine.
    ...(dice.happens(0.25) ? TASKS : {}),
    environment: { healthCheck: null },
    testing: {
      runner: 'tap',
      feature: 'run {test_file}',
      full: 'run all',
      sanity: { health: null, lint: null, typeCheck: null, quick: null },
    },
    costs: { perSessionUsd: some(0.2, 3), perFeatureUsd: some(0.5, 6), totalProjectUsd: some(2, 20) },
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

/** Some have a window that they may come to the end of, and some of these somebody else to go on. */
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

/** A mood for a whole mission: what is rare in one is the rule in another, so that the far ends are reached. */
const MOODS: { readonly [mood: string]: { readonly [D in Deed]?: number } } = {
  good: { honest: 60, nothing: 4, lies: 2, compacts: 2, 'refused-shortly': 2, fills: 2 },
  lying: {
    honest: 12,
    lies: 10,
    'wrong-claim': 5,
    'edits-others': 5,
    'breaks-older': 8,
    tampers: 8,
    commits: 6,
    'late-change': 6,
  },
  outages: {
    honest: 14, crashes: 6, 'refused-shortly': 6, 'refused-long': 5, refused: 6, overloaded: 6, offline: 6, malformed: 3, lost: 4, unknown: 3,
  }, // prettier-ignore
  tired: { honest: 14, fills: 8, stuck: 8, silent: 5, slow: 4, nothing: 8, compacts: 4, floods: 3 },
  dear: { honest: 10, dear: 20, lies: 4 },
  any: Object.fromEntries(DEEDS.map((deed) => [deed, deed === 'honest' ? 15 : deed === 'locked-out' ? 1.5 : 2])),
};

export function drawAgents(seed: number): Agents {
  const dice = diceOf(seed, 'moods');
  const weights = MOODS[dice.oneOf(Object.keys(MOODS))]!;
  return {
    inject: dice.oneOf(['mid-turn', 'next-turn', 'none']),
    tells: dice.oneOf(['reports', 'totals']),
    obeys: dice.oneOf([1, 0.8, 0.2]),
    outageLasts: dice.oneOf([0.2, 0.6, 0.97]),
    next: () => dice.weighed(weights),
  };
}
