// Briefs and prompts: what an agent is told, and what it is never told.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { feature, fileOf } from '../../../test/support/features.ts';
import { memoryWorld } from '../../../test/support/memory-world.ts';
import { briefs } from './briefs.ts';
import { estimateTokens } from '../session/tokens.ts';

const commands = {
  init: './init.sh',
  reset: './reset.sh',
  feature: 'pytest {test_file} -v',
  full: 'pytest',
  sanity: ['ruff check src/'],
};

test('a coding brief has the summary, what to mend first, and the exact commands', async () => {
  const world = memoryWorld({
    files: { 'features.json': fileOf([feature(1, { test_file: "tests/it's $& one.py" })]) },
  });
  const first = [{ code: 'check-failed', params: { check: 'lint' } }];
  const text = await briefs.coding(world, { item: '1', session: 1, first, commands });
  expect(text.startsWith('## Current State')).toBe(true);
  expect(text).toContain('## Mend This First\n- check-failed (check: lint)');
  expect(text).toContain(`## Commands
- Start the environment: \`./init.sh\`
- If that fails, reset it and start again: \`./reset.sh\`
- Sanity check: \`ruff check src/\`
- Test of this feature: \`pytest 'tests/it'\\''s $& one.py' -v\`
- Whole suite: \`pytest\``);
});

test('a brief without a configured command does not speak of it', async () => {
  const world = memoryWorld({ files: { 'features.json': fileOf([feature(1)]) } });
  expect(await briefs.coding(world, { item: '1', session: 1 })).not.toContain('## Commands');
});

test('a cleanup brief lists what was measured', async () => {
  const text = await briefs.cleanup(memoryWorld({ files: {} }), {
    session: 11,
    largeFiles: [{ path: 'src/api/routes.py', lines: 523 }],
    growingFiles: [{ path: 'src/user.py', lines: 180, sessions: 3 }],
    lint: { count: 12, tail: 'F401 unused\n```\n' },
    commands,
  });
  expect(text).toContain('- src/api/routes.py (523 lines, limit 500)');
  expect(text).toContain('- src/user.py (+180 lines in 3 sessions)');
  expect(text).toContain('**Lint warnings:** 12 total\n````\nF401 unused\n```\n````');
});

test('an initializer brief carries the specification so that it cannot close its own block', async () => {
  const world = memoryWorld({ files: { 'SPEC.md': '# App\n\n```js\ncode\n```\n' } });
  const text = await briefs.initializer(world, { project: 'p', spec: { path: 'SPEC.md' }, commands });
  expect(text).toContain('## Specification (`SPEC.md`)\n\n````\n# App');
  const long = await briefs.initializer(world, { spec: { path: 'SPEC.md', text: 'x'.repeat(90_000) } });
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
