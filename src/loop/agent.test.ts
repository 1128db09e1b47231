// Which model works: what the session was given, else what the role has, else the provider's own.
import { expect, test } from 'vitest';
import type { AgentConfig, Config } from '../model/config.ts';
import { madeBy, modelOf, transcriptsOf } from './agent.ts';

const agent = (provider: AgentConfig['provider'], model: string | null = null): AgentConfig => ({
  provider,
  model,
  command: [],
  env: {},
  scenario: null,
});
const config = (own: AgentConfig, models: Config['models'] = {}, fallback: readonly AgentConfig[] = []): Config =>
  ({ agents: { default: own, roles: {}, fallback, competitors: [] }, models }) as unknown as Config;
const part = { role: 'generator', model: 'opus' };

test('a name that the session was given goes before what the role has, where its agent knows it', () => {
  expect(modelOf(config(agent('claude', 'claude-x')), part)).toBe('opus');
  expect(modelOf(config(agent('codex', 'gpt-x')), part)).toBe('gpt-x');
  expect(modelOf(config(agent('acp')), part)).toBeNull();
});

test('what the configuration means by a name counts for every agent', () => {
  for (const provider of ['claude', 'codex', 'acp'] as const)
    expect(modelOf(config(agent(provider, 'own'), { opus: 'strong' }), part)).toBe('strong');
});

test('a fallback agent has its own model: the name means nothing to another provider', () => {
  const both = config(agent('claude'), { opus: 'strong' }, [agent('codex', 'gpt-x')]);
  expect(modelOf(both, { ...part, agent: 1 })).toBe('gpt-x');
});

test('the folder where an agent keeps its sessions is made for it, since it could not make one in the box', () => {
  const env = { HOME: '/home/ada', CODEX_HOME: '/data/codex' };
  const acp = (...command: string[]): AgentConfig => ({ ...agent('acp'), command });
  expect(madeBy(agent('claude'), env)).toBe('/home/ada/.claude');
  expect(madeBy(agent('codex'), env)).toBe('/data/codex');
  expect(madeBy(acp('qwen', '--acp'), env)).toBe('/home/ada/.qwen');
  expect(madeBy(acp('/opt/bin/opencode', 'acp'), env)).toBe('/home/ada/.local/share/opencode');
  expect(madeBy(acp('my-agent'), env)).toBeNull();
  expect(transcriptsOf(acp('qwen', '--acp'), env)).toEqual([]);
});
