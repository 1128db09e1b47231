// One plan from start to merge with the real programs: a process for each role, real tools. Only the models are scripted, on 127.0.0.1. The repositories
// differ in one value of the configuration: the agent.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FIRST, FIXED, forOneDelivery, fromPlanToMerge, lastWords, SOURCE, TEST, TESTED } from './delivery-lab.ts';
import { say as claudeSays } from './fake-anthropic.ts';
import { run, say as codexSays, type Asked as CodexAsked } from './fake-openai.ts';
import { codexPlace } from './harness-codex-lab.ts';
import { harnessPlace, tools } from './harness-lab.ts';
import { requestOf } from './mission-lab.ts';

/** Roles in the order in which their sessions began. */
const inOrder = (asked: readonly { readonly role: string; readonly results: readonly string[] }[]): readonly string[] =>
  asked.filter(({ results }) => results.length === 0).map(({ role }) => role);

test('Claude takes a plan from start to merge, and its reviewer can change nothing', async () => {
  const place = await harnessPlace(() => (asked) => {
    const { role, workdir, attempt, results } = requestOf(asked);
    const write = (path: string, content: string) => ['Write', { file_path: join(workdir, path), content }] as const;
    if (results.length > 0) return claudeSays(lastWords(role, attempt));
    if (role === 'implementer') return tools(write(SOURCE, FIRST), write(TEST, TESTED));
    if (role === 'fixer') return tools(['Read', { file_path: join(workdir, SOURCE) }], write(SOURCE, FIXED));
    if (role === 'reviewer')
      return tools(write(SOURCE, 'EDITED\n'), ['Bash', { command: `echo EDITED > ${SOURCE}`, description: 'write' }]);
    return tools(['Read', { file_path: join(workdir, SOURCE) }]);
  });
  forOneDelivery(place);
  const all = () => place.fake.asked.map(requestOf);
  await fromPlanToMerge(place, () => inOrder(all()));
  const refused = all().filter(({ role, results }) => role === 'reviewer' && results.length > 0);
  expect(refused.length).toBeGreaterThan(0);
  for (const { results } of refused)
    for (const result of results) expect(result).toMatch(/No such tool available|refused this call/);
  for (const { role, text } of all()) if (role === 'fixer') expect(text).not.toContain('SAID-LOW');
}, 180_000);

const aboutCodex = ({ heard }: CodexAsked) => {
  const text = heard.flatMap((one) => (one.kind === 'text' ? [one.text] : [])).join('\n');
  const of = (name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(text)?.[1] ?? '';
  const results = heard.flatMap((one) => (one.kind === 'tool-result' ? [one.text] : []));
  return { role: of('ROLE'), attempt: Number(of('ATTEMPT')), text, results };
};
const writing = (path: string, text: string): string => `mkdir -p src tests && cat > ${path} <<'END'\n${text}END\n`;

test('Codex takes a plan from start to merge, and its reviewer can change nothing', async () => {
  const place = await codexPlace((asked) => {
    const { role, attempt, results } = aboutCodex(asked);
    if (results.length > 0) return codexSays(lastWords(role, attempt));
    if (role === 'implementer') return run(writing(SOURCE, FIRST) + writing(TEST, TESTED));
    if (role === 'fixer') return run(writing(SOURCE, FIXED));
    return run(role === 'reviewer' ? `echo EDITED > ${SOURCE}; cat ${SOURCE}` : `cat ${SOURCE}`);
  });
  forOneDelivery(place);
  const all = () => place.fake.asked.map(aboutCodex);
  await fromPlanToMerge(place, () => inOrder(all()));
  const tried = all().filter(({ role, results }) => role === 'reviewer' && results.length > 0);
  expect(tried.length).toBeGreaterThan(0);
  for (const { results } of tried) expect(results.join('\n')).not.toMatch(/^EDITED$/m);
  for (const { role, text } of all()) if (role === 'fixer') expect(text).not.toContain('SAID-LOW');
}, 180_000);
