// Loaded before the program (`node --import`): notes every process it starts and every fsync, with the path and where in the program it was
// asked for, and writes them with the peak memory into BENCH_TRACE when the program ends. Nothing of the program itself is changed.
import { subscribe } from 'node:diagnostics_channel';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const file = process.env.BENCH_TRACE;
delete process.env.BENCH_TRACE;
Error.stackTraceLimit = 30;
const now = () => performance.timeOrigin + performance.now();
const processes = [];
const syncs = [];

/** The functions of the program that led here, the innermost first. */
const stack = () =>
  [...(new Error().stack ?? '').matchAll(/at (?:async )?([\w.<>$ ]+) \(file:/g)]
    .map(([, name]) => name)
    .filter((name) => !/^(stack|fs\.)/.test(name))
    .join(' < ');

subscribe('child_process', ({ process: child }) => {
  const from = now();
  const why = stack();
  // The arguments are known after the spawn.
  queueMicrotask(() => {
    const one = { argv: child.spawnargs ?? [], from, to: null, stack: why };
    processes.push(one);
    child.once('exit', () => (one.to = now()));
  });
});

// What a shell of the program starts for it (src/host/starter.ts).
const started = new Map();
subscribe('harness.command', ({ phase, argv, id }) => {
  if (phase === 'before') {
    const one = { argv, from: now(), to: null, stack: stack() };
    processes.push(one);
    started.set(id, one);
  } else if (phase === 'end') {
    started.get(id).to = now();
    started.delete(id);
  }
});

const sync = fs.fsyncSync;
fs.fsyncSync = (fd) => {
  const from = now();
  sync(fd);
  const to = now();
  syncs.push({ from, to, path: fs.readlinkSync(`/proc/self/fd/${fd}`), stack: stack() });
};
const syncBeside = fs.fsync;
fs.fsync = (fd, done) => {
  const from = now();
  const about = { path: fs.readlinkSync(`/proc/self/fd/${fd}`), stack: stack() };
  syncBeside(fd, (error) => {
    syncs.push({ from, to: now(), ...about });
    done(error);
  });
};
syncBuiltinESMExports();

process.on('exit', () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  const cpuMs = (userCPUTime + systemCPUTime) / 1000;
  if (file) fs.writeFileSync(file, JSON.stringify({ processes, syncs, peakKb: maxRSS, cpuMs }));
});
