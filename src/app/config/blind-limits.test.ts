// Which budgets cannot act, by what is known of the agents.
import { expect, test } from 'vitest';
import type { AgentConfig, Config } from '../../model/config.ts';
import { blindLimits } from './blind-limits.ts';

const agent = (
  provider: AgentConfig['provider'],
  command: readonly string[] = [],
  model: string | null = null,
): AgentConfig => ({
  provider,
  model,
  command,
  env: {},
  scenario: null,
});
const costs = { perSessionUsd: 2, perFeatureUsd: null, totalProjectUsd: 20, prices: {} };
const NONE = {
  perSessionTokens: null,
  perFeatureTokens: null,
  perFeatureMinutes: null,
  totalTokens: null,
  totalMinutes: null,
};
const whyOf = (one: AgentConfig, more: Partial<Config['costs']> = {}): readonly string[] =>
  blindLimits({
    agents: { default: one, roles: {}, fallback: [], competitors: [] },
    costs: { ...costs, ...more },
    limits: NONE,
  }).map(({ why }) => why);

test('an agent that reports money is bound by a budget, and without a budget there is nothing to say', () => {
  expect(whyOf(agent('claude'))).toEqual([]);
  expect(whyOf(agent('scripted'))).toEqual([]);
  expect(whyOf(agent('acp', ['gemini', '--acp']), { perSessionUsd: null, totalProjectUsd: null })).toEqual([]);
});

test('tokens alone bind where the model has a price', () => {
  expect(whyOf(agent('codex', [], 'gpt-x'))).toEqual(['no-price']);
  expect(whyOf(agent('codex'))).toEqual(['no-price']);
  expect(whyOf(agent('codex', [], 'gpt-x'), { prices: { 'gpt-x': { input: 1, output: 1, cached: 1 } } })).toEqual([]);
});

test('no price helps where no tokens are reported, and of an unknown agent nothing is known', () => {
  const prices = { 'gemini-x': { input: 1, output: 1, cached: 1 } };
  expect(whyOf(agent('acp', ['gemini', '--acp'], 'gemini-x'), { prices })).toEqual(['no-tokens']);
  expect(whyOf(agent('acp', ['node', 'agent.mjs']))).toEqual(['unknown-agent']);
});

test('each agent is named once, with the keys that do not act for it', () => {
  const gemini = agent('acp', ['gemini', '--acp']);
  const agents = { default: gemini, roles: { coding: gemini }, fallback: [agent('codex')], competitors: [] };
  expect(blindLimits({ agents, costs, limits: NONE })).toEqual([
    { agent: 'gemini', why: 'no-tokens', keys: ['costs.per_session_usd', 'costs.total_project_usd'] },
    { agent: 'codex', why: 'no-price', keys: ['costs.per_session_usd', 'costs.total_project_usd'] },
  ]);
});

test('a limit in tokens needs an agent that reports them; one in minutes acts with every agent', () => {
  const limits = { ...NONE, totalTokens: 1_000, totalMinutes: 60 };
  const free = { ...costs, perSessionUsd: null, totalProjectUsd: null };
  const blindOf = (one: AgentConfig) =>
    blindLimits({ agents: { default: one, roles: {}, fallback: [], competitors: [] }, costs: free, limits });
  const keys = ['limits.total_tokens'];
  expect(blindOf(agent('claude'))).toEqual([]);
  expect(blindOf(agent('codex'))).toEqual([]);
  expect(blindOf(agent('acp', ['gemini', '--acp']))).toEqual([{ agent: 'gemini', why: 'no-tokens', keys }]);
  expect(blindOf(agent('acp', ['opencode', 'acp']))).toEqual([{ agent: 'opencode', why: 'last-tokens', keys }]);
  expect(blindOf(agent('acp', ['mine']))).toEqual([{ agent: 'acp mine', why: 'unknown-agent', keys }]);
});
