// The plugin in the real Claude program: it is valid, and is installed from the folder of the package without a network.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { pluginFolder } from '../../src/app/setup/skill.ts';
import { CLAUDE } from './lab.ts';

test('it is valid, can be installed from the package, and has its commands and skills', () => {
  const home = mkdtempSync(join(tmpdir(), 'harness-plugin-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const claude = (...args: readonly string[]): string => {
    const env = { PATH: process.env['PATH'] ?? '', HOME: home, CLAUDE_CONFIG_DIR: home };
    const { status, stdout, stderr } = spawnSync(CLAUDE, ['plugin', ...args], { cwd: home, env, encoding: 'utf8' });
    expect(status, `${args.join(' ')}: ${stdout}${stderr}`).toBe(0);
    return stdout;
  };
  claude('validate', pluginFolder());
  claude('marketplace', 'add', pluginFolder());
  claude('install', 'harness@harness-agents');
  expect(claude('list')).toContain('harness@harness-agents');
  const details = claude('details', 'harness');
  for (const name of ['status', 'run', 'answer', 'report', 'workflow'])
    expect(details).toMatch(new RegExp(`\\b${name}\\b`));
});
