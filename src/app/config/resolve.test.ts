// The resolved configuration: defaults, both spellings, the agent of each role, keys without effect.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Config, ProviderName } from '../../model/config.ts';
import { resolveConfig, resolveText, type Resolution } from './resolve.ts';
import type { TargetFiles } from '../../model/target-files.ts';

const filesOf = (files: { readonly [name: string]: string } = {}): TargetFiles => ({
  read: (path) => files[path] ?? null,
  has: (path) => path in files,
});
const resolution = async (
  text: string,
  files: TargetFiles = filesOf(),
  file = '.harness.yaml',
): Promise<Resolution> => {
  const result = await resolveText('/target/my-api', { file, text }, files);
  if (!result.ok) throw new Error(JSON.stringify(result.failure.causes));
  return result.value;
};
const config = async (...args: Parameters<typeof resolution>): Promise<Config> => (await resolution(...args)).config;

describe('defaults', () => {
  test('apply to a target without a file', async () => {
    const root = mkdtempSync(join(tmpdir(), 'harness-config-'));
    try {
      mkdirSync(join(root, 'api'));
      const result = await resolveConfig(join(root, 'api'));
      expect(result).toMatchObject({
        ok: true,
        value: {
          config: {
            source: null,
            playbook: { backlog: 'features', machine: 'features' },
            project: { name: 'api' },
            agents: { default: { provider: 'claude', model: null }, roles: {} },
            isolation: 'in-place',
            dirtyTree: 'refuse',
            environment: { init: null, reset: null, healthCheck: null, stop: null },
            costs: { perSessionUsd: null, perFeatureUsd: null, totalProjectUsd: null, prices: {} },
            context: { windowTokens: 200_000, warnThreshold: 0.75, forceThreshold: 0.9 },
            session: { timeoutMinutes: 60, timeoutWarningMinutes: 50, idleSeconds: 300, maxOutputBytes: 50_000_000 },
            quality: { lintCommand: null, maxFileLines: 500, cleanupInterval: 10, warnOnLintErrors: true },
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
            preflight: { baselineTests: true, autoReset: true, maxResetAttempts: 2 },
            push: { remote: 'origin' },
            paths: { backlog: 'features.json', progress: 'claude-progress.txt', stateDir: '.harness' },
          },
          inert: [],
          needed: [{ reason: 'config-value-missing', at: { key: 'testing.feature' } }],
        },
      });
    } finally {
      rmSync(root, { recursive: true });
    }
  });

  test('an empty file, or one with only comments, has only defaults', async () => {
    for (const text of ['', '# nothing yet\n', '---\n', 'null\n'])
      expect((await config(text)).source).toBe('.harness.yaml');
  });

  test('init.sh and reset.sh are used if they exist, unless set to null', async () => {
    const files = filesOf({ 'init.sh': '', 'reset.sh': '' });
    expect((await config('', files)).environment).toMatchObject({ init: './init.sh', reset: './reset.sh' });
    expect((await config('environment: { init: null, reset: make reset }', files)).environment).toMatchObject({
      init: null,
      reset: 'make reset',
    });
  });

  test('a short session is warned at five sixths of its time', async () => {
    expect((await config('session: { timeout_minutes: 0.6 }')).session.timeoutWarningMinutes).toBeCloseTo(0.5);
  });

  test('the project name is that of package.json', async () => {
    expect((await config('', filesOf({ 'package.json': '{"name":"@me/api"}' }))).project.name).toBe('@me/api');
  });

  test('a price without a cache price uses the input price', async () => {
    const { costs } = await config('costs: { prices: { m-1: { input: 3, output: 15 } } }');
    expect(costs.prices).toEqual({ 'm-1': { input: 3, output: 15, cached: 3 } });
  });
});

test('camelCase is the same key, free names stay as they are', async () => {
  const text = JSON.stringify({
    $schema: 'x',
    dirtyTree: 'stash',
    costs: { perSessionUsd: 3, prices: { camelModel: { input: 1, output: 1 } } },
    environment: { healthCheck: 'true' },
    agents: { default: { env: { camelName: 1, FLAG: true } } },
  });
  const found = await config(text, filesOf(), 'harness.config.json');
  expect(found.dirtyTree).toBe('stash');
  expect(found.costs).toMatchObject({ perSessionUsd: 3, prices: { camelModel: {} } });
  expect(found.environment.healthCheck).toBe('true');
  expect(found.agents.default.env).toEqual({ camelName: '1', FLAG: 'true' });
  expect(found.source).toBe('harness.config.json');
});

test('paths are normalised', async () => {
  const { paths } = await config('paths: { features: ./plan//features.json, state_dir: .harness/ }');
  expect(paths).toMatchObject({ backlog: 'plan/features.json', stateDir: '.harness' });
});

test('anchors are followed', async () => {
  const { agents } = await config(
    'agents:\n  default: &a { provider: acp, command: [node, a.mjs] }\n  roles: { cleanup: *a }\n',
  );
  expect(agents.roles['cleanup']).toEqual(agents.default);
});

