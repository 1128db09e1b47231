// Owns a repository for one workflow whose agents are real ones, and what a model says in the place of each role. Every request is what
// really reached an agent.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Place } from './harness-lab.ts';

type Heard = { readonly heard: readonly { readonly kind: string; readonly text: string }[] };
/** What a request is of, as its prompt says. */
export type About = { readonly role: string; readonly output: string; readonly text: string };
export function aboutOf({ heard }: Heard, system = ''): About {
  const text = `${system}\n${heard.flatMap((one) => (one.kind === 'text' ? [one.text] : [])).join('\n')}`;
  const of = (name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(text)?.[1] ?? '';
  return { role: of('ROLE'), output: of('OUTPUT'), text };
}

export const GREETING = "export const greet = () => 'hello';\n";
export const LINES: { readonly [role: string]: string } = {
  'convention-scanner': 'conventions written — few',
  architect: 'proposal written — one module',
  'senior-developer': 'proposal written — one function',
  synthesis: 'spec written — greet says hello',
  'lead-developer': 'plan written — one file',
  'combined-advisor': 'review written — fine',
  generator: 'code changed — greet says hello',
  evaluator: 'PASS — it says hello',
};
export const PAPERS: { readonly [role: string]: string } = {
  'convention-scanner': '# Conventions\n\n- ES modules\n',
  architect: 'PROPOSAL-OF-THE-ARCHITECT\n',
  'senior-developer': 'PROPOSAL-OF-THE-SENIOR\n',
  synthesis: '# Spec\n\ngreet() says hello.\n',
  'lead-developer': 'PLAN-OF-THE-LEAD\n',
  'combined-advisor': 'REVIEW-OF-THE-ADVISOR\n',
  generator: '# Changes\n\n- `src/greet.mjs` — REASON-OF-THE-GENERATOR\n',
  evaluator: '# QA\n\n### Verdict: PASS\n',
};

/** A session that proposes is answered only once the other one is at work as well. */
export function sideBySide(): (role: string) => Promise<void> {
  const coming = new Map<string, () => void>();
  const both = Promise.all(
    ['architect', 'senior-developer'].map((role) => new Promise<void>((resolve) => coming.set(role, resolve))),
  );
  return async (role) => {
    coming.get(role)?.();
    if (coming.has(role)) await both;
  };
}

const TEST = `import { test } from 'node:test';
import assert from 'node:assert';
import { greet } from '../src/greet.mjs';
test('greets', () => assert.equal(greet(), 'hello'));
`;

/** One task is to be done here, with a real test of its own. `more`: lines of the configuration. */
export function forOneTask({ repo }: Pick<Place, 'repo'>, more: string): void {
  for (const path of ['features.json', 'tests/part.test.mjs', 'claude-progress.txt'])
    rmSync(join(repo.root, path), { force: true });
  const agent = /^ {2}default: (.*)$/m.exec(repo.read('.harness.yaml'))?.[1] ?? '';
  repo.write('.harness.yaml', `playbook: workflow\nagents:\n  default: ${agent}\n${more}`);
  repo.write('package.json', '{ "name": "words", "scripts": { "test": "node --test tests/" } }\n');
  repo.write('tests/greet.test.mjs', TEST);
  repo.git('add', '-A');
  repo.git('commit', '-q', '-m', 'one task');
}

/** From the first command to the commit, with a person's answers between. */
export async function throughTheGates({ repo, start, alive }: Omit<Place, 'fake'>): Promise<void> {
  const run = async (...args: string[]) => {
    const { code, stderr } = await start(args).ended;
    return [code, stderr] as const;
  };
  const begun = ['workflow', 'Greet with hello', '--mode', 'standard', '--model-config', 'balanced', '--no-input'];
  expect(await run(...begun)).toEqual([8, expect.stringContaining('synthesis: spec written — greet says hello')]);
  expect(await run('answer', 'spec', 'proceed')).toMatchObject([0, '']);
  expect(await run('run', '--no-input')).toEqual([8, expect.stringContaining('evaluator: PASS — it says hello')]);
  expect(await run('answer', 'commit', 'code-only')).toMatchObject([0, '']);
  expect(await run('run', '--no-input')).toEqual([0, expect.stringContaining('landed')]);
  expect(repo.git('log', '-1', '--format=%s', '--name-only').split('\n').filter(Boolean)).toEqual([
    'feat: Greet with hello',
    'src/greet.mjs',
  ]);
  expect([repo.git('status', '--porcelain'), alive()]).toEqual(['', []]);
}

/** Proposals are independent, and the evaluator judges without a word from the session that did the work. */
export function expectIsolation(asked: readonly About[]): void {
  const heardBy = (role: string): string => asked.find((one) => one.role === role)?.text ?? '';
  for (const role of ['architect', 'senior-developer']) expect(heardBy(role)).not.toMatch(/PROPOSAL-OF|PLAN-OF/);
  expect(heardBy('evaluator')).toContain('src/greet.mjs');
  expect(heardBy('evaluator')).not.toMatch(/REASON-OF|PLAN-OF|REVIEW-OF|PROPOSAL-OF|greet says hello/);
}
