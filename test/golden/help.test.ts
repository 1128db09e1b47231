import { expect, test } from 'vitest';
import { makeRepo } from '../support/repo.ts';
import { expectGolden, transcript } from './golden.ts';

test('the help of the program and of a command', async () => {
  const repo = makeRepo();
  expectGolden('help', await transcript(repo, ['--help', 'run --help', 'help items']));
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
  expectGolden('help-mistakes', await transcript(repo, calls));
});

test('global options stand before or after the command', async () => {
  const repo = makeRepo();
  const { stdout } = await repo.harness('status', '--json');
  expect((await repo.harness('--json', 'status')).stdout).toBe(stdout);
  expect((await repo.harness('-C', '/', '--json', 'status', '-C', '.')).stdout).toBe(stdout);
  expect((await repo.harness('--json', 'status', `--repo=${repo.root}`)).stdout).toBe(stdout);
});
