// A whole workflow with Codex for real: its own program with real tools, several of them side by side. Only the model is scripted, on
// 127.0.0.1.
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { run, say } from './fake-openai.ts';
import { codexPlace } from './harness-codex-lab.ts';
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

/** A model whose name Codex does not know has a shell, and no tool for patches. */
const writing = (path: string, text: string): string =>
  `mkdir -p ${dirname(path)} && cat > ${path} <<'END'\n${text}END\n`;

test('a workflow of several Codexes goes from plan to commit, with the models that the configuration means', async () => {
  const beside = sideBySide();
  const place = await codexPlace(async (asked) => {
    const { role, output } = aboutOf(asked);
    if (asked.heard.some(({ kind }) => kind === 'tool-result')) return say(LINES[role] ?? '');
    await beside(role);
    const code = role === 'generator' ? writing('src/greet.mjs', GREETING) : '';
    return run(`${code}${writing(output, PAPERS[role] ?? '')}`);
  });
  forOneTask(place, 'models: { opus: gpt-strong, sonnet: gpt-quick }\n');
  await throughTheGates(place);
  const asked = place.fake.asked.map((one) => ({ ...aboutOf(one), model: one.model }));
  expectIsolation(asked);
  expect(asked.find(({ role }) => role === 'architect')?.model).toBe('gpt-strong');
  expect(asked.find(({ role }) => role === 'generator')?.model).toBe('gpt-quick');
});
