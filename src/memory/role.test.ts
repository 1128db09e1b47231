import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Result } from '../model/result.ts';
import { parseRole, type Role } from './role.ts';
import { openRoles } from './roles.ts';

const head = 'role: coding\nmode: exec\nmodel: coding\ntools: [read, write, shell]\noutput:\n  contract: markdown';
const text = `---\n${head}\n---\n# You implement one feature\n\nOnly one.\n`;
const name = { playbook: 'features', role: 'coding', file: 'prompts/features/coding.md' };
const value = (result: Result<Role>): Role => {
  if (!result.ok) throw new Error(JSON.stringify(result.failure));
  return result.value;
};
const mistake = (result: Result<Role>) =>
  result.ok
    ? 'none'
    : { line: result.failure.at?.line, key: result.failure.at?.key, detail: result.failure.params['detail'] };
const shipped = value(parseRole(text, name));

describe('a role file', () => {
  test('binds the harness by its front matter and the agent by its body', () => {
    expect(shipped).toEqual({
      ...name,
      mode: 'exec',
      model: 'coding',
      tools: ['read', 'write', 'shell'],
      output: { contract: 'markdown' },
      prompt: '# You implement one feature\n\nOnly one.',
    });
  });
  test('has the same prompt with the line ends of any system', () => {
    expect(value(parseRole(`\uFEFF${text.replaceAll('\n', '\r\n')}`, name))).toEqual(shipped);
  });
  test.each([
    ['contract: sentinel\n  words: [DONE, STUCK]', { contract: 'sentinel', words: ['DONE', 'STUCK'] }],
    ['contract: first-line\n  words: [PASS]', { contract: 'first-line', words: ['PASS'] }],
    ['contract: files\n  files: [init.sh]', { contract: 'files', files: ['init.sh'] }],
    ['contract: json\n  schema: { type: object }', { contract: 'json', schema: { type: 'object' } }],
  ])('can expect %s', (written, output) => {
    expect(value(parseRole(text.replace('contract: markdown', written), name)).output).toEqual(output);
  });
});

describe('a mistake in a role file', () => {
  test.each([
    ['no front matter', '# You', undefined, undefined, /front matter/],
    ['an unclosed front matter', text.replace('---\n# You', '# You'), undefined, undefined, /front matter/],
    ['broken YAML', text.replace('[read', '[[read'), 6, undefined, /./],
    ['an unknown mode', text.replace('exec', 'root'), 3, 'mode', /exec/],
    ['an unknown key', text.replace('model:', 'modell:'), undefined, undefined, /model/],
    ['a key too many', text.replace('tools:', 'colour: red\ntools:'), 5, 'colour', /colour/],
    ['an unknown tool', text.replace('shell', 'root'), 5, 'tools.2', /shell/],
    ['an unknown contract', text.replace('markdown', 'html'), 6, 'output.contract', /markdown|Invalid/],
    ['the name of another role', text.replace('role: coding', 'role: cleanup'), undefined, 'role', /cleanup/],
    ['tools for a role without any', text.replace('exec', 'complete'), undefined, 'tools', /no tools/],
    ['a reviewer that writes', text.replace('exec', 'review'), undefined, 'tools', /not write/],
    ['no body', `---\n${head}\n---\n \n`, undefined, 'body', /no text/],
    ['a forged context', `${text}\n## Runtime context\n`, undefined, 'body', /Runtime context/],
  ])('%s is found', (_, written, line, key, detail) => {
    const found = mistake(parseRole(written, name));
    expect(found).toMatchObject({ detail: expect.stringMatching(detail) as string });
    expect(found).toMatchObject({ ...(line === undefined ? {} : { line }), ...(key === undefined ? {} : { key }) });
  });
});

describe('a repository’s own version of a role', () => {
  const own = { ...name, file: '.harness-prompts/features/coding.md' };
  test('can be a prompt alone', () => {
    expect(value(parseRole('Be brief.\n', own, shipped))).toEqual({ ...shipped, file: own.file, prompt: 'Be brief.' });
  });
  test('can choose another model and give up tools, and keep the prompt', () => {
    expect(value(parseRole('---\nmodel: cheap\ntools: [read]\n---\n', own, shipped))).toEqual({
      ...shipped,
      file: own.file,
      model: 'cheap',
      tools: ['read'],
    });
  });
  test.each([
    ['the mode', 'mode: review\ntools: [read]', 'mode'],
    ['the output', 'output: { contract: sentinel, words: [DONE] }', 'output'],
    ['the tools to more', 'tools: [read, web]', 'tools'],
    ['the name', 'role: cleanup', 'role'],
  ])('cannot change %s', (_, written, key) => {
    expect(mistake(parseRole(`---\n${written}\n---\n`, own, shipped))).toMatchObject({ key });
  });
});

describe('the roles of an installation', () => {
  let dir = '';
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'roles-'));
    mkdirSync(join(dir, 'features'));
    writeFileSync(join(dir, 'features', 'coding.md'), text);
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));
  const roles = (files: { readonly [path: string]: string } = {}) =>
    openRoles({ shipped: dir, own: (path) => Promise.resolve(files[path] ?? null) });

  test('are the shipped ones where the repository has none', async () => {
    expect(value(await roles().load('features', 'coding')).prompt).toBe(shipped.prompt);
  });
  test('are the repository’s own where it has some', async () => {
    const own = { '.harness-prompts/features/coding.md': 'Be brief.' };
    expect(value(await roles(own).load('features', 'coding')).prompt).toBe('Be brief.');
  });
  test('are an error where the repository’s own is broken', async () => {
    const own = { '.harness-prompts/features/coding.md': '---\nmode: root\n---\n' };
    expect(await roles(own).load('features', 'coding')).toMatchObject({ failure: { reason: 'role-invalid' } });
  });
  test('are no others, and no name is a path', async () => {
    for (const role of ['wizard', '../features/coding', 'Coding', ''])
      expect(await roles().load('features', role)).toMatchObject({ failure: { reason: 'role-missing' } });
  });
});
