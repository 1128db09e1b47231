// Which known agent a configured command means.
import { expect, test } from 'vitest';
import { KNOWN_AGENTS, knownAs } from './known.ts';

const acp = (...command: string[]) => knownAs({ provider: 'acp', command })?.name ?? null;

test('an agent is known by its program, its path or its package', () => {
  expect(acp('gemini', '--acp')).toBe('gemini');
  expect(acp('/opt/tools/bin/gemini', '--acp')).toBe('gemini');
  expect(acp('node', '/home/ada/node_modules/@google/gemini-cli/bundle/gemini.js', '--acp')).toBe('gemini');
  expect(acp('node', 'agent.mjs')).toBeNull();
  expect(acp('my-agent', '--style', 'gemini')).toBeNull();
  expect(knownAs({ provider: 'codex', command: ['codex'] })?.name).toBe('codex');
  expect(knownAs({ provider: 'scripted', command: [] })).toBeNull();
});

test('names and programs are unique, and what reports no money says so', () => {
  expect(new Set(KNOWN_AGENTS.map(({ name }) => name)).size).toBe(KNOWN_AGENTS.length);
  const programs = KNOWN_AGENTS.flatMap(({ command: [program] }) => program ?? []);
  expect(new Set(programs).size).toBe(programs.length);
  for (const { name, money, care } of KNOWN_AGENTS)
    expect([name, care.includes('care-no-money')]).toEqual([name, !money]);
  for (const { name, tokens, care } of KNOWN_AGENTS)
    expect([name, care.includes('care-no-tokens')]).toEqual([name, tokens === 'no']);
});
