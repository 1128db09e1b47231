// Setting up a project that has tests already: what passes only in the user's work tree is named before an agent is paid.
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { makeRepo, type Repo } from '../support/repo.ts';
import { expectExit } from './workshop.ts';

const OWN = ['features.json', 'claude-progress.txt', 'init.sh', 'reset.sh'];
const FRESH = [...OWN, 'tests/cart.test.mjs', 'tests/pay.test.mjs'];
/** Reads a file that git ignores. */
const KEYED = `import { readFileSync } from 'node:fs';
import { test } from 'node:test';
test('the shop has a key', () => readFileSync('local.key'));
test('the shop is open', () => {});
`;
const CONFIG = `agents: { default: { provider: scripted, scenario: .scenario.yaml } }
testing: { runner: node, feature: 'node --test {test_file}', full: 'node --test' }
`;

function projectWith(more: { readonly [path: string]: string }, without: readonly string[] = FRESH): Repo {
  const repo = makeRepo(
    {
      '.harness.yaml': CONFIG,
      '.gitignore': 'local.key\n',
      'tests/open.test.mjs': KEYED,
      'spec.md': '# A shop\n',
      ...more,
    },
    without,
  );
  repo.write('local.key', 'secret\n');
  return repo;
}

test('a frame is set up, and a test that passes only with an ignored file is named with its cure', async () => {
  const shop = projectWith({});
  const set = await shop.harness('init');
  expectExit(set, 5);
  expect(shop.git('log', '-1', '--format=%s')).toBe('chore(harness): set up');
  expect(set.stderr).toContain('node --test');
  expect(set.stderr).toContain('the shop has a key');
  expect(set.stderr).not.toContain('the shop is open');
  expect(set.stderr).toContain('local.key');
  expect(set.stderr).toContain('lanes_share');
  const again = await shop.harness('init', '--json');
  expect(again.json()).toMatchObject({ error: { code: 'already-initialised' } });
});

test('with the cure the suite holds, and the answer says so', async () => {
  const shop = projectWith({ '.harness.yaml': `${CONFIG}lanes_share: [local.key]\n` });
  const set = await shop.harness('init', '--json');
  expectExit(set, 0);
  expect(set.json()).toMatchObject({ result: 'landed', suite: 'holds' });
});

test('failing tests and a suite that cannot run at all are no obstacle to setting up', async () => {
  const failing = projectWith({ 'tests/open.test.mjs': 'export {};\n' }, OWN);
  expect((await failing.harness('init', '--json')).json()).toMatchObject({ result: 'landed', suite: 'holds' });
  const broken = projectWith({ '.harness.yaml': CONFIG.replace("full: 'node --test'", "full: 'no-such-runner'") });
  const set = await broken.harness('init', '--json');
  expectExit(set, 0);
  expect(set.json()).toMatchObject({ result: 'landed', suite: 'fails' });
});

test('the suite can be left out', async () => {
  const shop = projectWith({});
  const set = await shop.harness('init', '--no-suite', '--json');
  expectExit(set, 0);
  expect(set.json()).toMatchObject({ result: 'landed', suite: 'not-run' });
});

test('no agent is started for a spec while a test passes only in the work tree, and nothing has changed', async () => {
  const shop = projectWith({
    '.scenario.yaml': 'schema: 1\nsessions: [{ turns: [[{ write: { path: ../ran, text: x } }]] }]\n',
  });
  const head = shop.git('rev-parse', 'HEAD');
  const set = await shop.harness('init', '--spec', 'spec.md', '--json');
  expectExit(set, 5);
  expect(set.json()).toMatchObject({ error: { code: 'passes-only-here' } });
  expect(shop.git('rev-parse', 'HEAD')).toBe(head);
  expect(() => shop.read('../ran')).toThrow('ENOENT');
});

test('an empty list is said, at the end of init and of a run', async () => {
  const shop = projectWith({ '.harness.yaml': `${CONFIG}lanes_share: [local.key]\n` });
  const set = await shop.harness('init');
  expect(set.stdout).toContain('harness add "TITLE"');
  const ran = await shop.harness('run');
  expectExit(ran, 0);
  expect(ran.stdout).toContain('The list is empty');
  expect(ran.stdout).not.toContain('has landed');
});

test('beside a list with items, init says that a run is next', async () => {
  const list = {
    features: [{ id: 7, category: 'c', description: 'A mug', test_file: 'test/mug.test.mjs', passes: false }],
  };
  const repo = makeRepo({ 'features.json': JSON.stringify(list) }, ['claude-progress.txt']);
  const ran = await repo.harness('init', '--no-suite');
  expectExit(ran, 0);
  expect(ran.stdout).toContain('Created 1 file:\n  claude-progress.txt');
  expect(ran.stdout).toContain('Ready for: harness run');
});

test('the suite of init is the baseline of the first run, which does not run it again', async () => {
  const shop = projectWith({
    '.scenario.yaml': 'schema: 1\nsessions: [{ turns: [[{ write: { path: cart, text: x } }]] }]\n',
  });
  const suite = `echo ran >> ${dirname(shop.root)}/ran; node --test`;
  shop.write(
    '.harness.yaml',
    `${CONFIG.replace("full: 'node --test'", `full: '${suite}'`)}lanes_share: [local.key]\nsandbox: { level: none }\n`,
  );
  shop.git('commit', '-qam', 'configure');
  const times = (): number => shop.read('../ran').trim().split('\n').length;
  expectExit(await shop.harness('init', '--json'), 0);
  const before = times();
  expectExit(await shop.harness('add', 'A cart', '--verify', 'node tests/open.test.mjs'), 0);
  const ran = await shop.harness('run', '--json');
  expect(ran.json()).toMatchObject({ item: '1', items: [{ session: 1 }] });
  expect(times()).toBe(before);
});
