// The adapter for any agent that speaks the Agent Client Protocol v1 over stdio, started by `agent.command` in the work folder.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { AgentConfig } from '../../model/config.ts';
import { failure } from '../../model/failure.ts';
import { Bug } from '../../model/bug.ts';
import type { AgentRunner, Capabilities } from '../port.ts';
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
  async probe(agent) {
    const [program] = agent.command;
    if (program === undefined)
      return { ready: false, failure: failure('agent-not-configured', { provider: 'acp', missing: 'command' }) };
    if (await isInstalled(program, agent)) return { ready: true, version: null };
    return { ready: false, failure: failure('agent-not-installed', { program, why: 'not-found' }) };
  },
  open(spec, policy) {
    if (spec.agent.command.length === 0) throw new Bug('an acp agent without a command was not probed');
    return Promise.resolve(openAcpSession({ spec, policy, command: spec.agent.command }));
  },
  load: loadProtocol,
};

/** Asks a shell, which searches as starting the agent does: on the user's PATH unless the agent has one of its own. */
async function isInstalled(program: string, agent: AgentConfig): Promise<boolean> {
  const path = agent.env['PATH'];
  const line = path === undefined ? 'command -v -- "$1"' : 'PATH=$2; command -v -- "$1"';
  try {
    await promisify(execFile)('/bin/sh', ['-c', line, 'sh', program, path ?? '']);
    return true;
  } catch {
    return false;
  }
}
