// What can be seen of a known agent on this machine without a request: whether it is installed, where, and signs of a login.
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { agentEnvironment, type Variables } from '../host/environment.ts';
import type { AgentConfig } from '../model/config.ts';
import { err, ok, type Result } from '../model/result.ts';
import { introduce, type Introduction } from './acp/hello.ts';
import { acpProgram, programOnPath } from './acp/program.ts';
import { receiptOf } from './added.ts';
import { findSdk } from './claude/sdk.ts';
import { findProgram } from './codex/find-program.ts';
import type { KnownAgent } from './known.ts';
import { namedFolders } from './provider-packages.ts';
import { runnerFor } from './registry.ts';

/** `added`: by `harness agents add`. `path`: the user's own. `package`: beside the harness or in a named folder. */
export type Place = 'added' | 'path' | 'package';
export type AgentHere = {
  readonly known: KnownAgent;
  readonly place: Place | null;
  /** Null: not known without starting it. */
  readonly version: string | null;
  /** The variable or file in which a login was seen; null: none was seen, which is no proof. */
  readonly login: string | null;
};

export const plainAgent = ({ provider, command }: KnownAgent): AgentConfig => ({
  provider,
  model: null,
  command,
  env: {},
  scenario: null,
});

/** Starts nothing. `agent`: as it is configured, with its variables; left out: with the user's. */
export function lookAt(known: KnownAgent, agent: AgentConfig = plainAgent(known)): AgentHere {
  const filled = agentEnvironment(agent.env);
  const env = filled.ok ? filled.value : {};
  return { known, ...placeOf(known, agent, env), login: loginIn(known, env) };
}

function placeOf(known: KnownAgent, agent: AgentConfig, env: Variables): Pick<AgentHere, 'place' | 'version'> {
  const receipt = receiptOf(known.name);
  if (known.provider === 'acp') {
    const found = acpProgram(agent, env);
    if (found === null) return { place: null, version: null };
    return found.folders.length > 0
      ? { place: 'added', version: receipt?.version ?? null }
      : { place: 'path', version: null };
  }
  if (agent.command.length > 0) {
    const isThere = programOnPath(agent.command[0] ?? '', env['PATH'] ?? '') !== null;
    return { place: isThere ? 'path' : null, version: null };
  }
  const found = known.provider === 'claude' ? findSdk(namedFolders(env)) : findProgram(agent, env);
  if (!found.ok) return { place: null, version: null };
  const isAdded = found.value.folders.some((folder) => receipt !== null && folder.startsWith(receipt.folder));
  return { place: isAdded ? 'added' : 'package', version: found.value.version };
}

/** The first sign: never its value. */
function loginIn({ login }: KnownAgent, env: Variables): string | null {
  const variable = login.variables.find((name) => (env[name] ?? '') !== '');
  if (variable !== undefined) return variable;
  const home = env['HOME'] ?? homedir();
  const file = login.files.find((path) => existsSync(join(home, path)));
  return file === undefined ? null : `~/${file}`;
}

/** Starts an `acp` program without a request to a model; looks at the others. `introduction` null: its protocol has none. */
export async function meet(
  agent: AgentConfig,
): Promise<Result<{ readonly version: string | null; readonly introduction: Introduction | null }>> {
  const filled = agentEnvironment(agent.env);
  if (!filled.ok) return filled;
  const runner = await runnerFor(agent.provider);
  if (!runner.ok) return runner;
  const probed = await runner.value.probe(agent);
  if (!probed.ready) return err(probed.failure);
  const program = agent.provider === 'acp' ? acpProgram(agent, filled.value) : null;
  if (program === null) return ok({ version: probed.version, introduction: null });
  const met = await introduce(agent.command[0] ?? '', program.argv, filled.value);
  return met.ok ? ok({ version: met.value.version, introduction: met.value }) : met;
}
