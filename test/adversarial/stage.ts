// What an escape is tried against: a repository with a linked work tree, a home with secrets, servers, sockets and a
// process of outside, all made for one attempt and gone after it.
import { execFileSync, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { randomInt, randomUUID } from 'node:crypto';
import { openBox, type Box } from '../../src/host/box.ts';
import { runCommand, shellLine, type Exit } from '../../src/host/process.ts';
import { inBox, type BoxLevel } from '../../src/host/sandbox/level.ts';
import type { Escape } from './escapes.ts';

export type Stage = {
  readonly box: Box;
  attempt(escape: Escape): Promise<Exit>;
  /** Paths are below the stage's own folder. */
  isThere(path: string): boolean;
  isLink(path: string): boolean;
  /** Another text than at the beginning, or gone. */
  isChanged(path: string): boolean;
  sizeOf(path: string): number;
  git(...args: string[]): string;
  heardDatagram(): boolean;
  isVictimDead(): Promise<boolean>;
  /** A process that an attempt left behind. */
  isAlive(): boolean;
  close(): Promise<void>;
};

const FILES: { readonly [path: string]: string } = {
  'seen/victim': 'untouched\n',
  'home/.bashrc': '# shell\n',
  'home/.ssh/id_ed25519': 'key-of-ada\n',
  'home/.aws/credentials': 'cloud-of-ada\n',
  'home/.config/gcloud/token': 'cloud-of-ada\n',
  'home/.claude/.credentials.json': '"agent-of-ada"\n',
  'home/.codex/auth.json': '"agent-of-ada"\n',
  'home/.unheard-of/token': 'unheard-of-ada\n',
  'home/diary.txt': 'diary-of-ada\n',
  'main/file.txt': 'tracked\n',
  'report/.keep': '',
};

export async function openStage(level: BoxLevel, { linked }: { readonly linked: boolean }): Promise<Stage> {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'harness-escape-')));
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(top, path)), { recursive: true });
    writeFileSync(join(top, path), text);
  }
  const git = (...args: string[]): string =>
    execFileSync('git', args, {
      cwd: join(top, 'main'),
      env: { PATH: process.env['PATH'] ?? '', HOME: join(top, 'nobody'), GIT_CONFIG_NOSYSTEM: '1' },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim();
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', 'commit', '-q', '-m', 'start');
  git('worktree', 'add', '-q', '--detach', join(top, 'linked'));
  for (const folder of ['hooks', 'info', 'harness']) mkdirSync(join(top, 'main/.git', folder), { recursive: true });
  writeFileSync(join(top, 'main/.git/harness/journal'), 'journal-of-the-harness\n');
  const before = new Map(
    [...Object.keys(FILES), 'main/.git/config', 'linked/.git'].map((path) => [
      path,
      readFileSync(join(top, path), 'utf8'),
    ]),
  );

  const abstract = `harness-escape-${randomUUID()}`;
  const servers = [
    createServer((socket) => socket.end()).listen(0, '127.0.0.1'),
    createServer((socket) => socket.end()).listen(join(top, 'host.sock')),
    createServer((socket) => socket.end()).listen(join(top, 'seen/host.sock')),
    createServer((socket) => socket.end()).listen(`\0${abstract}`),
  ];
  await Promise.all(servers.map((server) => once(server, 'listening')));
  let heard = false;
  const datagrams = createSocket('udp4', () => (heard = true));
  datagrams.bind(0, '127.0.0.1');
  await once(datagrams, 'listening');
  const victim = spawn('sleep', ['600'], {
    env: { PATH: process.env['PATH'], SECRET: 'environment-of-the-victim' },
    stdio: 'ignore',
  });
  await once(victim, 'spawn');

  const mark = String(100_000_000 + randomInt(100_000_000));
  const own = { HOME: process.env['HOME'], key: process.env['ESCAPE_API_KEY'] };
  process.env['HOME'] = join(top, 'home');
  process.env['ESCAPE_API_KEY'] = 'key-in-the-environment';
  const root = join(top, linked ? 'linked' : 'main');
  const box = await openBox({ root, level, hidden: [join(top, 'main/.git/harness')] });
  if (own.HOME === undefined) delete process.env['HOME'];
  else process.env['HOME'] = own.HOME;
  delete process.env['ESCAPE_API_KEY'];

  const tcp = servers[0]?.address();
  const env = {
    NODE: process.execPath,
    TOP: top,
    SEEN: join(top, 'seen'),
    REPORT: join(top, 'report'),
    TCP: String(typeof tcp === 'object' ? tcp?.port : ''),
    UDP: String(datagrams.address().port),
    ABSTRACT: abstract,
    VICTIM: String(victim.pid),
    MARK: mark,
  };
  const marked = (): readonly number[] =>
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && commandOf(name).includes(mark))
      .map(Number);
  return {
    box,
    attempt: ({ line, limits, leaveRunning, isAgent }) => {
      const command = {
        token: `escape-${mark}`,
        wallMs: limits?.wallMs ?? 30_000,
        idleMs: null,
        keepBytes: 100_000,
        floodBytes: limits?.floodBytes ?? 10_000_000,
      };
      const readable = [join(top, 'seen')];
      if (isAgent === true) {
        const enclosure = box.enclose({ readable, writable: [join(top, 'home/.claude')] });
        const whole = { PATH: process.env['PATH'] ?? '', HOME: join(top, 'home'), ...env };
        return runCommand({ ...command, ...inBox(enclosure, shellLine(line), whole), cwd: root });
      }
      return box.run({
        ...command,
        argv: shellLine(line),
        env,
        readable,
        writable: [join(top, 'report')],
        leaveRunning: leaveRunning === true,
      });
    },
    isThere: (path) => existsSync(join(top, path)),
    isLink: (path) => lstatSync(join(top, path), { throwIfNoEntry: false })?.isSymbolicLink() === true,
    isChanged: (path) => !existsSync(join(top, path)) || readFileSync(join(top, path), 'utf8') !== before.get(path),
    sizeOf: (path) => lstatSync(join(top, path), { throwIfNoEntry: false })?.size ?? 0,
    git,
    heardDatagram: () => heard,
    async isVictimDead() {
      // A signal that was sent has arrived before the next one, which the victim never outlives.
      victim.kill('SIGKILL');
      if (victim.exitCode === null && victim.signalCode === null) await once(victim, 'exit');
      return victim.signalCode !== 'SIGKILL';
    },
    isAlive: () => marked().length > 0,
    async close() {
      await box.close();
      for (const pid of marked()) process.kill(pid, 'SIGKILL');
      victim.kill('SIGKILL');
      for (const server of servers) server.close();
      datagrams.close();
      rmSync(top, { recursive: true, force: true });
    },
  };
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    return '';
  }
}
