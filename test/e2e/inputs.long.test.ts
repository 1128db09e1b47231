// Projects that a clean checkout cannot simply be made of: each works, or stops before an agent is started, with what to do.
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PROGRAM } from '../support/repo.ts';
import { expectExit, RUN, session, work, workshop, type Workshop } from './workshop.ts';

const IGNORED = '.harness/\nnode_modules/\n.venv/\n';
const sessions = [session(1, ...work(1))];
const commit = (shop: Workshop): void => {
  shop.git('add', '-A');
  shop.git('commit', '-q', '-m', 'the project');
};

/** A program of the machine that not every one has, so that it is started by name. */
const MOUNTS = ['unshare', '-m'].join(' ');
const canMount = spawnSync('sh', ['-c', `${MOUNTS} true`]).status === 0;

test.skipIf(!canMount).each([
  ['read-only', 'ro', 'EROFS'],
  ['full', 'size=16k', 'ENOSPC'],
])('a disk for clean workspaces that is %s stops the run before an agent is started', (_, how, code) => {
  const shop = workshop({ sessions });
  const pools = join(shop.env['HOME'] ?? '', '.local/state/harness/workspaces');
  mkdirSync(pools, { recursive: true });
  const script = 'mount -t tmpfs -o "$1" tmpfs "$2" && exec "$3" "$4" run --json';
  const args = ['-c', `${MOUNTS} sh -c "$0" sh "$@"`, script, how, pools, process.execPath, PROGRAM];
  const { status, stderr } = spawnSync('sh', args, { cwd: shop.root, env: shop.env, encoding: 'utf8' });
  expect([status, stderr]).toEqual([5, expect.stringContaining('proof-folder-unwritable')]);
  expect(stderr).toContain(code);
  expect(stderr).toContain('XDG_STATE_HOME=DIR');
  expect([shop.git('status', '--porcelain'), shop.sessions()]).toEqual(['', []]);
});

test('a manifest that no known command installs: what is installed in the work tree is used', async () => {
  const shop = workshop({
    sessions,
    files: {
      '.gitignore': IGNORED,
      'requirements.in': 'wood\n',
      'tests/door.test': 'the door is of oak|grep -q oak .venv/lib/wood/kind\n',
    },
  });
  shop.write('.venv/lib/wood/kind', 'oak\n');
  expectExit(await shop.harness('run', '--json'), 0);
});

const LOCK = JSON.stringify({
  name: 'shop',
  lockfileVersion: 3,
  packages: {
    '': { name: 'shop', dependencies: { wood: '1.0.0' } },
    'node_modules/wood': { version: '1.0.0', resolved: 'http://127.0.0.1:9/wood/-/wood-1.0.0.tgz' },
  },
});
const PACKAGES = {
  '.gitignore': IGNORED,
  'package.json': JSON.stringify({ name: 'shop', dependencies: { wood: '1.0.0' } }),
  'package-lock.json': LOCK,
  'tests/door.test': 'the door is of oak|grep -q oak node_modules/wood/kind\n',
};

test('packages that cannot be fetched: those of the work tree are used, and the run says so', async () => {
  const shop = workshop({ sessions, files: PACKAGES });
  shop.write('node_modules/wood/kind', 'oak\n');
  const ran = await shop.harness('run');
  expectExit(ran, 0);
  expect(ran.stderr).toContain('npm ci');
});

test('a test of before that needs packages which are nowhere: the run stops before an agent is started, and names the tests', async () => {
  const shop = workshop({
    sessions,
    files: { ...PACKAGES, 'run.sh': `test -e node_modules/wood || { echo wood is missing; exit 3; }\n${RUN}` },
  });
  const ran = await shop.harness('run');
  expectExit(ran, 5);
  for (const said of ['npm ci', 'wood is missing']) expect(ran.stderr).toContain(said);
  expect([shop.git('status', '--porcelain'), shop.sessions()]).toEqual(['', []]);
});

/** A project with a submodule, and this in the test that it has already. */
function withHandle(line: string): Workshop {
  const shop = workshop({ sessions, files: { 'tests/door.test': `${line}\n` } });
  const parts = join(shop.around, 'handle');
  mkdirSync(parts);
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: parts, env: shop.env, encoding: 'utf8' });
  git('init', '-q');
  writeFileSync(join(parts, 'kind'), 'brass\n');
  git('add', '-A');
  git('commit', '-q', '-m', 'a handle');
  shop.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', parts, 'parts/handle');
  commit(shop);
  return shop;
}

test('a submodule is there as it is recorded, and one that was never fetched is an empty folder, as in a clone', async () => {
  const shop = withHandle('the handle is of brass|grep -q brass parts/handle/kind');
  expectExit(await shop.harness('run', '--json'), 0);
  const bare = withHandle('no handle yet|test -d parts/handle && test ! -e parts/handle/kind');
  bare.git('submodule', '--quiet', 'deinit', '-f', 'parts/handle');
  const ran = await bare.harness('run', '--json');
  expectExit(ran, 0);
  expect(ran.json()).toMatchObject({ landed: ['1'] });
});

const POINTER = `version https://git-lfs.github.com/spec/v1\noid sha256:${'4d'.repeat(32)}\nsize 12345\n`;

test('a file of Git LFS without the program: its pointer is a file like any other', async () => {
  const shop = workshop({ sessions });
  shop.write('.gitattributes', '*.bin filter=lfs diff=lfs merge=lfs -text\n');
  shop.write('big.bin', POINTER);
  commit(shop);
  expectExit(await shop.harness('run', '--json'), 0);
  expect(shop.git('show', 'HEAD:big.bin')).toBe(POINTER.trimEnd());
  expect(existsSync(join(shop.root, '.git/lfs'))).toBe(false);
});

test('a file of Git LFS where git demands the program and it is missing', async () => {
  const shop = workshop({ sessions });
  shop.write('.gitattributes', '*.bin filter=lfs diff=lfs merge=lfs -text\n');
  shop.write('big.bin', POINTER);
  commit(shop);
  const home = join(shop.env['HOME'] ?? '', '.gitconfig');
  execFileSync('git', ['config', '--file', home, 'filter.lfs.clean', 'git-lfs clean -- %f']);
  execFileSync('git', ['config', '--file', home, 'filter.lfs.smudge', 'git-lfs smudge -- %f']);
  execFileSync('git', ['config', '--file', home, 'filter.lfs.required', 'true']);
  appendFileSync(join(shop.root, 'big.bin'), ''); // git looks at it again
  utimesSync(join(shop.root, 'big.bin'), 1, 1);
  const ran = await shop.harness('run');
  expectExit(ran, 5);
  for (const said of ['git-lfs', 'big.bin']) expect(ran.stderr).toContain(said);
  expect(shop.sessions()).toEqual([]);
});
