// Whether the program can keep the provider's keys from the shells that it starts: on Linux it boxes them with programs of the machine.
// Without bwrap it refuses to start, without socat every command fails, so both are checked before.
import { execFile } from 'node:child_process';
import type { AgentConfig } from '../../model/config.ts';
import { failure, type Failure } from '../../model/failure.ts';

export const SCRUB = 'CLAUDE_CODE_SUBPROCESS_ENV_SCRUB';
const TOOLS = [
  { program: 'bwrap', ask: '--version', package: 'bubblewrap' },
  { program: 'socat', ask: '-V', package: 'socat' },
] as const;

/**
 * Off unless the user sets it, in the agent's configuration or else in the environment: with it the program boxes its shells itself and
 * needs two programs that many machines lack. Without it a shell sees the provider's key, as it does without the harness.
 */
export function scrubs(agent: AgentConfig, env: { readonly [name: string]: string } = {}): boolean {
  return ['1', 'true', 'yes', 'on'].includes((agent.env[SCRUB] ?? env[SCRUB] ?? '').toLowerCase());
}

/** The missing programs, searched on the PATH of `env`, by default on our own; null: none is missing. */
export async function boxProblem(env?: { readonly [name: string]: string }): Promise<Failure | null> {
  if (process.platform !== 'linux') return null;
  const found = await Promise.all(TOOLS.map((tool) => starts(tool.program, tool.ask, env)));
  const missing = TOOLS.filter((_, i) => found[i] !== true);
  return missing.length === 0 ? null : noBox(missing.map((tool) => tool.package));
}

/** `unless`: what the user can set in the agent's `env` to do without them. */
export const noBox = (packages: readonly string[]): Failure =>
  failure('agent-not-installed', {
    provider: 'claude',
    package: packages.join(' '),
    install: `apt-get install ${packages.join(' ')}`,
    unless: `${SCRUB}=0`,
    why: 'box-missing',
    where: '',
  });

const starts = (program: string, ask: string, env?: { readonly [name: string]: string }): Promise<boolean> =>
  new Promise((resolve) => {
    execFile(program, [ask], env === undefined ? {} : { env }, (error) => resolve(error === null));
  });
