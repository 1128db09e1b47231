// What a session is started with, and what of it anybody on this machine can see.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { SessionSpec } from '../port.ts';
import { STANDARD_RULES } from '../policy.ts';
import { argumentsOf, keyOf, threadOf, wantedSandbox } from './settings.ts';

const spec = (more: Partial<SessionSpec> = {}): SessionSpec => ({
  agent: { provider: 'codex', model: 'gpt-5.5', command: [], scenario: null, env: { DB_PASSWORD: 'hush' } },
  mode: 'exec',
  cwd: '/lane',
  token: 'the-token',
  env: { PATH: '/bin', CODEX_API_KEY: 'sk-1', CARGO_HOME: '/c', PROXY: 'http://me:hunter22@far.test' },
  resume: null,
  home: '/private',
  ...more,
});
const NOBODY = { servers: [], skills: [] };
const box = { argv: ['bwrap'], env: {}, without: [] };

describe('the sandbox', () => {
  test('is the program’s own without a box of ours, and strict', () => {
    expect(threadOf(spec(), NOBODY, true)).toMatchObject({
      approvalPolicy: 'untrusted',
      approvalsReviewer: 'user',
      config: {
        projects: { '/lane': { trust_level: 'untrusted' } },
        default_permissions: 'harness',
        permissions: { harness: { extends: ':workspace', filesystem: { '/private': 'deny' } } },
      },
    });
    expect(JSON.stringify(threadOf(spec({ mode: 'review' }), NOBODY, true))).toContain('":read-only"');
    expect([wantedSandbox('exec', true), wantedSandbox('complete', true)]).toEqual(['workspaceWrite', 'readOnly']);
  });

  test('closes the harness’s repository in a folder without git', () => {
    const cwd = mkdtempSync(join(tmpdir(), 'codex-'));
    onTestFinished(() => rmSync(cwd, { recursive: true }));
    mkdirSync(join(cwd, '.harness-engine'));
    expect(threadOf(spec({ cwd }), NOBODY, true)).toMatchObject({
      config: {
        permissions: { harness: { filesystem: { '/private': 'deny', [join(cwd, '.harness-engine')]: 'deny' } } },
      },
    });
  });

  test('is ours in a box, and the program’s own is off', () => {
    expect(threadOf(spec({ box }), NOBODY, false)).toMatchObject({
      config: { default_permissions: ':danger-full-access' },
    });
    expect(wantedSandbox('review', false)).toBe('dangerFullAccess');
  });
});

describe('secrets', () => {
  test('are in no argument', () => {
    const notes = { command: 'notes', args: [], env: { A_SECRET: 'hush' } };
    const tools = { ...STANDARD_RULES, settings: { ...STANDARD_RULES.settings, mcpServers: { notes } } };
    expect(argumentsOf(spec({ tools })).join(' ')).not.toMatch(/sk-1|hush|hunter22/);
    expect(threadOf(spec({ tools }), NOBODY, true)).toMatchObject({
      config: { mcp_servers: { notes: { env: { A_SECRET: 'hush', HARNESS_TOKEN: 'the-token' } } } },
    });
  });

  test('are not in the environment of commands', () => {
    expect(threadOf(spec(), NOBODY, true)).toMatchObject({
      config: { shell_environment_policy: { include_only: ['PATH', 'CARGO_HOME', 'HARNESS_TOKEN'] } },
    });
  });

  test('of the agent’s own configuration take precedence, and an empty one is none', () => {
    expect(keyOf(spec())).toBe('sk-1');
    expect(keyOf(spec({ env: { CODEX_API_KEY: '' } }))).toBeNull();
  });
});

test('what the user’s own settings add is switched off by name, servers in a review too', () => {
  const theirs = { servers: ['mail'], skills: ['deploy'] };
  expect(threadOf(spec({ mode: 'review', tools: STANDARD_RULES }), theirs, true)).toMatchObject({
    config: {
      mcp_servers: { mail: { enabled: false } },
      skills: { include_instructions: false, config: [{ name: 'deploy', enabled: false }] },
    },
  });
});