describe('the agent of a role', () => {
  const roles = async (text: string) => (await config(text)).agents;

  test('inherits from a default with the same provider', async () => {
    const { roles: found } = await roles(
      'agents:\n  default: { provider: acp, command: [a], model: m, env: { K: v } }\n  roles: { coding: { model: n } }\n',
    );
    expect(found['coding']).toEqual({ provider: 'acp', command: ['a'], model: 'n', env: { K: 'v' }, scenario: null });
  });

  test('inherits nothing from a default with another provider', async () => {
    const { roles: found } = await roles(
      'agents:\n  default: { provider: claude, model: m, env: { K: v } }\n  roles: { coding: { provider: codex } }\n',
    );
    expect(found['coding']).toEqual({ provider: 'codex', model: null, command: [], env: {}, scenario: null });
  });

  test('is set by the command line, and inherits nothing of another provider', async () => {
    const text =
      'agents:\n  default: { provider: claude, model: m, env: { K: v } }\n  roles: { coding: { model: n } }\nmodels: { cleanup: o }\n';
    const chosen = async (provider: ProviderName, scenario: string | null = null) => {
      const found = await resolveText('/repo', { file: '.harness.yaml', text }, filesOf(), { provider, scenario });
      if (!found.ok) throw new Error(found.failure.reason);
      return found.value.config.agents;
    };
    expect((await chosen('codex')).default).toMatchObject({ provider: 'codex', model: null, env: {} });
    expect((await chosen('codex')).roles).toEqual({});
    expect((await chosen('replay', '/c.jsonl')).default).toMatchObject({ provider: 'replay', scenario: '/c.jsonl' });
    expect(await chosen('claude')).toMatchObject({
      default: { provider: 'claude', model: 'm', env: { K: 'v' } },
      roles: { coding: { model: 'n' }, cleanup: { model: 'o' } },
    });
  });

  test.each(['agents: "  "', 'agents:', 'agents: { default: 1 }'])(
    'is not chosen over a value of the wrong type: %s',
    async (text) => {
      const found = await resolveText('/repo', { file: '.harness.yaml', text }, filesOf(), {
        provider: 'codex',
        scenario: null,
      });
      expect(found.ok ? 'accepted' : found.failure.reason).toBe('config-invalid');
    },
  );

  test('can be Codex with a command', async () => {
    const { default: agent } = await roles(
      'agents: { default: { provider: codex, command: [/opt/codex, --strict-config] } }\n',
    );
    expect(agent).toMatchObject({ provider: 'codex', command: ['/opt/codex', '--strict-config'] });
  });

  test('has the model of `models` before any other', async () => {
    const found = await roles(
      'agents:\n  default: { model: a }\n  roles: { coding: { model: b }, cleanup: {} }\nmodels: { default: c, coding: d, continuation: e }\n',
    );
    expect(found.default.model).toBe('c');
    expect(Object.entries(found.roles).map(([role, { model }]) => `${role} ${model}`)).toEqual([
      'coding d',
      'cleanup c',
      'continuation e',
    ]);
  });
});

test.each([
  ['', false, null],
  ['github: { sync_mode: mirror, repo: a/b }', true, 'a/b'],
  ['github: {}', true, null],
  ['github: { sync_mode: none, repo: a/b }', false, 'a/b'],
  ['project: { github_repo: a/c }', true, 'a/c'],
  ['project: { github_repo: a/c }\ngithub: { repo: a/b }', true, 'a/b'],
  ['backlog: github', true, null],
])('with %j items have issues: %j, of %j', async (text, mirrors, repo) => {
  expect((await resolution(text)).config.github).toMatchObject({ mirrors, repo, onSyncFailure: 'warn' });
});

describe('keys without effect', () => {
  test('of a features configuration are accepted and reported', async () => {
    const { inert } = await resolution(`
project: { name: my-api, github_repo: user/my-api }
context: { warn_threshold: 0.75, force_threshold: 0.90, on_limit: { auto_commit: true } }
progress: { check_interval_tokens: 50000 }
quality: { max_file_lines: 500, warn_on_lint_errors: true }
verification: { require_evidence: true, harness_verify: true, max_features_per_session: 1, regression_check: true }
github: { sync_mode: mirror, on_sync_failure: warn }
logging: { level: important, retention_days: 90, require_prefixes: false }
tools: { shell: { timeout_seconds: 300 }, mcp_servers: { db: { command: npx, config: { camelCase: 1 } } } }
agents: { roles: { reviewer: { provider: codex } } }
`);
    expect(inert.toSorted()).toEqual(['agents.roles.reviewer']);
  });

  test('are not reported if set to the actual behaviour', async () => {
    const { inert } = await resolution(
      'playbook: { machine: features, backlog: features }\nlanes: 1\nisolation: in-place\nrecovery: restore\n' +
        'github: { sync_mode: none, repo: a/b }\nsandbox: { level: auto }\nforge: { kind: none }\ngates: { default: wait }\n',
    );
    expect(inert).toEqual([]);
  });
});
