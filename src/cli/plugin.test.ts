// The plugin for Claude Code and the snippet for AGENTS.md name commands that exist, and the plugin's files are whole.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { COMMANDS } from './commands.ts';
import { packageVersion } from '../host/package-root.ts';
import { agentsSnippet, pluginFolder } from '../app/setup/skill.ts';

const commands = join(pluginFolder(), 'commands');
const texts = readdirSync(commands).map((name) => ({ name, text: readFileSync(join(commands, name), 'utf8') }));

test('every command of the program that they name exists', () => {
  const all = [...texts.map(({ text }) => text), agentsSnippet()].join('\n');
  const named = [...all.matchAll(/[`(]harness ([a-z-]+)/g)].map(([, word = '']) => word);
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((word) => !Object.hasOwn(COMMANDS, word))).toEqual([]);
  const own = new Set(texts.map(({ name }) => name.replace('.md', '')));
  const slashed = [...all.matchAll(/\/harness:([a-z-]+)/g)].map(([, word = '']) => word);
  expect(slashed.filter((word) => !own.has(word))).toEqual([]);
});

test('each has a description and may only do what it says; what spends money or decides is never allowed beforehand but where it is asked for', () => {
  for (const { name, text } of texts) {
    expect(text, name).toMatch(/^---\ndescription: \S.*\nargument-hint: ".*"\nallowed-tools: .*\n---\n\n/);
    const [, allowed = ''] = /^allowed-tools: (.*)$/m.exec(text) ?? [];
    if (name !== 'run.md')
      expect(allowed, name).not.toMatch(/harness (run|answer|approve|reject|stop|abort|override|skip):/);
  }
});

test('the plugin has the version of the package', () => {
  const read = (file: string): unknown =>
    JSON.parse(readFileSync(join(pluginFolder(), '.claude-plugin', file), 'utf8'));
  expect(read('plugin.json')).toMatchObject({ name: 'harness', version: packageVersion() });
  expect(read('marketplace.json')).toMatchObject({ plugins: [{ name: 'harness', source: './' }] });
});
