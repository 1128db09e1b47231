// Tests what a level of the sandbox promises: a small program runs in a box and tries what must not work there.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { sweepBoxes, type Box } from '../box.ts';
import { realPath } from '../paths.ts';
import { belongsToLiveProcess } from '../process-table.ts';
import { temporaryFolders, temporaryPrefix } from '../temporary-folders.ts';
import type { BoxLevel } from './level.ts';

/**
 * `write`: the root can be written, and a folder below its `.git` that was asked for, as reports are. `exit`: the exit code arrives.
 * `clean`: neither during the command nor afterwards does the root hold anything that the command did not write. The others must not
 * work: writing `outside` of the root, writing into `.git`, reaching the `network`, seeing the `processes` outside, changing settings of
 * the `kernel`.
 */
export const CANARIES = ['write', 'exit', 'clean', 'outside', 'git', 'network', 'processes', 'kernel'] as const;
export type CanaryName = (typeof CANARIES)[number];
export type CanaryResult = {
  readonly name: CanaryName;
  /** It went as it must: the write worked, the escape did not. */
  readonly ok: boolean;
  /** Without it the level does not hold. */
  readonly needed: boolean;
};

export const LEVEL_PROMISES: { readonly [L in BoxLevel]: readonly CanaryName[] } = {
  bwrap: CANARIES,
  srt: CANARIES,
  pidns: ['write', 'exit', 'clean', 'processes'],
  none: ['write', 'exit', 'clean'],
};

/** `words`: what the box printed where the program did not even run; '' otherwise. */
export type CanaryReport = { readonly canaries: readonly CanaryResult[]; readonly words: string };

const EXIT_CODE = 7;
const WALL_MS = 20_000;

/** Runs as `node -e` inside and prints what worked, as one line of JSON. Settings of the kernel are never written, not even as a test. */
const PROGRAM = `
const { writeFileSync, accessSync, readdirSync } = require('node:fs');
const [outside, port, pid, report] = process.argv.slice(1);
const works = (act) => { try { act(); return true; } catch { return false; } };
// A folder of /proc counts as what is in it: its own permission bits say nothing.
const settings = (path) => {
  let entries;
  try { entries = readdirSync(path, { withFileTypes: true }); } catch { return works(() => accessSync(path, 2)); }
  return entries.some((entry) => !entry.isSymbolicLink() && settings(path + '/' + entry.name));
};
const KERNEL = ['sys', 'irq', 'bus', 'acpi', 'fs', 'mtrr', 'sysrq-trigger'];
const found = {
  write: [works(() => writeFileSync('inside.txt', 'x')), works(() => writeFileSync(report, 'x'))].every(Boolean),
  names: readdirSync('.'),
  outside: works(() => accessSync('/etc', 2)),
  processes: works(() => process.kill(Number(pid), 0)),
  kernel: KERNEL.some((name) => settings('/proc/' + name)),
};
// May work in a folder of the box's own: outside it is checked whether the file arrived.
for (const path of [outside, '.git/hook', '.git/config']) works(() => writeFileSync(path, 'x'));
const end = (network) => { console.log(JSON.stringify({ ...found, network })); require('node:process').exitCode = ${EXIT_CODE}; };
const socket = require('node:net').connect({ host: '127.0.0.1', port: Number(port), timeout: 1000 });
socket.once('connect', () => { socket.destroy(); end(true); });
socket.once('timeout', () => { socket.destroy(); end(false); });
socket.once('error', () => end(false));
`;

/**
 * Removes what processes that were killed during their canaries left, boxes included. A folder belongs to the process in its name:
 * another process may be testing levels at the same time, without the lock.
 */
export function sweepCanaries(workTrees: readonly string[]): void {
  for (const folder of temporaryFolders('canary', workTrees)) {
    const [, pid] = /-(\d+)-[^-]+$/.exec(folder) ?? [];
    if (belongsToLiveProcess(folder, Number(pid))) continue;
    const top = realPath(folder);
    sweepBoxes([join(top, 'root')]);
    // At a level that does not end the program with its parent, it may still be running for a moment.
    rmSync(top, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** For the work tree at `workTree`. Never rejects for what the box does: where a box cannot run anything, every canary fails. */
export async function runCanaries(
  level: BoxLevel,
  workTree: string,
  open: (root: string) => Promise<Box>,
  token: string,
): Promise<CanaryReport> {
  const top = realPath(await mkdtemp(`${temporaryPrefix('canary', workTree)}${process.pid}-`));
  const root = join(top, 'root');
  const git = join(root, '.git');
  const [config, hook, reports] = [join(git, 'config'), join(git, 'hook'), join(git, 'private/reports')];
  await mkdir(reports, { recursive: true });
  await writeFile(config, '');
  const report = join(reports, 'report');
  const server = await listen();
  const box = await open(root);
  try {
    const exit = await box.run({
      argv: [
        process.execPath,
        '-e',
        PROGRAM,
        join(top, 'outside.txt'),
        String(server.port),
        String(process.pid),
        report,
      ],
      writable: [reports],
      token,
      wallMs: WALL_MS,
      idleMs: null,
      keepBytes: 10_000,
      floodBytes: 1_000_000,
    });
    const worked = readWorked(exit.stdout);
    const ok: { readonly [N in CanaryName]: boolean } = {
      write: worked?.get('write') === true && [join(root, 'inside.txt'), report].every((path) => existsSync(path)),
      exit: exit.code === EXIT_CODE,
      clean: [worked?.get('names'), readdirSync(root)].every((names) => String(names) === '.git,inside.txt'),
      outside: worked?.get('outside') === false && !existsSync(join(top, 'outside.txt')),
      git: worked !== null && !existsSync(hook) && readFileSync(config, 'utf8') === '',
      network: worked?.get('network') === false && !server.wasReached(),
      processes: worked?.get('processes') === false,
      kernel: worked?.get('kernel') === false,
    };
    const promises = LEVEL_PROMISES[level];
    return {
      canaries: CANARIES.map((name) => ({ name, ok: ok[name], needed: promises.includes(name) })),
      words: worked === null ? exit.stderr.trim().slice(0, 500) : '',
    };
  } finally {
    server.close();
    await box.close();
    await rm(top, { recursive: true, force: true });
  }
}

function readWorked(text: string): ReadonlyMap<string, unknown> | null {
  try {
    const found: unknown = JSON.parse(text);
    return typeof found === 'object' && found !== null ? new Map(Object.entries(found)) : null;
  } catch {
    return null;
  }
}

async function listen(): Promise<{ readonly port: number; wasReached(): boolean; close(): void }> {
  let reached = false;
  const server: Server = createServer((socket) => {
    reached = true;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    wasReached: () => reached,
    close: () => server.close(),
  };
}
