// The contract on the two adapters that need no account: any program that speaks the protocol, and the scripted agent.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runnerFor } from '../../src/agents/registry.ts';
import { scriptedProgram } from '../../src/agents/scripted/runner.ts';
import { unreachable } from '../../src/model/bug.ts';
import type { AgentConfig, ProviderName } from '../../src/model/config.ts';
import { agentContract, type AgentScript, type Place, type ScriptStep } from './agents.ts';

const runner = (provider: ProviderName) => async () => {
  const found = await runnerFor(provider);
  if (!found.ok) throw new Error(found.failure.reason);
  return found.value;
};
const PATH = process.env['PATH'] ?? '/usr/bin:/bin';
const config = (more: Partial<AgentConfig> & Pick<AgentConfig, 'provider'>): AgentConfig => ({
  model: null,
  command: [],
  env: {},
  scenario: null,
  ...more,
});

function stepOf(step: ScriptStep): object {
  switch (step.do) {
    case 'say':
      return { say: step.text };
    case 'write':
      return { write: { path: step.path, text: step.text } };
    case 'run':
      return { run: { command: step.command, ask: step.asks ?? false } };
    case 'usage':
      return { usage: { input: step.input, output: step.output, cached: step.cached } };
    case 'hang':
      return { hang: {} };
    case 'crash':
      return { crash: { exit: 3, stderr: 'out of ideas' } };
    case 'auth-failure':
      return { fail: 'auth' };
    case 'flood':
      return { flood: step.bytes };
    default:
      return unreachable(step);
  }
}
function scenario(script: AgentScript, place: Place): string {
  const file = join(place.home, 'scenario.json');
  writeFileSync(file, JSON.stringify({ schema: 1, sessions: [{ turns: script.map((turn) => turn.map(stepOf)) }] }));
  return file;
}
const dispose = () => Promise.resolve();

agentContract('acp', {
  runner: runner('acp'),
  world: (script, place) => {
    const file = scenario(script, place);
    const command = [process.execPath, scriptedProgram(), '--scenario', file, '--home', join(place.home, 'agent')];
    return Promise.resolve({ agent: config({ provider: 'acp', command }), env: { PATH }, dispose });
  },
  missing: () => ({ agent: config({ provider: 'acp', command: ['no-such-agent-here'] }), env: { PATH } }),
});

agentContract('scripted', {
  runner: runner('scripted'),
  world: (script, place) =>
    Promise.resolve({
      agent: config({ provider: 'scripted', scenario: scenario(script, place) }),
      env: { PATH },
      dispose,
    }),
  // it comes with the harness: what can be missing is its scenario
  missing: null,
});
