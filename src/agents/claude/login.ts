// Whether Claude Code has a login, as its own program reports it without a request.
import { execFile } from 'node:child_process';
import { z } from 'zod';
import type { Variables } from '../../host/environment.ts';
import { failure, type Failure } from '../../model/failure.ts';

const status = z.looseObject({ loggedIn: z.boolean() });
const isSignedOut = (printed: string): boolean => {
  try {
    return !status.parse(JSON.parse(printed)).loggedIn;
  } catch {
    return false; // of a version that prints something else
  }
};
/** A program that takes longer to answer is not asked. */
const PATIENCE_MS = 10_000;

/** Null: it has a login, or does not report it. */
export function lacksLogin(program: string, env: Variables): Promise<Failure | null> {
  const own = { ...env, CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1' };
  return new Promise((resolve) => {
    // Without a login it prints the same, and exits with 1.
    execFile(program, ['auth', 'status', '--json'], { env: own, timeout: PATIENCE_MS }, (_, stdout) => {
      const detail = 'claude, then /login; or ANTHROPIC_API_KEY';
      resolve(isSignedOut(stdout) ? failure('agent-auth', { provider: 'claude', detail }) : null);
    });
  });
}
