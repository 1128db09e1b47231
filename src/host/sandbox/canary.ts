// What a level of the ladder promises, tried for real: a small program is run in a box and does what must not work.
// Owns: the program, what it found, the folder it ran in. Which canaries a level needs stands in LEVEL_PROMISES.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { sweepBoxes, type Box } from '../box.ts';
import { belongsToLiveProcess } from '../process-table.ts';
import { temporariesOf, temporaryOf } from '../temporary.ts';
import { realOf, type BoxLevel } from './level.ts';

/**
 * `write`: the root can be written, and a folder below its `.git` that was asked for (reports are). `exit`: the exit code
 * arrives. `clean`: neither while it runs nor afterwards the root holds anything that the command did not write. The others must not work: write `outside` of the root, write into `.git`,
 * reach the `network`, see `processes` of outside.
 */
export const CANARIES = ['write', 'exit', 'clean', 'outside', 'git', 'network', 'processes'] as const;
export type CanaryName = (typeof CANARIES)[number];
export type Canary = {
  readonly name: CanaryName;
  /** What is wanted came to pass: the write worked, the escape did not. */
  readonly ok: boolean;
  /** The level is only that level with it. */
  readonly needed: boolean;
};

export const LEVEL_PROMISES: { readonly [L in BoxLevel]: readonly CanaryName[] } = {
  bwrap: CANARIES,
  srt: CANARIES,
  pidns: ['write', 'exit', 'clean', 'processes'],
  none: ['write', 'exit', 'clean'],
};

/** `words`: what the box said where not even the program ran; '' otherwise. */
export type Sung = { readonly canaries: readonly Canary[]; readonly words: string };

const EXIT_CODE = 7;
const WALL_MS = 20_000;

/** Runs as `node -e` inside: prints what worked, as one line of JSON. */
const PROGRAM = `
const { writeFileSync } = require('node:fs');
const [outside, port, pid, report] = process.argv.slice(1);
const works = (act) => { try { act(); return true; } catch { return false; } };
const found = {
  write: [works(() => writeFileSync('inside.txt', 'x')), works(() => writeFileSync(report, 'x'))].every(Boolean),
  names: require('node:fs').readdirSync('.'),
  outside: works(() => require('node:fs').accessSync('/etc', 2)),
  processes: works(() => process.kill(Number(pid), 0)),
};
// May work in a folder of the box's own: whether it arrived is seen outside.
for (const path of [outside, '.git/hook', '.git/config']) works(() => writeFileSync(path, 'x'));
const end = (network) => { console.log(JSON.stringify({ ...found, network })); require('node:process').exitCode = ${EXIT_CODE}; };
const socket = require('node:net').connect({ host: '127.0.0.1', port: Number(port), timeout: 1000 });
socket.once('connect', () => { socket.destroy(); end(true); });
socket.once('timeout', () => { socket.destroy(); end(false); });
socket.once('error', () => end(false));
`;

/**
 * Removes what processes that died among their canaries left of them, with the boxes around it. The folders are also
 * of the process that sings: others may look at the ladder meanwhile, without the lock.
 */
export function sweepCanaries(root: string): void {
  for (const folder of temporariesOf('canary', root)) {
    const pid = Number(folder.slice(temporaryOf('canary', root).length).split('-')[0]);
    if (belongsToLiveProcess(folder, pid)) continue;
    const top = realOf(folder);
    sweepBoxes(join(top, 'root'));
    // At a level that does not end it with its starter, the program may have a moment to live.
    rmSync(top, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Of the work tree at `of`. Never rejects for what the box does: a box that cannot run anything has no canary alive. */
export async function singCanaries(
  level: BoxLevel,
  of: string,
  open: (root: string) => Promise<Box>,
  token: string,
): Promise<Sung> {
  const top = realOf(await mkdtemp(`${temporaryOf('canary', of)}${process.pid}-`));
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
      write: worked?.['write'] === true && [join(root, 'inside.txt'), report].every((path) => existsSync(path)),
      exit: exit.code === EXIT_CODE,
      clean: [worked?.['names'], readdirSync(root)].every((names) => String(names) === '.git,inside.txt'),
      outside: worked?.['outside'] === false && !existsSync(join(top, 'outside.txt')),
      git: worked !== null && !existsSync(hook) && readFileSync(config, 'utf8') === '',
      network: worked?.['network'] === false && !server.wasReached(),
      processes: worked?.['processes'] === false,
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

function readWorked(text: string): { readonly [name: string]: unknown } | null {
  try {
    return JSON.parse(text) as { [name: string]: unknown };
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
