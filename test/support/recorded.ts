// The repository that the committed cassettes were recorded in, and a replay of one in it: no key, no provider, no network.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect } from 'vitest';
import { workshop, type Workshop } from '../e2e/workshop.ts';

export const CASSETTES = resolve(import.meta.dirname, '../fixtures/cassettes');

/** How each was recorded. The configuration is part of the tree, so it names the provider and nothing of a machine. */
export const RECORDED = {
  claude: {
    agent: '{ provider: claude, model: claude-sonnet-4-5 }',
    flags: ['--until-done', '--max-sessions', '2', '--json'],
  },
} as const;

/** A role of its own: the shipped prompts may change without a new recording. */
const ROLE = `---
role: coding
---

# You implement one feature

What it is stands under "This session". Write it and its test, run the test, set passes to true; leave git alone.
`;

export const recordedProject = (name: keyof typeof RECORDED): Workshop =>
  workshop({ agent: RECORDED[name].agent, sessions: [], files: { '.harness-prompts/features/coding.md': ROLE } });

/** Replays a cassette in a repository of its own, and holds it against what the cassette says of its end. */
export async function replayed(name: keyof typeof RECORDED, cassette: string): Promise<Workshop> {
  const shop = recordedProject(name);
  const lines = readFileSync(cassette, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly t: string; readonly tree: unknown });
  expect(shop.git('rev-parse', 'HEAD^{tree}')).toBe(lines[0]?.tree);
  const ran = await shop.harness('run', '--provider', 'replay', '--cassette', cassette, ...RECORDED[name].flags);
  expect([ran.code, ran.json()], ran.stderr).toMatchObject([6, { landed: ['1', '2'] }]);
  expect(shop.git('rev-parse', 'HEAD^{tree}')).toBe(lines.at(-1)?.tree);
  expect([shop.git('status', '--porcelain'), shop.processes()]).toEqual(['', []]);
  return shop;
}
