// Repositories in unusual places, and disks that cannot be written: each works, or stops before an agent is started.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PROGRAM, repoAt } from '../support/repo.ts';
import { expectExit, honest, session, work, workshop } from './workshop.ts';

test('a submodule checkout, whose `.git` is a file, is a repository like any other', async () => {
  const shop = workshop({ sessions: honest });
  const home = shop.env['HOME'] ?? '';
  const outer = repoAt(join(shop.around, 'outer'), home);
  mkdirSync(outer.root);
  outer.git('init', '-q');
  outer.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', shop.root, 'shop');
  outer.git('commit', '-qm', 'with a shop');
  const inner = repoAt(join(outer.root, 'shop'), home);
  inner.git('remote', 'remove', 'origin');
  inner.write('.harness.yaml', inner.read('.harness.yaml').replace('../scenario.json', '../../scenario.json'));
  inner.git('commit', '-qam', 'here');
  expectExit(await inner.harness('run', '--json'), 0);
  expect(inner.read('src/bench')).toBe('bench\n');
  expect(outer.git('status', '--porcelain', '--ignore-submodules=none')).toMatch(/^\s*[AM]+ +shop$/);
  expectExit(await inner.harness('evidence', 'verify', '--all'), 0);
});

test('a path with spaces and umlauts, with agents beside it', async () => {
  const shop = workshop({ config: 'isolation: worktree', sessions: honest });
  const moved = repoAt(join(shop.around, 'Läden & Höfe #1'), shop.env['HOME'] ?? '');
  renameSync(shop.root, moved.root);
  expectExit(await moved.harness('run', '--json'), 0);
  expect(moved.read('src/bench')).toBe('bench\n');
  // Moved again, together with the work tree beside it: the next session is in its new place.
  const [again, beside] = [join(shop.around, 'shop 2'), (name: string) => join(shop.around, `.${name}-harness`)];
  renameSync(moved.root, again);
  renameSync(beside('Läden & Höfe #1'), beside('shop 2'));
  const last = repoAt(again, shop.env['HOME'] ?? '');
  expectExit(await last.harness('run', '--json'), 0);
  expect(last.read('src/saw')).toBe('saw\n');
  expect(last.git('status', '--porcelain')).toBe('');
  expect(last.git('worktree', 'list').split('\n')).toHaveLength(2);
});

test('a command in a folder of the harness itself is refused, and names the project', async () => {
  const shop = workshop({ config: 'isolation: worktree', sessions: honest });
  expectExit(await shop.harness('run', '--json'), 0);
  const pools = join(shop.env['HOME'] ?? '', '.local/state/harness/workspaces');
  const [pool = ''] = readdirSync(pools);
  for (const folder of [join(shop.around, '.shop-harness', 'src'), join(pools, pool, 'proof-1')])
    for (const command of [['run'], ['status'], ['init']]) {
      const { status, stderr } = spawnSync(process.execPath, [PROGRAM, ...command, '--json'], {
        cwd: folder,
        env: shop.env,
        encoding: 'utf8',
      });
      expect([status, JSON.parse(stderr)]).toMatchObject([2, { error: { code: 'harness-own-folder' } }]);
      expect(stderr).toContain(`cd ${shop.root}`);
    }
  const mine = join(shop.around, '.mine-harness'); // any other work tree of this name is the user's own
  shop.git('worktree', 'add', '-q', '--detach', mine);
  expect(spawnSync(process.execPath, [PROGRAM, 'status'], { cwd: mine, env: shop.env }).status).toBe(0);
});

test.each([
  ['isolation: worktree', '.shop-harness'],
  ['lanes: 3', '.shop-harness-3'],
])(
  'something else in the place of a work tree of agents (%s): nothing is started, and it stays',
  async (config, name) => {
    const shop = workshop({ config, sessions: honest });
    const beside = join(shop.around, name);
    mkdirSync(beside);
    writeFileSync(join(beside, 'mine.txt'), 'mine\n');
    const ran = await shop.harness('run', '--json');
    expect([ran.code, ran.json()]).toMatchObject([5, { error: { code: 'workspace-unusable' } }]);
    expect(existsSync(join(beside, 'mine.txt'))).toBe(true);
    expect(shop.sessions()).toEqual([]);
  },
);

/** A program of the machine that not every one has, so that it is started by name. */
const MOUNTS = ['unshare', '-m'].join(' ');
const canMount = spawnSync('sh', ['-c', `${MOUNTS} true`]).status === 0;

test.skipIf(!canMount)('a disk that was filled up after a run is named, and the lock is not blamed', () => {
  const shop = workshop({ sessions: [session(1, ...work(1))] });
  mkdirSync(shop.privateDir);
  const filled = '{ head -c 9000000 /dev/zero; head -c 9000000 /dev/zero; } > .git/harness/filled 2> /dev/null';
  const script = `mount -t tmpfs -o size=1m tmpfs .git/harness && { "$1" "$2" run --json; ${filled}; exec "$1" "$2" run --json; }`;
  const args = ['-c', `${MOUNTS} sh -c "$0" sh "$@"`, script, process.execPath, PROGRAM];
  const ran = spawnSync('sh', args, { cwd: shop.root, env: shop.env, encoding: 'utf8' });
  const said = ran.stderr.trim().split('\n').at(-1) ?? '';
  expect(said).toContain('the disk is full');
  expect(said).toContain('df -h');
  expect(said).not.toContain('remove lock.db');
});

test.skipIf(!canMount).each([
  ['read-only', 'ro', 'lock-unavailable', 'the disk is read-only'],
  ['full', 'size=4k', 'lock-unavailable', 'the disk is full'],
  ['almost full', 'size=1m', 'path-unusable', 'the disk is full'],
])('a disk for the state that is %s stops the run before an agent is started', (_, how, code, words) => {
  const shop = workshop({ sessions: [session(1, ...work(1))] });
  mkdirSync(shop.privateDir);
  const script = 'mount -t tmpfs -o "$1" tmpfs .git/harness && exec "$2" "$3" run --json';
  const args = ['-c', `${MOUNTS} sh -c "$0" sh "$@"`, script, how, process.execPath, PROGRAM];
  const ran = spawnSync('sh', args, { cwd: shop.root, env: shop.env, encoding: 'utf8' });
  expect(ran.status).toBe(5);
  expect(JSON.parse(ran.stdout === '' ? ran.stderr : ran.stdout)).toMatchObject({ error: { code } });
  expect(ran.stdout + ran.stderr).toContain(words);
  expect(existsSync(join(shop.root, 'src/bench'))).toBe(false);
  expect(execFileSync('git', ['status', '--porcelain'], { cwd: shop.root, encoding: 'utf8' })).toBe('');
});

test.skipIf(!canMount)(
  'a repository on a read-only disk that no run has seen is refused for that reason, by each command',
  () => {
    const shop = workshop();
    const script =
      'mount --bind . . && mount -o remount,ro,bind . && cd . && cd "$PWD" && for words in "run" "skip 2 --reason later"; do "$1" "$2" $words --json; done; :';
    const args = ['-c', `${MOUNTS} sh -c "$0" sh "$@"`, script, process.execPath, PROGRAM];
    const { stdout, stderr } = spawnSync('sh', args, { cwd: shop.root, env: shop.env, encoding: 'utf8' });
    const codes = (stderr.match(/"code":"[\w-]+"/g) ?? []).join();
    expect([codes, stderr.match(/the disk is read-only/g)?.length], stdout + stderr).toEqual([
      '"code":"lock-unavailable","code":"path-unusable"',
      2,
    ]);
  },
);
