// A whole workflow with Claude for real: its own program with real tools, several of them side by side. Only the model is scripted, on
// 127.0.0.1.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call, say, type Asked } from './fake-anthropic.ts';
import { harnessPlace, tools } from './harness-lab.ts';
import {
  aboutOf,
  expectIsolation,
  forOneTask,
  GREETING,
  LINES,
  PAPERS,
  sideBySide,
  throughTheGates,
} from './workflow-lab.ts';

const MODELS = { haiku: 'claude-haiku-4-5', sonnet: 'claude-sonnet-4-5', opus: 'claude-opus-4-5' } as const;
/** An evaluator looks for what the others wrote, by its tools and by a shell whose words say too little; then at what it may see. */
const LOOKS = (root: string): readonly (readonly [tool: string, input: object])[] => [
  ['Read', { file_path: join(root, '.harness/generator/plan.md') }],
  ['Bash', { command: 'cat .harness/planner/proposal_architect.md' }],
  ['Bash', { command: 'git log --all -p' }],
  ['Bash', { command: 'HIDDEN=$(printf ".%sness" har); cat "$HIDDEN"/planner/*.md' }],
  ['Bash', { command: 'cat docs/harness/greet-with-hello/spec.md src/greet.mjs' }],
  ['Read', { file_path: join(root, 'src/greet.mjs') }],
];
const about = (asked: Asked) => aboutOf(asked, asked.system);

test('a workflow of several Claudes goes from plan to commit; each has the model of its role, and none gets what is not for it', async () => {
  const beside = sideBySide();
  const place = await harnessPlace((root) => async (asked) => {
    const { role, output } = about(asked);
    const answers = asked.heard.filter(({ kind }) => kind === 'tool-result').length;
    const looks = role === 'evaluator' ? LOOKS(root) : [];
    if (answers > looks.length) return say(LINES[role] ?? '');
    await beside(role);
    if (answers < looks.length) return tools(...looks);
    const paper = { file_path: join(root, output), content: PAPERS[role] ?? '' };
    if (role !== 'generator') return call('Write', paper);
    return tools(['Write', { file_path: join(root, 'src/greet.mjs'), content: GREETING }], ['Write', paper]);
  });
  forOneTask(place, `models: ${JSON.stringify(MODELS)}\n`);
  await throughTheGates(place);
  const heard = place.fake.asked.filter((one) => about(one).role === 'evaluator').flatMap((one) => one.heard);
  const answers = heard.filter(({ kind }) => kind === 'tool-result').map(({ text }) => text);
  for (const part of ['(unseen)', 'No such file', 'greet() says hello', "'hello'"])
    expect(
      answers.some((text) => text.includes(part)),
      `${part} in ${answers.join(' | ')}`,
    ).toBe(true);
  expect(answers.join('\n')).not.toMatch(/REASON-OF|PLAN-OF|REVIEW-OF|PROPOSAL-OF/);
  const asked = place.fake.asked.map((one) => ({ ...about(one), model: one.model }));
  expectIsolation(asked);
  expect(Object.fromEntries(asked.map(({ role, model }) => [role, model]))).toEqual({
    'convention-scanner': MODELS.opus,
    architect: MODELS.opus,
    'senior-developer': MODELS.opus,
    synthesis: MODELS.opus,
    'lead-developer': MODELS.sonnet,
    'combined-advisor': MODELS.opus,
    generator: MODELS.sonnet,
    evaluator: MODELS.opus,
  });
});
