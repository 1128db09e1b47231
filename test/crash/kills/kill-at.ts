// Loaded into the real program before anything else (`node --import`): counts what it does to the world outside of its own memory, a
// write, a rename, a child that it starts, and ends it at one of these calls with SIGKILL. A call is the same one in every run, which a
// moment on the clock never is.
//
// How is in the query of the URL: `at` (the 1-based call; without it nothing is killed), `side` (before | after the call), `kind`
// (whom, program.ts), `top` (the folder of the fixture project), `notify` (instead of killing, writes a byte to descriptor 3 and continues), and
// `count` (a file that gets the number of calls when the program ends by itself).
import childProcess from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import type { StarterMessage } from '../../../src/host/starter.ts';
import { killProject, type Kind } from './processes.ts';

const how = new URL(import.meta.url).searchParams;
const at = Number(how.get('at') ?? 0);
let calls = 0;

function strike(): void {
  if (how.has('notify')) fs.writeSync(3, '!');
  else killProject(how.get('top') ?? '', process.pid, (how.get('kind') ?? 'program') as Kind);
}

function counted(owner: object, name: string): void {
  const real = Reflect.get(owner, name) as (...args: unknown[]) => unknown;
  const around = function (this: unknown, ...args: unknown[]): unknown {
    calls += 1;
    const isIt = calls === at;
    if (isIt && how.get('side') === 'before') strike();
    const value = Reflect.apply(real, this, args);
    if (isIt && how.get('side') !== 'before') strike();
    return value;
  };
  Reflect.set(owner, name, around);
}

// Not opening and reading: the program polls, and how often depends on the clock.
const FILES =
  'writeFileSync appendFileSync writeSync fsync fsyncSync renameSync linkSync symlinkSync mkdirSync mkdtempSync rmSync unlinkSync copyFileSync';
const CHILDREN = 'spawn spawnSync execFileSync';

/** A command that is handed to a shell of the program (src/host/starter.ts) is a call, too. */
function countStarted(): void {
  let isIt = false;
  subscribe('harness.command', (message) => {
    const { phase } = message as StarterMessage;
    if (phase === 'before') {
      calls += 1;
      isIt = calls === at;
    }
    if (isIt && phase === (how.get('side') ?? 'after')) strike();
  });
}

// What the program starts inherits the option; it is none of ours to kill.
if (process.argv[1]?.endsWith('/bin/harness.cjs') === true) {
  // Before the counting begins: it writes, too.
  const tell = fs.writeFileSync;
  const file = how.get('count');
  for (const name of FILES.split(' ')) counted(fs, name);
  for (const name of CHILDREN.split(' ')) counted(childProcess, name);
  syncBuiltinESMExports();
  countStarted();
  if (file !== null) process.on('exit', () => tell(file, String(calls)));
}
