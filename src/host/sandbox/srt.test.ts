// Sandbox-runtime puts nothing into the work tree, not even when it is killed, and never reports a failed command as successful.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, watch, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { heldLevels } from '../../../test/support/levels.ts';
import { openBox, sweepBoxes, type Box } from '../box.ts';
import { shellLine } from '../process.ts';
import { findProgram } from './level.ts';
import { endOrphans, findOrphans } from '../process-tree.ts';

const held = await heldLevels();
const token = `srt-test-${process.pid}`;
const LIMITS = { wallMs: 30_000, idleMs: null, keepBytes: 10_000, floodBytes: null };
let root = '';
let box: Box;

const status = (): string =>
  execFileSync('git', ['status', '--porcelain', '--ignored'], { cwd: root, encoding: 'utf8' });
const run = (line: string) => box.run({ argv: shellLine(line), token, ...LIMITS });
/** Resolves when the file exists. */
const comes = (name: string): Promise<void> =>
  new Promise((resolve) => {
    const watcher = watch(root, () => look());
    const look = (): void => {
      if (!existsSync(join(root, name))) return;
      watcher.close();
      resolve();
    };
    look();
  });

describe.skipIf(!held.has('srt'))('sandbox-runtime', () => {
  beforeEach(async () => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'srt-')));
    const git = (...args: string[]): unknown => execFileSync('git', args, { cwd: root, stdio: 'pipe' });
    git('init', '-q');
    writeFileSync(join(root, '.gitignore'), 'sign-*\n');
    mkdirSync(join(root, 'sub/.git'), { recursive: true });
    git('add', '.gitignore');
    git('-c', 'user.name=A', '-c', 'user.email=a@b', 'commit', '-q', '-m', 'x');
    box = await openBox({ root, level: 'srt' });
  });
  afterEach(async () => {
    await box.close();
    sweepBoxes([root]);
    rmSync(root, { recursive: true });
  });

  test('puts nothing into the work tree, before, while and after a command runs', async () => {
    expect(status()).toBe('');
    const running = run(
      'git status --porcelain --ignored > "$TMPDIR/inside"; cp "$TMPDIR/inside" sign-a; while [ ! -e sign-b ]; do sleep 0.05; done',
    );
    await comes('sign-a');
    expect(status()).toBe('!! sign-a\n');
    writeFileSync(join(root, 'sign-b'), '');
    expect((await running).code).toBe(0);
    expect(readFileSync(join(root, 'sign-a'), 'utf8')).toBe('');
    expect(status()).toBe('!! sign-a\n!! sign-b\n');
  });

  test('nor when the harness is killed, and it is found by its marker and ended', async () => {
    const program = `
      import { openBox } from ${JSON.stringify(join(import.meta.dirname, '../box.ts'))};
      const box = await openBox({ root: ${JSON.stringify(root)}, level: 'srt' });
      await box.run({ argv: ['/bin/sh', '-c', 'touch sign-a; sleep 60'], token: ${JSON.stringify(token)}, wallMs: 60000, idleMs: null, keepBytes: 1000, floodBytes: null });`;
    const harness = spawn(process.execPath, ['--input-type=module-typescript', '-e', program], { stdio: 'inherit' });
    await comes('sign-a');
    harness.kill('SIGKILL');
    await once(harness, 'exit');
    expect(status()).toBe('!! sign-a\n');
    expect((await endOrphans(token)).left).toEqual([]);
    expect(status()).toBe('!! sign-a\n');
  });

  test('a command whose sandbox is ended has failed', async () => {
    const running = run('touch sign-a; sleep 60');
    await comes('sign-a');
    const ofSrt = findOrphans(token).filter(
      ({ command }) => command.includes('/srt --settings') && !command.startsWith('/bin/sh'),
    );
    expect(ofSrt).toHaveLength(1);
    for (const { pid } of ofSrt) process.kill(pid, 'SIGTERM');
    expect((await running).code).toBe(125);
  });

  test('a program with that name in the home makes nothing of the home visible', async () => {
    const home = realpathSync(mkdtempSync(join(tmpdir(), 'srt-home-')));
    const own = { HOME: process.env['HOME'], PATH: process.env['PATH'] };
    mkdirSync(join(home, 'bin'));
    mkdirSync(join(home, '.ssh'));
    writeFileSync(join(home, '.ssh/key'), 'secret');
    const real = findProgram('srt', { root, untrusted: [], path: own.PATH ?? '' });
    writeFileSync(join(home, 'bin/srt'), `#!/bin/sh\nexec '${real}' "$@"\n`, { mode: 0o755 });
    Object.assign(process.env, {
      HOME: home,
      PATH: [join(home, 'bin'), dirname(real ?? ''), own.PATH].join(delimiter),
    });
    const other = await openBox({ root, level: 'srt' });
    Object.assign(process.env, own);
    const readable = [dirname(dirname(realpathSync(real ?? '')))];
    const exit = await other.run({ argv: shellLine('cat ~/.ssh/key; echo ran'), readable, token, ...LIMITS });
    expect([exit.stdout, exit.code]).toEqual(['ran\n', 0]);
    await other.close();
    rmSync(home, { recursive: true });
  });

  test('arguments and variables arrive unchanged', async () => {
    const odd = ['a b', "it's", '!x$y`z`', 'new\nline', '', '*', '\\', '"q"', '--settings', '#'];
    const env = { ODD: odd.join('|'), EMPTY: '' };
    const argv = [
      process.execPath,
      '-p',
      'JSON.stringify([process.argv.slice(1), process.env.ODD, process.env.EMPTY, process.env.HTTP_PROXY])',
      '--',
      ...odd,
    ];
    const exit = await box.run({ argv, env, token, ...LIMITS });
    expect([JSON.parse(exit.stdout), exit.stderr]).toEqual([[odd, env.ODD, '', null], '']);
  });
});
