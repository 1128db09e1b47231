// Programs that others wrote, installed from the registry for the tests of one file. Where that is not possible the tests are skipped, and say so.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';

/** Known once the tests have begun. */
export type InstalledTools = { readonly folder: string; readonly isInstalled: boolean };

/** `variable`: of the environment, which names a folder that keeps them. */
export function installedTools(variable: string, packages: readonly string[]): InstalledTools {
  const tools = { folder: '', isInstalled: false };
  const kept = process.env[variable];
  beforeAll(() => {
    tools.folder = kept ?? mkdtempSync(join(tmpdir(), 'harness-tools-'));
    writeFileSync(join(tools.folder, 'package.json'), '{"private":true}');
    const options = ['--silent', '--no-audit', '--no-fund', '--ignore-scripts'];
    const npm = spawnSync('npm', ['install', ...options, '--prefix', tools.folder, ...packages], { encoding: 'utf8' });
    tools.isInstalled = npm.status === 0;
    if (!tools.isInstalled) console.warn(`SKIPPED: ${packages.join(', ')} could not be installed: ${npm.stderr}`);
  }, 600_000);
  afterAll(() => {
    if (kept === undefined) rmSync(tools.folder, { recursive: true, force: true });
  });
  return tools;
}
