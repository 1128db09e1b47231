// The box with real commands, at every level that holds on this machine: what all levels promise.
import { randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { openBox, sweepBoxes, type Box, type BoxCommand } from './box.ts';
import { shellLine } from './process.ts';
import { isAlive } from './process-table.ts';
import { findOrphans } from './process-tree.ts';
import { heldLevels } from '../../test/support/levels.ts';

let root = '';
let box: Box;
const held = await heldLevels();

describe.each([...held])('at level %s', (level) => {
  beforeEach(async () => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'box-')));
    box = await openBox({ root, level });
  });
  afterEach(async () => {
    await box.close();
    rmSync(root, { recursive: true });
  });
  const sh = (line: string, more: Partial<BoxCommand> = {}) =>
    box.run({
      argv: shellLine(line),
      token: `test-${randomUUID()}`,
      wallMs: 30_000,
      idleMs: null,
      keepBytes: 100_000,
      floodBytes: null,
      ...more,
    });

  test('it reports its level', () => {
    expect(box.level).toBe(level);
  });

  test('a command runs in the root, or in a folder of it', async () => {
    mkdirSync(join(root, 'sub'));
    expect((await sh('pwd')).stdout).toBe(`${root}\n`);
    expect((await sh('pwd', { cwd: 'sub' })).stdout).toBe(`${root}/sub\n`);
  });

  test('a command gets the check environment and what it asks for', async () => {
    const exit = await sh('echo "$CI $NO_COLOR $A"', { env: { A: 'extra' } });
    expect(exit.stdout).toBe('1 1 extra\n');
  });

  test('a limit holds', async () => {
    expect((await sh('sleep 60', { wallMs: 200 })).ended).toBe('wall');
    expect((await sh('echo', { signal: AbortSignal.abort() })).ended).toBe('aborted');
    expect((await sh('cat', { stdin: 'in' })).stdout).toBe('in');
  });

  test('its temporary folder is its own and is removed when the box is closed', async () => {
    const { stdout } = await sh('echo x > "$TMPDIR/file"; printf %s "$TMPDIR"');
    expect((await sh('cat "$TMPDIR/file"')).stdout).toBe('x\n');
    const other = await openBox({ root, level });
    await other.close();
    expect(existsSync(stdout)).toBe(true);
    await box.close();
    await box.close();
    expect(existsSync(stdout)).toBe(false);
  });

  test('a daemon that a command left behind is ended with the command', async () => {
    const token = `test-${randomUUID()}`;
    await sh('setsid sleep 60 >/dev/null 2>&1 & exit 0', { token });
    expect(findOrphans(token)).toEqual([]);
  });

  test.skipIf(level === 'none')(
    'a large daemon that takes long to end has ended when its command is reported as ended',
    async () => {
      const daemon = `globalThis.kept = Buffer.alloc(700_000_000, 1); require('fs').writeFileSync('ready', ''); setInterval(() => {}, 1e9)`;
      const line = `trap '' TERM; env -i setsid "$NODE" -e "${daemon}" >/dev/null 2>&1 & while :; do sleep 1; done`;
      const abort = new AbortController();
      const ended = sh(line, { env: { NODE: process.execPath }, signal: abort.signal });
      await expect.poll(() => existsSync(join(root, 'ready')), { timeout: 20_000 }).toBe(true);
      const pids = readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && isAt(pid, root));
      abort.abort();
      expect([(await ended).ended, pids.filter((pid) => isAlive(Number(pid)))]).toEqual(['aborted', []]);
      expect(pids).not.toEqual([]);
    },
  );

  test('a server that is left running ends when the box is closed', async () => {
    const token = `test-${randomUUID()}`;
    await sh('setsid sleep 60 >/dev/null 2>&1 & sleep 61 & echo up', { token, leaveRunning: true });
    await sh('true', { token });
    expect(findOrphans(token).map((one) => one.command)).toEqual(expect.arrayContaining(['sleep 60', 'sleep 61']));
    await box.close();
    expect(findOrphans(token)).toEqual([]);
  });

  test('only what a box that was never closed left is removed', async () => {
    const elsewhere = realpathSync(mkdtempSync(join(tmpdir(), 'box-')));
    const other = await openBox({ root: elsewhere, level });
    const left = (await sh('printf %s "$TMPDIR"')).stdout;
    const command = { argv: shellLine('printf %s "$TMPDIR"'), token: 'test', wallMs: 30_000, idleMs: null };
    const kept = (await other.run({ ...command, keepBytes: 1_000, floodBytes: null })).stdout;
    sweepBoxes([root]);
    expect([existsSync(left), existsSync(kept)]).toEqual([false, true]);
    await other.close();
    rmSync(elsewhere, { recursive: true });
  });

  test('the environment of a command has no effect outside of it', async () => {
    const path = join(root, 'loaded.cjs');
    writeFileSync(
      path,
      "require('node:fs').appendFileSync(__dirname + '/by', require('node:fs').readlinkSync('/proc/self/ns/pid') + '\\n');",
    );
    const env = { NODE_OPTIONS: `--require="${path}"`, BASH_ENV: path, PATH: `${root}:/usr/bin:/bin` };
    for (const name of ['bash', 'node', 'socat', 'bwrap', 'true']) {
      writeFileSync(join(root, name), `#!/bin/sh\nreadlink /proc/self/ns/pid >> '${root}/by'\n`, { mode: 0o755 });
    }
    const exit = await sh('"$NODE" -p "process.env.NODE_OPTIONS.length > 0"', {
      env: { ...env, NODE: process.execPath },
    });
    expect([exit.stdout, exit.stderr]).toEqual(['true\n', '']);
    const spaces = new Set(readFileSync(join(root, 'by'), 'utf8').trim().split('\n'));
    expect(spaces.size).toBe(1);
    expect(spaces.has(readlinkSync('/proc/self/ns/pid'))).toBe(level === 'none');
  });
});

