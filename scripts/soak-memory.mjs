// Loaded into the run of `npm run soak`: what is left of its heap after a collection, a line each ten seconds. The memory of the process says little of a
// leak: V8 gives it back late, and code that runs for the first time is kept.
import { appendFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const file = process.env.SOAK_MEMORY;
if (file !== undefined && process.argv.includes('run')) {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  setInterval(() => {
    collect();
    appendFileSync(file, `${Math.round(process.memoryUsage().heapUsed / 1024)}\n`);
  }, 10_000).unref();
}
