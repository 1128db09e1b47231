// The adapter for Claude: what it can do, whether it is installed, and how a session is opened.
import { failedSession } from '../failed-session.ts';
import { namedFolders } from '../provider-packages.ts';
import type { AgentRunner } from '../port.ts';
import { boxProblem, scrubs } from './box.ts';
import { lacksLogin } from './login.ts';
import { findSdk, loadSdk } from './sdk.ts';
import { openSession } from './session.ts';

export const claudeRunner: AgentRunner = {
  provider: 'claude',
  capabilities: {
    inject: 'mid-turn',
    resume: true,
    usage: 'reported',
    context: 'reported',
    quota: 'subscription',
    policy: 'every-call',
  },
  async probe(agent) {
    const found = findSdk(namedFolders(agent.env));
    if (!found.ok) return { ready: false, failure: found.failure };
    const problem = scrubs(agent) ? await boxProblem() : null;
    if (problem !== null) return { ready: false, failure: problem };
    return { ready: true, version: found.value.version };
  },
  folders(agent, env) {
    const found = findSdk(namedFolders(agent.env, env));
    return found.ok ? found.value.folders : [];
  },
  async lacksLogin(agent, env) {
    const found = findSdk(namedFolders(agent.env, env));
    return found.ok ? await lacksLogin(found.value.program, env) : null;
  },
  async open(spec, policy) {
    const sdk = await loadSdk(namedFolders(spec.agent.env, spec.env));
    if (!sdk.ok) return failedSession(sdk.failure);
    const problem = spec.mode === 'exec' && scrubs(spec.agent, spec.env) ? await boxProblem(spec.env) : null;
    return problem === null ? openSession(sdk.value, spec, policy) : failedSession(problem);
  },
};
