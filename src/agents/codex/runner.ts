// Owns Codex as an agent: what it can do, whether it is there, and the opening of a session.
import { failedSession } from '../failed-session.ts';
import type { AgentRunner } from '../port.ts';
import { askVersion, findProgram } from './find.ts';
import { openSession } from './session.ts';

/**
 * Every command and every change of files is asked about, but what a person has allowed for good in rules of their own
 * Codex (`CODEX_HOME/rules`): hence `when-asked`.
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
  open(spec, policy) {
    const found = findProgram(spec.agent, spec.env);
    return Promise.resolve(found.ok ? openSession(found.value.argv, spec, policy) : failedSession(found.failure));
  },
};
