// What an agent's program reports of its login is read before anything that takes time.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { makeRepo, type Repo } from '../support/repo.ts';
import { expectExit } from './workshop.ts';

const CODEX = join(import.meta.dirname, '../fixtures/agents/raw-codex.mjs');

/** The suite leaves a file beside the repository when it runs. */
function shopWith(how: string, without: readonly string[] = []): Repo {
  const agent = JSON.stringify({ provider: 'codex', command: [process.execPath, CODEX, how] });
  return makeRepo(
    {
      '.harness.yaml': `agents: { default: ${agent} }\ntesting: { runner: node, feature: 'node --test {test_file}', full: 'touch "$PWD/../ran"; node --test' }\nsandbox: { level: none }\n`,
      'tests/open.test.mjs': 'export {};\n',
      'spec.md': '# A shop\n',
    },
    without,
  );
}
const hasRun = (repo: Repo): boolean => existsSync(join(dirname(repo.root), 'ran'));

test.each([
  ['run', []],
  ['init --spec spec.md', ['features.json', 'claude-progress.txt', 'init.sh', 'reset.sh']],
] as const)('%s ends with 4 before the suite, changes nothing and counts no session', async (line, without) => {
  const shop = shopWith('signed-out', without);
  const head = shop.git('rev-parse', 'HEAD');
  const ran = await shop.harness(...line.split(' '));
  expectExit(ran, 4);
  expect(ran.stderr).toContain('codex login');
  expect(hasRun(shop)).toBe(false);
  expect(shop.git('rev-parse', 'HEAD')).toBe(head);
  expect(existsSync(join(shop.root, '.harness/sessions'))).toBe(false);
});

test('init without a spec sets the project up, and then ends with 4 before the suite', async () => {
  const shop = shopWith('signed-out', ['features.json', 'claude-progress.txt', 'init.sh', 'reset.sh']);
  const set = await shop.harness('init');
  expectExit(set, 4);
  expect(set.stderr).toContain('codex login');
  expect(shop.git('log', '-1', '--format=%s')).toBe('chore(harness): set up');
  expect(hasRun(shop)).toBe(false);
});

test('a program that has what it needs is no hindrance', async () => {
  const shop = shopWith('fine', ['features.json', 'claude-progress.txt', 'init.sh', 'reset.sh']);
  expectExit(await shop.harness('init', '--json'), 0);
  expect(hasRun(shop)).toBe(true);
});
