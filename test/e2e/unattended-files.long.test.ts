// The files for containers and CI services (docs/unattended.md), judged by tools that others wrote: GitHub's schema of actions and workflows, and a
// linter of Dockerfiles. HARNESS_LINTERS_DIR names a folder that keeps them.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { installedTools } from '../support/installed-tools.ts';

const PACKAGES = ['@action-validator/core@0.6.0', '@action-validator/cli@0.6.0', 'dockerfile-utils@0.16.3'];
const ACTION = 'examples/unattended/action.yml';
const tools = installedTools('HARNESS_LINTERS_DIR', PACKAGES);

const validated = (file: string): number | null =>
  spawnSync(process.execPath, [join(tools.folder, 'node_modules/@action-validator/cli/cli.mjs'), file]).status;

test('the action and the workflow are as the schema of GitHub wants them, and a mistake in one would be found', ({
  skip,
}) => {
  if (!tools.isInstalled) skip();
  expect(validated(ACTION)).toBe(0);
  expect(validated('.github/workflows/docs.yml')).toBe(0);
  const top = mkdtempSync(join(tmpdir(), 'harness-action-'));
  onTestFinished(() => rmSync(top, { recursive: true }));
  mkdirSync(join(top, 'wrong'));
  writeFileSync(join(top, 'wrong/action.yml'), readFileSync(ACTION, 'utf8').replace(/^runs:/m, 'rans:'));
  expect(validated(join(top, 'wrong/action.yml'))).toBe(1);
});

test('a linter finds nothing in the Dockerfile', ({ skip }) => {
  if (!tools.isInstalled) skip();
  const load = createRequire(join(tools.folder, 'package.json'));
  const { validate } = load('dockerfile-utils') as { validate(text: string): readonly { readonly message: string }[] };
  const text = readFileSync('examples/unattended/Dockerfile', 'utf8');
  expect(validate(text)).toEqual([]);
  expect(validate(text.replace('WORKDIR', 'WORKDIRS'))).not.toEqual([]);
});
