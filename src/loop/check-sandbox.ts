// A box of the host as the verifier wants it: shell lines with a report folder.
import type { Box, BoxCommand } from '../host/box.ts';
import { shellLine } from '../host/process.ts';
import type { CheckSandbox } from '../verify/run-once.ts';
import { laneVariables, type RunContext } from './run-context.ts';

const isOpen = ({ config }: Pick<RunContext, 'config'>): boolean => config.sandbox.network === 'open';

/** `env`: what every command gets, below its own. Only an environment script may leave a server running. */
export const checkSandbox = (
  context: Pick<RunContext, 'config' | 'io' | 'lane'>,
  box: Pick<Box, 'level' | 'seenAt' | 'run'>,
  how: Pick<BoxCommand, 'token' | 'env' | 'leaveRunning'> & { readonly signal: AbortSignal },
): CheckSandbox => {
  let unopened: string | null = null;
  return {
    level: box.level === 'bwrap' && isOpen(context) ? 'bwrap, network open' : box.level,
    seenAt: box.seenAt,
    unopened: () => unopened,
    run: ({ command, env, timeoutMs, reportDir, network, keepBytes, floodBytes }) =>
      context.io.effect('check', async () => {
        const exit = await box.run({
          argv: shellLine(command),
          env: { ...laneVariables(context), ...how.env, ...env },
          token: how.token,
          signal: how.signal,
          wallMs: timeoutMs,
          idleMs: null,
          keepBytes,
          floodBytes,
          writable: [reportDir],
          network: network === 'host' || isOpen(context),
          leaveRunning: how.leaveRunning === true,
        });
        unopened ??= exit.unopened ?? null;
        return exit;
      }),
  };
};
