import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeRepo } from '../support/repo.ts';
import { golden, transcript } from './golden.ts';

const LINT = { 'lint.sh': '#!/bin/sh\necho "src/a.mjs:1:1: error x"\necho "Found 1 error."\nexit 1\n' };
const CONFIG = `playbook: features
project: { name: shop }
agents:
  default: { provider: scripted, scenario: .scenario.yaml }
environment: { init: ./init.sh, reset: ./reset.sh }
testing:
  runner: node
  feature: "node --test {test_file}"
  full: "node --test tests/"
quality: { lint_command: ./lint.sh, max_file_lines: 40, cleanup_interval: 4 }
`;
/** Ages are of the moment. */
const aged = (text: string): string =>
  text.replaceAll(/, (?:vor )?[\d.,]+ (?:ms|s|sec|min|Sek\.?|Min\.?)\b\.?(?: ago)?/g, ', <age>');

test('health is computed from what was measured; what was not measured is named and does not count', async () => {
  const repo = makeRepo({ ...LINT, '.harness.yaml': CONFIG, 'src/long.mjs': '// a line\n'.repeat(99) });
  const nothingYet = await transcript(repo, ['health', 'health --json']);
  await repo.harness('verify', '1');
  const seen = `${nothingYet}\n${await transcript(repo, ['health', '--lang de health', 'health --json'])}`;
  expect(aged(seen)).toBe(golden('health', aged(seen)));
});

test('a figure that cannot be read stops it with the place; a tree that was rolled back is no measure', async () => {
  const repo = makeRepo({ ...LINT, '.harness.yaml': CONFIG });
  await repo.harness('verify', '1');
  const folder = join(repo.privateDir, 'evidence', 'rolled-back');
  mkdirSync(folder, { recursive: true });
  const check = {
    name: 'full',
    command: 'x',
    weight: 'must',
    started: '2026-01-01T00:00:00.000Z',
    exit: { code: 1 },
    tests: { passed: 0, total: 9 },
    problems: [{ code: 'tests-failed' }],
    stdout: { file: 'x' },
    stderr: { file: 'x' },
  };
  writeFileSync(join(folder, 'checks.json'), JSON.stringify({ purpose: 'feature', checks: [check] }));
  const { tests } = (await repo.harness('health', '--json')).json() as { tests: { total: number } };
  expect(tests.total).toBe(3);
  repo.write('.git/harness/file_sizes.json', '{ "session": -1 }');
  const bad = await repo.harness('health', '--json');
  expect([bad.code, bad.json()]).toMatchObject([5, { error: { code: 'state-unreadable' } }]);
});
