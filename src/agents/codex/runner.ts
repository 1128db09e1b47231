// The adapter for Codex: what it can do, whether it is installed, and how a session is opened.
import { failedSession } from '../failed-session.ts';
import type { AgentRunner } from '../port.ts';
import { askVersion, findProgram } from './find-program.ts';
import { lacksLogin } from './login.ts';
import { openSession } from './session.ts';

/**
 * The policy is `when-asked`: Codex asks for every command and every change of files, except those that the user has allowed permanently
 * in the rules of Codex itself (`CODEX_HOME/rules`).
 */
export const codexRunner: AgentRunner = {
  provider: 'codex',
  capabilities: {
    inject: 'mid-turn',
    resume: true,
    usage: 'reported',
    context: 'reported',
    quota: 'reported',
    policy: 'when-asked',
  },
  async probe(agent) {
    const found = findProgram(agent);
    if (!found.ok) return { ready: false, failure: found.failure };
    if (agent.command.length === 0) return { ready: true, version: found.value.version };
    const version = await askVersion(agent);
    return version.ok ? { ready: true, version: version.value } : { ready: false, failure: version.failure };
  },
  folders(agent, env) {
    const found = findProgram(agent, env);
    return found.ok ? found.value.folders : [];
  },
  async lacksLogin(agent, env) {
    const found = findProgram(agent, env);
    return found.ok ? await lacksLogin(found.value.argv, agent, env) : null;
  },
  open(spec, policy) {
    const found = findProgram(spec.agent, spec.env);
    return Promise.resolve(found.ok ? openSession(found.value.argv, spec, policy) : failedSession(found.failure));
  },
};
