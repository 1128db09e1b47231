// Briefs and prompts: what they say, and what they never say.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { configOf } from '../../../test/support/config.ts';
import { feature, fileOf } from '../../../test/support/features.ts';
import { memoryWorld, type Files } from '../../../test/support/memory-world.ts';
import { facts } from '../../../test/support/outcomes.ts';
import { contextOf } from '../../../test/support/read-context.ts';
import { openingSay, writeBrief } from '../../engine/definitions.ts';
import type { Config } from '../../model/config.ts';
import type { Problem } from '../../model/verdict.ts';
import { estimateTokens } from '../../model/tokens.ts';
import { cleanup, coding, initializer, orientationOf } from './briefs.ts';

const sanity = { health: null, lint: 'ruff check src/', typeCheck: null, quick: null };
const config = configOf({ testing: { sanity } });
const bare = configOf({
  environment: { init: null, reset: null },
  testing: { feature: null, full: null, sanity: { ...sanity, lint: null } },
});
const codingText = (files: Files, given: Config, first: readonly Problem[] = []): Promise<string> =>
  coding.text(
    contextOf(memoryWorld({ files }), given),
    orientationOf({ facts: facts({ id: '1' }), firstTask: first, session: 1 }),
  );

test('a coding brief has the summary, what to fix first, and the exact commands', async () => {
  const files = { 'features.json': fileOf([feature(1, { test_file: "tests/it's $& one.py" })]) };
  const text = await codingText(files, config, [{ code: 'check-failed', params: { check: 'lint' } }]);
  expect(text.startsWith('## Current State')).toBe(true);
  expect(text).toContain('**Health:** 1 thing to fix first');
  expect(text).toContain('## Fix This First\n- Check lint failed.');
  expect(text).toContain(`## Commands
- Start the environment: \`./init.sh\`
- If that fails, reset it and start again: \`./reset.sh\`
- Sanity check: \`ruff check src/\`
- Test of this feature: \`pytest 'tests/it'\\''s $& one.py' -v\`
- Whole suite: \`pytest\``);
});

test('a command that is not configured is not mentioned', async () => {
  const text = await codingText({ 'features.json': fileOf([feature(1)]) }, bare);
  expect(text).not.toContain('## Commands');
  expect(text).not.toContain('## Fix This First');
});

test('a test command for all features is named as it is', async () => {
  const given = configOf({ testing: { feature: 'make test' } });
  expect(await codingText({ 'features.json': fileOf([feature(1)]) }, given)).toContain('- Tests: `make test`');
});

test('only on a list without claims does the prompt say that the end of the turn is the claim', async () => {
  const tasks = configOf({
    playbook: { backlog: 'tasks', machine: 'features' },
    paths: { backlog: 'harness-tasks.json' },
  });
  const list = JSON.stringify({ tasks: [{ id: '1', title: 'A queue', status: 'pending' }] });
  const note = '## This List Is Kept By The Harness';
  expect(await codingText({ 'harness-tasks.json': list }, tasks)).toContain(note);
  expect(await codingText({ 'features.json': fileOf([feature(1)]) }, config)).not.toContain(note);
});

test('a brief is written from its stored input', async () => {
  const say = openingSay(coding, orientationOf({ facts: facts({ id: '1' }), firstTask: [], session: 1 }));
  const files = { 'features.json': fileOf([feature(1)]) };
  const context = contextOf(memoryWorld({ files }), config);
  if (say.kind !== 'open') throw new Error('an opening says what the session is about');
  expect(await writeBrief(say.brief, context, JSON.parse(JSON.stringify(say.input)))).toBe(
    await codingText(files, config),
  );
});

test('a cleanup brief lists what was measured', async () => {
  const context = contextOf(memoryWorld({ files: {} }), config);
  const largeFiles = [{ path: 'src/api/routes.py', lines: 523 }];
  const text = await cleanup.text(context, { largeFiles, lint: { tail: 'F401 unused\n```\n' } });
  expect(text).toContain('- src/api/routes.py (523 lines, limit 500)');
  expect(text).toContain('**Lint warnings:**\n````\nF401 unused\n```\n````');
  expect(text).toContain('- Whole suite: `pytest`');
  expect(text).not.toContain('pytest {test_file}');
  expect(await cleanup.text(context, { largeFiles: [], lint: null })).toContain('None were measured');
});

test('an initializer brief carries the specification so that it cannot close its own block', async () => {
  const context = contextOf(memoryWorld({ files: {} }), config);
  const spec = { path: 'SPEC.md', text: '# App\n\n```js\ncode\n```\n' };
  const text = await initializer.text(context, { spec });
  expect(text).toContain('## Specification (`SPEC.md`)\n\n````\n# App');
  expect(text).toContain('**Project:** my-api');
  expect(text).toContain('at most 7');
  const long = await initializer.text(context, { spec: { ...spec, text: 'x'.repeat(90_000) } });
  expect(long.length).toBeLessThan(61_000);
  expect(long).toContain('read the rest in `SPEC.md`');
});

describe.each(['initializer', 'coding', 'continuation', 'cleanup'])('the %s prompt', (role) => {
  const text = readFileSync(new URL(`../../../prompts/features/${role}.md`, import.meta.url), 'utf8');
  const [, front = '', body = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];

  test('says who it is for in its front matter', () => {
    const head = parse(front) as { output: { contract: string } };
    expect(head).toMatchObject({ role, mode: 'exec', model: role, tools: ['read', 'write', 'shell'] });
    expect(['files', 'markdown']).toContain(head.output.contract);
  });
  test('asks for no commit, points to the brief, is short and the same for every session', () => {
    expect(body).not.toMatch(/git (add|commit|push)|make .*commit/i);
    expect(body).toMatch(/leave git alone/);
    expect(body.replace(/\s+/g, ' ')).toContain('"This session"');
    expect(body).not.toMatch(/\{\{|\$\{/);
    expect(estimateTokens(body)).toBeLessThan(2_200);
  });
});
