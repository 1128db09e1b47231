// The wrapper process at work. It outlives no driver: when its stdin ends, it ends the agent and itself.
import { systemClock } from '../../host/clock.ts';
import { realIo } from '../../host/io.ts';
import { createRedactor } from '../../host/redact.ts';
import { PROVIDERS, type ProviderName } from '../../model/config.ts';
import { linesOf } from '../lines.ts';
import { runnerFor } from '../registry.ts';
import type { Report } from './protocol.ts';
import { serveSession } from './wrapper.ts';

const isProvider = (name: string | undefined): name is ProviderName => PROVIDERS.some((one) => one === name);

/** Serves one session. A function, not the module itself: adapters are imported from within it and import this file's bundle. */
export async function serve(): Promise<void> {
  /** Which adapter will be asked for, told at the start: loaded while the driver still prepares the session. */
  const [, , expected] = process.argv;
  if (isProvider(expected))
    runnerFor(expected)
      .then((runner) => (runner.ok ? runner.value.load?.() : null))
      .catch(() => undefined); // what cannot be loaded fails again when the session needs it, and is told then

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
}
