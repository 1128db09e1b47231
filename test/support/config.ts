// A whole configuration for tests, with the defaults a person would get and commands for everything.
import type { Config } from '../../src/model/config.ts';
import { STANDARD_TOOLS } from '../../src/model/tools.ts';

type Parts = { readonly [S in keyof Config]?: Config[S] extends object ? Partial<Config[S]> : Config[S] };

export function configOf(parts: Parts = {}): Config {
  const base: Config = {
    playbook: { backlog: 'features', machine: 'features' },
    project: { name: 'my-api' },
    agents: {
      default: { provider: 'scripted', model: null, command: [], env: {}, scenario: null },
      roles: {},
      fallback: [],
    },
    quota: { beginBelow: 0.9, wrapUpAt: 0.95, windows: [] },
    isolation: 'in-place',
    recovery: 'restore',
    dirtyTree: 'refuse',
    environment: {
      init: './init.sh',
      reset: './reset.sh',
      healthCheck: 'curl -sf :8000',
      stop: null,
      timeoutMinutes: 5,
    },
    testing: {
      runner: 'pytest',
      feature: 'pytest {test_file} -v',
      full: 'pytest',
      sanity: { health: null, lint: 'ruff check', typeCheck: null, quick: null },
      timeoutMinutes: 10,
    },
    workflow: { step: null, style: null },
    costs: { perSessionUsd: null, perFeatureUsd: null, totalProjectUsd: null, prices: {} },
    models: {},
    context: { windowTokens: 200_000, warnThreshold: 0.75, forceThreshold: 0.9, wipPrefix: 'WIP: Context limit - ' },
    progress: {
      checkIntervalTokens: 50_000,
      stuckWarning: 'You appear stuck.',
      forceStopAfterStuckChecks: 2,
      maxRepeatedErrors: 5,
    },
    session: {
      timeoutMinutes: 60,
      timeoutWarningMinutes: 50,
      idleSeconds: 600,
      maxOutputBytes: 10_000_000,
      wipPrefix: 'WIP: Timeout - ',
    },
    quality: { lintCommand: null, maxFileLines: 500, cleanupInterval: 10 },
    verification: {
      regressionCheck: true,
      maxFeaturesPerSession: 1,
      requireEvidence: true,
      fixTurns: 2,
      flakyReruns: 3,
      baselineRuns: 2,
      mutation: 'warn',
      minKilled: 0.5,
    },
    features: { maxVerificationSteps: 7, maxStuckSessions: 3, requireTestFile: true },
    preflight: {
      workingDirectory: true,
      harnessFiles: true,
      gitState: true,
      environment: true,
      baselineTests: true,
      budget: true,
      autoReset: true,
      maxResetAttempts: 2,
    },
    sandbox: { level: 'none', network: 'closed', agents: 'inside', agentFolders: [] },
    gates: { policies: {} },
    tools: STANDARD_TOOLS,
    push: { remote: null },
    paths: { backlog: 'features.json', progress: 'claude-progress.txt', stateDir: '.harness' },
    logging: { level: 'routine', retentionDays: 90, structured: true, fallback: true, warnMissing: true },
    compatibility: { onOlderState: 'migrate', onNewerState: 'abort', backupBeforeMigrate: true },
    source: '.harness.yaml',
  };
  const whole: Record<string, unknown> = { ...base };
  for (const [section, part] of Object.entries(parts)) {
    const was = whole[section];
    whole[section] =
      typeof was === 'object' && was !== null && !Array.isArray(was) ? { ...was, ...(part as object) } : part;
  }
  return whole as unknown as Config;
}
