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
const about = (asked: Asked) => aboutOf(asked, asked.system);

test('a workflow of several Claudes goes from plan to commit; each has the model of its role, and none gets what is not for it', async () => {
  const beside = sideBySide();
  const place = await harnessPlace((root) => async (asked) => {
    const { role, output } = about(asked);
    if (asked.heard.some(({ kind }) => kind === 'tool-result')) return say(LINES[role] ?? '');
    await beside(role);
    const paper = { file_path: join(root, output), content: PAPERS[role] ?? '' };
    if (role !== 'generator') return call('Write', paper);
    return tools(['Write', { file_path: join(root, 'src/greet.mjs'), content: GREETING }], ['Write', paper]);
  });
  forOneTask(place, `models: ${JSON.stringify(MODELS)}\n`);
  await throughTheGates(place);
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
