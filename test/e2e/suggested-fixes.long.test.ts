// What the program suggests is tried: the fix of each situation is run as it is printed, and the failure is gone.
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeRepo, OF_FEATURES, PROGRAM, type Repo } from '../support/repo.ts';
import { task } from '../support/task-record.ts';
import { taskList } from './task-list.ts';
import { workshop } from './workshop.ts';

type Said = { readonly error: { readonly code: string; readonly mend: readonly string[] } };
const failureOf = async (repo: Repo, words: readonly string[]): Promise<Said['error'] | null> => {
  const { stderr } = await repo.harness(...words, '--json', '--no-input');
  return stderr === '' ? null : (JSON.parse(stderr) as Said).error;
};
/** As a person pastes it: without what is said behind it, `harness` on the PATH. */
const paste = (repo: Repo, line: string): void => {
  const command = (line.split('   ')[0] ?? '').replace('NEW-BRANCH', 'new-branch');
  const script = `harness() { '${process.execPath}' '${PROGRAM}' "$@"; }\n${command}`;
  const ran = spawnSync('/bin/sh', ['-ec', script], { cwd: repo.root, env: repo.env, encoding: 'utf8' });
  expect([ran.status, ran.stdout + ran.stderr], command).toMatchObject([0, expect.anything()]);
};

const empty = (): Repo => {
  const repo = makeRepo({ only: '' }, [...OF_FEATURES, '.harness.yaml', '.gitignore']);
  for (const path of ['.git', 'only']) rmSync(join(repo.root, path), { recursive: true });
  repo.git('init', '-q');
  return repo;
};
const shopWith = (change: (repo: Repo) => void) => (): Repo => {
  const shop = workshop();
  change(shop);
  return shop;
};
const remove = (path: string) =>
  shopWith((repo) => {
    repo.git('rm', '-q', path);
    repo.git('commit', '-qm', 'gone');
  });
const dirty = shopWith((repo) => {
  repo.write('notes of mine.txt', 'mine\n');
  appendFileSync(join(repo.root, 'src/door'), 'mine\n');
});
const manyFiles = (): Repo => {
  const list = taskList([task('task-001')], { isTracked: true, sessions: [] });
  list.write('harness-tasks.json', list.read('harness-tasks.json').replace('Make task-001', 'Make it'));
  for (let n = 0; n < 12; n += 1) list.write(`file-${n}.txt`, 'mine\n');
  return list;
};

/** Only root can give a folder to somebody else. */
const ofAnother =
  process.getuid?.() === 0
    ? [
        [
          'repository-of-another',
          0,
          shopWith((repo) => {
            spawnSync('chown', ['-R', '1234', repo.root]);
          }),
          ['run', '--dry-run'],
        ] as const,
      ]
    : [];

test.each([
  ...ofAnother,
  ['no-commits', 0, empty, ['init', '--no-suite']],
  ['dirty-tree', 0, dirty, ['run']],
  ['dirty-tree', 1, dirty, ['run']],
  ['dirty-tree', 0, manyFiles, ['run']],
  ['harness-file-missing', 1, remove('claude-progress.txt'), ['run']],
  ['harness-file-missing', 1, remove('init.sh'), ['run']],
  ['detached-head', 1, shopWith((repo) => repo.git('switch', '-q', '--detach')), ['run']],
] as const)('%s, fix %i', async (code, fix, made, words) => {
  const repo = made();
  const said = await failureOf(repo, words);
  expect(said?.code).toBe(code);
  const list = existsSync(join(repo.root, 'harness-tasks.json')) ? repo.read('harness-tasks.json') : null;
  paste(repo, said?.mend[fix] ?? '');
  // A list that the harness keeps up to date is no work of a person that is put away.
  if (list !== null) expect(repo.read('harness-tasks.json')).toBe(list);
  expect((await failureOf(repo, words))?.code).not.toBe(code);
});
