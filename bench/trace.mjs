// Loaded before the program (`node --import`): notes every process it starts and every fsync, and writes them with the
// peak memory into BENCH_TRACE when the program ends. Nothing of the program itself is changed.
import { subscribe } from 'node:diagnostics_channel';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const file = process.env.BENCH_TRACE;
delete process.env.BENCH_TRACE;
const now = () => performance.timeOrigin + performance.now();
const processes = [];
const syncs = [];

subscribe('child_process', ({ process: child }) => {
  const from = now();
  // The arguments are known after the spawn.
  queueMicrotask(() => {
    const one = { argv: child.spawnargs ?? [], from, to: null };
    processes.push(one);
    child.once('exit', () => (one.to = now()));
  });
});

const sync = fs.fsyncSync;
fs.fsyncSync = (...args) => {
  const from = now();
  sync(...args);
  syncs.push({ from, to: now() });
};
syncBuiltinESMExports();

process.on('exit', () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  const cpuMs = (userCPUTime + systemCPUTime) / 1000;
  if (file) fs.writeFileSync(file, JSON.stringify({ processes, syncs, peakKb: maxRSS, cpuMs }));
});