describe.each([...held].filter((level) => level === 'bwrap' || level === 'srt'))('files at level %s', (level) => {
  const at = (...names: string[]): string => join(root, ...names);
  const inBox = async (place: string, line: string, more: Partial<BoxCommand> = {}): Promise<string> => {
    box = await openBox({ root: at(place), level, hidden: [at('home/code/main/.git/harness')] });
    const limits = { wallMs: 30_000, idleMs: null, keepBytes: 10_000, floodBytes: null };
    const exit = await box.run({ argv: shellLine(line), token: `test-${randomUUID()}`, ...limits, ...more });
    return exit.stdout;
  };
  const own = process.env['HOME'];
  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'box-')));
    for (const path of ['home/.ssh', 'home/code/main/.git/harness/copy', 'home/code/other', 'tmp'])
      mkdirSync(at(path), { recursive: true });
    for (const path of [
      'home/.ssh/key',
      'home/code/main/.git/harness/journal',
      'home/code/other/file',
      'home/code/file',
    ])
      writeFileSync(at(path), path);
    process.env['HOME'] = at('home');
  });
  afterEach(async () => {
    if (own === undefined) delete process.env['HOME'];
    else process.env['HOME'] = own;
    delete process.env['TMPDIR'];
    await box.close();
    rmSync(root, { recursive: true });
  });
  const LOOK =
    'cat ../file ../other/file ~/.ssh/key .git/harness/journal; echo x > new; echo x > ../evil; echo x > ../other/evil; echo x > .git/evil';

  test('a root in the home can be written and its neighbours read, but neither secrets nor the private folder', async () => {
    process.env['TMPDIR'] = at('tmp');
    expect(await inBox('home/code/main', `${LOOK}; echo x > "$TMPDIR/x" && cat "$TMPDIR/x"`)).toBe(
      'home/code/filehome/code/other/filex\n',
    );
    expect(
      ['main/new', 'evil', 'other/evil', 'main/.git/evil'].map((name) => existsSync(at('home/code', name))),
    ).toEqual([true, false, false, false]);
  });

  test('a folder for reports in the private folder can be written, and nothing else in there', async () => {
    const reports = at('home/code/main/.git/harness/reports');
    mkdirSync(reports);
    const line = `echo x > ${reports}/report; echo x > ${reports}/../journal; echo x > .git/commondir; mkdir .git/hooks`;
    await inBox('home/code/main', line, { writable: [reports] });
    expect(readdirSync(reports)).toEqual(['report']);
    expect(readFileSync(at('home/code/main/.git/harness/journal'), 'utf8')).not.toBe('x\n');
    expect(readdirSync(at('home/code/main/.git'))).toEqual(['harness']);
  });

  test('the harness’s own repository of a folder without git is as closed as .git', async () => {
    const own = 'home/code/plain/.harness-engine/git';
    for (const path of ['harness/reports', 'objects']) mkdirSync(at(own, path), { recursive: true });
    for (const name of ['HEAD', 'harness/journal']) writeFileSync(at(own, name), 'own');
    box = await openBox({ root: at('home/code/plain'), level, hidden: [at(own, 'harness')] });
    const git = '.harness-engine/git';
    const line = [
      `cat ${git}/HEAD ${git}/harness/journal`,
      `for path in .harness-engine/evil ${git}/evil ${git}/HEAD ${git}/objects/evil ${git}/harness/journal; do echo x > $path; done`,
      'mv .harness-engine away; rm -rf .harness-engine',
      `echo x > new; echo x > ${git}/harness/reports/report`,
    ].join('; ');
    const limits = { wallMs: 30_000, idleMs: null, keepBytes: 10_000, floodBytes: null };
    const writable = [at(own, 'harness/reports')];
    const exit = await box.run({ argv: shellLine(line), token: `test-${randomUUID()}`, ...limits, writable });
    expect(exit.stdout).toBe('own');
    expect(readdirSync(at('home/code/plain')).sort()).toEqual(['.harness-engine', 'new']);
    expect([readdirSync(at('home/code/plain/.harness-engine')), readdirSync(at(own)).sort()]).toEqual([
      ['git'],
      ['HEAD', 'harness', 'objects'],
    ]);
    expect([readFileSync(at(own, 'HEAD'), 'utf8'), readFileSync(at(own, 'harness/journal'), 'utf8')]).toEqual([
      'own',
      'own',
    ]);
    expect([readdirSync(at(own, 'objects')), readdirSync(at(own, 'harness/reports'))]).toEqual([[], ['report']]);
  });

  test('a copy in the private folder can be written, the work tree around it only read', async () => {
    writeFileSync(at('home/code/main/dep'), 'dep');
    const main = at('home/code/main');
    const line = `cat ${main}/dep ${main}/.git/harness/journal; ls ${main}/.git/harness; echo x > new; echo x > ${main}/evil`;
    expect(await inBox('home/code/main/.git/harness/copy', line, { readable: [main] })).toBe('depcopy\n');
    expect(
      [at('home/code/main/.git/harness/copy/new'), at('home/code/main/evil')].map((path) => existsSync(path)),
    ).toEqual([true, false]);
  });
});

function isAt(pid: string, folder: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === folder;
  } catch {
    return false;
  }
}

test.each([
  ['a command', false],
  ['a script that may leave a server', true],
])('where the box cannot be opened, %s is said never to have run', async (_, leaveRunning) => {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'box-')));
  onTestFinished(() => rmSync(top, { recursive: true }));
  const [own, programs] = [join(top, 'root'), join(top, 'bin')];
  for (const path of [own, programs]) mkdirSync(path);
  writeFileSync(join(programs, 'bwrap'), '#!/bin/sh\necho "bwrap: no room" >&2; exit 1\n', { mode: 0o755 });
  vi.stubEnv('PATH', `${programs}:${process.env['PATH'] ?? ''}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  const closed = await openBox({ root: own, level: 'bwrap' });
  onTestFinished(() => closed.close());
  const limits = { wallMs: 30_000, idleMs: null, keepBytes: 1_000, floodBytes: null };
  const exit = await closed.run({ argv: ['true'], token: `test-${randomUUID()}`, ...limits, leaveRunning });
  expect(exit.unopened).toContain('bwrap: no room');
});
