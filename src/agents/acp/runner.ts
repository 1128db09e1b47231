// The adapter for any agent that speaks the Agent Client Protocol v1 over stdio, started by `agent.command` in the work folder.
import type { AgentConfig } from '../../model/config.ts';
import { failure, type Failure } from '../../model/failure.ts';
import { Bug } from '../../model/bug.ts';
import type { AgentRunner, Capabilities } from '../port.ts';
import { failedSession } from '../failed-session.ts';
import { knownAs } from '../known.ts';
import { acpProgram } from './program.ts';
import { loadProtocol, openAcpSession } from './session.ts';

/** `resume` is true for agents with session/resume or session/load; with others it fails with `agent-session-lost`. */
export const ACP_CAPABILITIES: Capabilities = {
  inject: 'next-turn',
  resume: true,
  usage: 'partial',
  context: 'estimated',
  quota: 'none',
  policy: 'when-asked',
};

export const acpRunner: AgentRunner = {
  provider: 'acp',
  capabilities: ACP_CAPABILITIES,
  probe(agent) {
    const [program] = agent.command;
    if (program === undefined) {
      const missing = failure('agent-not-configured', { provider: 'acp', missing: 'command' });
      return Promise.resolve({ ready: false, failure: missing });
    }
    return Promise.resolve(
      acpProgram(agent) === null ? { ready: false, failure: notThere(agent) } : { ready: true, version: null },
    );
  },
  folders: (agent, env) => acpProgram(agent, env)?.folders ?? [],
  open(spec, policy) {
    if (spec.agent.command.length === 0) throw new Bug('an acp agent without a command was not probed');
    const found = acpProgram(spec.agent, spec.env);
    return Promise.resolve(
      found === null
        ? failedSession(notThere(spec.agent))
        : openAcpSession({ spec, policy, command: found.argv, ownFiles: writesByItself(spec.agent) }),
    );
  },
  load: loadProtocol,
};

function notThere(agent: AgentConfig): Failure {
  const [program = ''] = agent.command;
  const about = { program, why: 'not-found' };
  const known = knownAs(agent);
  if (known === null) return failure('agent-not-installed', about);
  const install = known.package === null ? known.page : `harness agents add ${known.name}`;
  return failure('agent-not-installed', { ...about, install });
}

/** Whether files are left to the agent: configured, or known to be needed. */
const writesByItself = (agent: AgentConfig): boolean =>
  agent.files === undefined ? (knownAs(agent)?.care.includes('care-own-files') ?? false) : agent.files === 'own';
