import { expect, test } from 'vitest';
import { makeRepo, type Repo } from '../support/repo.ts';
import { golden, transcript } from './golden.ts';

/** Keeps what an agent did, as a rollback does, and leaves the repository as it was. */
function keep(repo: Repo, ref: string, files: { readonly [path: string]: string }, trailers: string): void {
  repo.git('switch', '-q', '-c', 'work');
  for (const [path, text] of Object.entries(files)) repo.write(path, text);
  repo.git('add', '-A');
  repo.git('commit', '-q', '-m', `verification-failed\n\n${trailers}`);
  repo.git('update-ref', `refs/harness/attempts/${ref}`, 'HEAD');
  repo.git('switch', '-q', 'main');
  repo.git('branch', '-q', '-D', 'work');
}

function withAttempts(): Repo {
  const repo = makeRepo();
  keep(repo, '2/1', { 'src/cart.mjs': 'export const cart = [];\n' }, 'Harness-Item: 2\nHarness-Session: 4');
  keep(
    repo,
    '2/2',
    { 'src/cart.mjs': 'export const cart = new Set();\n', 'init.sh': '#!/bin/sh\necho \u001b[2J\n' },
    'Harness-Item: 2\nHarness-Session: 5',
  );
  keep(repo, '%none/1', { 'notes.txt': 'half\n' }, 'Harness-Session: 0');
  return repo;
}

test('what was rolled back is listed, shown and taken', async () => {
  const repo = withAttempts();
  const calls = [
    'attempts',
    'attempts 2',
    'attempts none',
    'attempts show 2 2',
    'attempts show 2 2 --patch',
    'attempts show 2 2 --json',
    'attempts take 2 1',
    'attempts take 2 1',
    'attempts take 2 2 --branch harness/attempt-2-1',
    'attempts take 2 2 --branch "a branch"',
    'attempts 2 --json',
  ];
  const seen = await transcript(repo, calls);
  expect(seen).toBe(golden('attempts', seen));
  expect(repo.git('show', 'harness/attempt-2-1:src/cart.mjs')).toBe('export const cart = [];');
  expect(repo.git('status', '--porcelain', '--branch')).toBe('## main');
});

test('nothing kept, an item that is not there, a number that is not there', async () => {
  const none = await transcript(makeRepo(), ['attempts', 'attempts --json', 'attempts 2']);
  const calls = [
    'attempts 7',
    'attempts show 2 9',
    'attempts show 2 x',
    'attempts show',
    'attempts take 3',
    'attempts ls show',
    'attempts show show 1',
  ];
  const seen = `${none}\n${await transcript(withAttempts(), calls)}`;
  expect(seen).toBe(golden('attempts-unknown', seen));
});

test('the diff is a patch that git takes', async () => {
  const repo = withAttempts();
  const { stdout } = await repo.harness('attempts', 'show', '2', '1', '--patch');
  repo.write('../it.patch', stdout);
  repo.git('apply', '../it.patch');
  expect(repo.read('src/cart.mjs')).toBe('export const cart = [];\n');
});
