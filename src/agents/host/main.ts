// The wrapper process around one agent session. It outlives no driver: when its stdin ends, it ends the agent and itself.
import { systemClock } from '../../host/clock.ts';
import { realIo } from '../../host/io.ts';
import { createRedactor } from '../../host/redact.ts';
import { linesOf } from '../lines.ts';
import { runnerFor } from '../registry.ts';
import type { Report } from './protocol.ts';
import { serveSession } from './wrapper.ts';

const leave = (): void => void process.stdin.destroy();
process.stdout.on('error', leave); // EPIPE: nobody listens any more
process.stderr.on('error', leave);
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, leave);

const report = (said: Report): void => {
  if (process.stdout.writable) process.stdout.write(`${JSON.stringify(said)}\n`);
};
try {
  await serveSession({
    lines: linesOf(process.stdin),
    report,
    runnerFor,
    redactorFor: (env) => createRedactor(env),
    clock: systemClock,
    io: realIo(),
  });
  process.exitCode = 0;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
}
leave();
process.stdout.end(() => process.exit());
