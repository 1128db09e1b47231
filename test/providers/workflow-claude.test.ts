// A whole workflow with Claude for real: its own program with real tools, several of them side by side. Only the model is scripted, on
// 127.0.0.1, and every request of it is what really reached an agent.
import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { call, say, type Asked } from './fake-anthropic.ts';
import { harnessPlace, tools, type Place } from './harness-lab.ts';

const MODELS = { haiku: 'claude-haiku-4-5', sonnet: 'claude-sonnet-4-5', opus: 'claude-opus-4-5' } as const;

/** What the request is of, as its prompt says. */
const about = (asked: Asked): { readonly role: string; readonly output: string; readonly text: string } => {
  const text = `${asked.system}\n${asked.heard.flatMap((one) => (one.kind === 'text' ? [one.text] : [])).join('\n')}`;
  const of = (name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(text)?.[1] ?? '';
  return { role: of('ROLE'), output: of('OUTPUT'), text };
};

const GREETING = "export const greet = () => 'hello';\n";
const LINES: { readonly [role: string]: string } = {
  'convention-scanner': 'conventions written — few',
  architect: 'proposal written — one module',
  'senior-developer': 'proposal written — one function',
  synthesis: 'spec written — greet says hello',
  'lead-developer': 'plan written — one file',
  'combined-advisor': 'review written — fine',
  generator: 'code changed — greet says hello',
  evaluator: 'PASS — it says hello',
};
const PAPERS: { readonly [role: string]: string } = {
  'convention-scanner': '# Conventions\n\n- ES modules\n',
  architect: 'PROPOSAL-OF-THE-ARCHITECT\n',
  'senior-developer': 'PROPOSAL-OF-THE-SENIOR\n',
  synthesis: '# Spec\n\ngreet() says hello.\n',
  'lead-developer': 'PLAN-OF-THE-LEAD\n',
  'combined-advisor': 'REVIEW-OF-THE-ADVISOR\n',
  generator: '# Changes\n\n- `src/greet.mjs` — REASON-OF-THE-GENERATOR\n',
  evaluator: '# QA\n\n### Verdict: PASS\n',
};

/** A repository for one workflow, with a real test of its own. */
async function workflowPlace(): Promise<Place> {
  const waiting = new Map<string, () => void>();
  const both = Promise.all(
    ['architect', 'senior-developer'].map((role) => new Promise<void>((resolve) => waiting.set(role, resolve))),
  );
  let root = '';
  const place = await harnessPlace((at) => {
    root = at;
    return async (asked) => {
      const { role, output } = about(asked);
      if (asked.heard.some(({ kind }) => kind === 'tool-result')) return say(LINES[role] ?? '');
      // Nobody who proposes is answered before the other one is at work as well.
      waiting.get(role)?.();
      if (waiting.has(role)) await both;
      const paper = { file_path: join(root, output), content: PAPERS[role] ?? '' };
      if (role !== 'generator') return call('Write', paper);
      return tools(['Write', { file_path: join(root, 'src/greet.mjs'), content: GREETING }], ['Write', paper]);
    };
  });
  const { repo } = place;
  for (const path of ['features.json', 'tests/part.test.mjs', 'claude-progress.txt'])
    rmSync(join(repo.root, path), { force: true });
  const config = repo.read('.harness.yaml');
  const agent = /^ {2}default: (.*)$/m.exec(config)?.[1] ?? '';
  mkdirSync(dirname(join(repo.root, 'src/x')), { recursive: true });
  repo.write('.harness.yaml', `playbook: workflow\nagents:\n  default: ${agent}\nmodels: ${JSON.stringify(MODELS)}\n`);
  repo.write('package.json', '{ "name": "words", "scripts": { "test": "node --test tests/" } }\n');
  repo.write(
    'tests/greet.test.mjs',
    "import { test } from 'node:test';\nimport assert from 'node:assert';\nimport { greet } from '../src/greet.mjs';\ntest('greets', () => assert.equal(greet(), 'hello'));\n",
  );
  repo.git('add', '-A');
  repo.git('commit', '-q', '-m', 'one task');
  return place;
}

test('a workflow of several Claudes goes from plan to commit; each has the model of its role, and nobody hears what is not for them', async () => {
  const place = await workflowPlace();
  const { repo, fake, alive } = place;
  const run = async (...args: string[]) => {
    const { code, stderr } = await place.start(args).ended;
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

  const firsts = fake.asked.map((asked) => ({ ...about(asked), model: asked.model }));
  const models = Object.fromEntries(firsts.map(({ role, model }) => [role, model]));
  expect(models).toEqual({
    'convention-scanner': MODELS.opus,
    architect: MODELS.opus,
    'senior-developer': MODELS.opus,
    synthesis: MODELS.opus,
    'lead-developer': MODELS.sonnet,
    'combined-advisor': MODELS.opus,
    generator: MODELS.sonnet,
    evaluator: MODELS.opus,
  });
  const heardBy = (role: string): string => firsts.find((one) => one.role === role)?.text ?? '';
  for (const role of ['architect', 'senior-developer']) expect(heardBy(role)).not.toMatch(/PROPOSAL-OF|PLAN-OF/);
  expect(heardBy('evaluator')).toContain('src/greet.mjs');
  expect(heardBy('evaluator')).not.toMatch(/REASON-OF|PLAN-OF|REVIEW-OF|PROPOSAL-OF|greet says hello/);
});
