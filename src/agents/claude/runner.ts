// Owns Claude as an agent: what it can do, whether it is there, and the opening of a session.
import type { AgentRunner } from '../port.ts';
import { boxProblem, scrubs } from './box.ts';
import { findSdk, loadSdk } from './sdk.ts';
import { deadSession, openSession } from './session.ts';

/** Names a folder that has the provider SDKs in its `node_modules`, in a session's or the agent's environment. */
const FOLDER = 'HARNESS_PROVIDERS_DIR';

const foldersOf = (...environments: readonly { readonly [name: string]: string }[]): string[] =>
  environments.flatMap((env) => env[FOLDER] ?? []);

export const claudeRunner: AgentRunner = {
  provider: 'claude',
  capabilities: { inject: 'mid-turn', resume: true, usage: 'reported', context: 'reported', policy: 'every-call' },
  async probe(agent) {
    const found = findSdk(foldersOf(agent.env));
    if (!found.ok) return { ready: false, failure: found.failure };
    const problem = scrubs(agent) ? await boxProblem() : null;
    if (problem !== null) return { ready: false, failure: problem };
    return { ready: true, version: found.value.version };
  },
  folders(agent, env) {
    const found = findSdk(foldersOf(agent.env, env));
    return found.ok ? found.value.folders : [];
  },
  async open(spec, policy) {
    const sdk = await loadSdk(foldersOf(spec.agent.env, spec.env));
    if (!sdk.ok) return deadSession(sdk.failure);
    const problem = spec.mode === 'exec' && scrubs(spec.agent, spec.env) ? await boxProblem(spec.env) : null;
    return problem === null ? openSession(sdk.value, spec, policy) : deadSession(problem);
  },
};
