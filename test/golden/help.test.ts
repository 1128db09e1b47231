import { expect, test } from 'vitest';
import { makeRepo } from '../support/repo.ts';
import { golden, transcript } from './golden.ts';

test('the help of the program and of a command', async () => {
  const repo = makeRepo();
  const seen = await transcript(repo, ['--help', 'run --help', 'help items']);
  expect(seen).toBe(golden('help', seen));
  expect((await repo.harness()).stdout).toBe((await repo.harness('--help')).stdout);
});

test('what was not understood is said, with a way on', async () => {
  const repo = makeRepo();
  const calls = [
    'stauts',
    'frobnicate',
    '--frob',
    'run --frob',
    'run --max-sessions none',
    'answer',
    'items --repo',
    'status extra',
    'status --json extra',
  ];
  const seen = await transcript(repo, calls);
  expect(seen).toBe(golden('help-mistakes', seen));
});

test('global options stand before or after the command', async () => {
  const repo = makeRepo();
  const { stdout } = await repo.harness('status', '--json');
  expect((await repo.harness('--json', 'status')).stdout).toBe(stdout);
  expect((await repo.harness('-C', '/', '--json', 'status', '-C', '.')).stdout).toBe(stdout);
  expect((await repo.harness('--json', 'status', `--repo=${repo.root}`)).stdout).toBe(stdout);
});
