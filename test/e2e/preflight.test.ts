// The seven checks before an agent starts, each failing for real: nothing starts, and the message says what to do.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expectExit, session, work, workshop, type Options, type Workshop } from './workshop.ts';

type Case = {
  readonly reason: string;
  readonly options?: Options;
  /** Breaks what was in order. */
  readonly broken: (shop: Workshop) => void;
  readonly args?: (shop: Workshop) => readonly string[];
  /** What a person reads. */
  readonly says: readonly (string | RegExp)[];
};
const commit = (shop: Workshop): void => {
  shop.git('add', '-A');
  shop.git('commit', '-q', '-m', 'broken');
};

const CASES: { readonly [name: string]: Case } = {
  'a required file is missing': {
    reason: 'harness-file-missing',
    broken(shop) {
      shop.git('rm', '-q', 'claude-progress.txt');
      commit(shop);
    },
    says: ['claude-progress.txt', 'is missing', 'git log --all -- claude-progress.txt'],
  },
  'init.sh is not executable': {
    reason: 'not-executable',
    broken(shop) {
      shop.write('init.sh', '#!/bin/sh\n', 0o644);
      commit(shop);
    },
    says: ['chmod +x init.sh'],
  },
  'work is uncommitted': {
    reason: 'dirty-tree',
    broken: (shop) => shop.write('src/door', 'half\n'),
    says: ['src/door', 'git stash'],
  },
  'init.sh fails, also after reset.sh': {
    reason: 'init-failed',
    options: {
      init: '#!/bin/sh\necho tried >> ../init.log\necho the database is down >&2\nexit 3\n',
      files: { 'reset.sh': '#!/bin/sh\necho tried >> ../reset.log\n' },
    },
    broken: () => undefined,
    says: ['./init.sh', 'exit code 3', 'the database is down'],
  },
  'the health check fails': {
    reason: 'unhealthy',
    options: {},
    broken(shop) {
      shop.write(
        '.harness.yaml',
        shop
          .read('.harness.yaml')
          .replace('reset: ./reset.sh }', "reset: ./reset.sh, health_check: 'echo no answer; exit 7' }"),
      );
      commit(shop);
    },
    says: ['echo no answer; exit 7', 'exit code 7', 'no answer'],
  },
  'a test that passed is red': {
    reason: 'baseline-failing',
    options: { sessions: [session(1, ...work(1))] },
    broken(shop) {
      shop.write('src/door', 'wall\n');
      commit(shop);
    },
    says: ['1 test', 'there is a door', 'harness verify'],
  },
};
/** It can only fail where a session was before. */
const LATER = new Set(['a test that passed is red']);

test.each(Object.entries(CASES))('%s: the run stops before any agent starts and says what to do', async (name, at) => {
  const shop = workshop(at.options);
  if (LATER.has(name)) expectExit(await shop.harness('run'), 0);
  const sessions = shop.sessions();
  at.broken(shop);
  const head = shop.git('rev-parse', 'HEAD');
  const said = await shop.harness('run');
  expectExit(said, 5);
  for (const words of at.says)
    expect(said.stdout + said.stderr).toMatch(
      words instanceof RegExp ? words : new RegExp(words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')),
    );
  expect(said.stdout + said.stderr).not.toMatch(/\{\w+\}|undefined|\[\[/);
  const json = await shop.harness('run', '--json');
  expectExit(json, 5);
  expect(json.json()).toMatchObject({ result: 'blocked', reason: at.reason, exit: 5, landed: [] });
  expect(shop.sessions()).toEqual(sessions);
  expect(shop.git('rev-parse', 'HEAD')).toBe(head);
});

test('init.sh that fails is tried again after reset.sh, as often as configured', async () => {
  const shop = workshop({
    init: '#!/bin/sh\nmkdir -p logs\necho tried >> logs/init\ntest -e logs/clean\n',
    files: {
      '.gitignore': '.harness/\nlogs/\n',
      'reset.sh': '#!/bin/sh\necho tried >> logs/reset\ntest "$(wc -l < logs/reset)" -lt 2 || touch logs/clean\n',
    },
  });
  const ran = await shop.harness('run', '--json');
  expectExit(ran, 0);
  expect(shop.read('logs/init').trim().split('\n')).toHaveLength(3);
  expect(shop.read('logs/reset').trim().split('\n')).toHaveLength(2);
});

test('the configuration is not where the repository is: the wrong directory is named', async () => {
  const shop = workshop();
  const elsewhere = join(shop.around, 'elsewhere');
  mkdirSync(elsewhere);
  renameSync(join(shop.root, '.harness.yaml'), join(elsewhere, 'harness.yaml'));
  writeFileSync(join(shop.root, 'x'), '');
  const said = await shop.harness('run', '--config', '../elsewhere/missing.yaml');
  expect([2, 5]).toContain(said.code);
  expect(said.stderr).toContain('missing.yaml');
  expect(shop.sessions()).toEqual([]);
});
