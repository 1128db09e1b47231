// Agents that a user adds: installed into the data folder, found there by a run, and nothing counts that was not installed to its end.
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { expectExit, honest, workshop, type Workshop } from './workshop.ts';

const DIST = resolve(import.meta.dirname, '../../dist');
/** The scripted agent under another maker's name, as npm would install it: a script of Node. */
const PROGRAM = `#!/usr/bin/env node
process.argv.splice(2, 9, '--scenario', new URL('scenario.json', import.meta.url).pathname, '--home', '/tmp/home-of-agent');
await import('./scripted.mjs');
`;
/** Copied: the box of the agent shows what is installed, and not every folder that this program may be in. */
function copyScripted(to: string): void {
  cpSync(join(DIST, 'scripted.mjs'), join(to, 'scripted.mjs'));
  const chunks = readdirSync(join(DIST, 'chunks')).filter((name) => name.startsWith('scripted-'));
  for (const name of chunks) cpSync(join(DIST, 'chunks', name), join(to, 'chunks', name));
}

/** In front of PATH: `npm install --prefix FOLDER … PACKAGE` that copies what is prepared, or fails. */
function withNpm(shop: Workshop, script: string): string {
  const folder = join(shop.around, 'tools');
  mkdirSync(join(folder, 'prepared'), { recursive: true });
  writeFileSync(join(folder, 'npm'), `#!/bin/sh\necho "$@" >> '${folder}/called'\n${script}\n`);
  chmodSync(join(folder, 'npm'), 0o755);
  writeFileSync(join(folder, 'prepared/program.mjs'), PROGRAM);
  copyScripted(join(folder, 'prepared'));
  chmodSync(join(folder, 'prepared/program.mjs'), 0o755);
  writeFileSync(join(folder, 'prepared/scenario.json'), JSON.stringify({ schema: 1, sessions: honest }));
  shop.env['PATH'] = [folder, shop.env['PATH']].join(delimiter);
  return folder;
}
const INSTALLS = `tools=$(dirname "$0")
cp -r "$tools/prepared" node_modules
mkdir node_modules/.bin && ln -s ../program.mjs node_modules/.bin/opencode`;

test('an added agent is in the data folder, and a run works with it', async () => {
  const shop = workshop({ agent: '{ provider: acp, command: [opencode, acp] }' });
  const tools = withNpm(shop, INSTALLS);
  const before = await shop.harness('run', '--json');
  expectExit(before, 5);
  expect(before.stdout + before.stderr).toContain('harness agents add opencode');
  // Found before anything that costs time, and nothing of it is left.
  expect(existsSync(join(shop.root, '.harness/logs/events.jsonl'))).toBe(false);
  expect((await shop.harness('status', '--json')).json()).toMatchObject({ session: 0 });

  const added = await shop.harness('agents', 'add', 'opencode', '--json');
  expectExit(added, 0);
  const folder = join(shop.env['HOME'] ?? '', '.local/share/harness/agents/opencode');
  expect(added.json()).toMatchObject({ agent: 'opencode', folder, made: true });
  expect(readFileSync(join(tools, 'called'), 'utf8')).toContain(`--prefix ${folder} `);
  expect(shop.git('status', '--porcelain')).toBe('');

  const listed = (await shop.harness('agents', '--json')).json() as { agents: readonly { name: string }[] };
  expect(listed.agents.find(({ name }) => name === 'opencode')).toMatchObject({ place: 'added', used_as: ['default'] });
  const checked = await shop.harness('agents', 'check', '--json');
  expectExit(checked, 0);
  expect(checked.json()).toMatchObject({ agents: [{ name: 'opencode', starts: true, place: 'added' }] });

  const ran = await shop.harness('run', '--json');
  expectExit(ran, 0);
  expect(ran.json()).toMatchObject({ landed: ['1'], items: [{ session: 1 }] });
  expect(shop.processes()).toEqual([]);
});

test('an installation that failed or was cut counts for nothing, and its words are shown', async () => {
  const shop = workshop({ agent: '{ provider: acp, command: [opencode, acp] }' });
  withNpm(shop, `${INSTALLS}\necho 'npm error 404 no such version' >&2; exit 1`);
  const failed = await shop.harness('agents', 'add', 'opencode@9.9.9');
  expectExit(failed, 5);
  expect(failed.stderr).toContain('npm error 404 no such version');
  expect(existsSync(join(shop.env['HOME'] ?? '', '.local/share/harness/agents/opencode/node_modules'))).toBe(true);
  const listed = (await shop.harness('agents', '--json')).json() as { agents: readonly { name: string }[] };
  expect(listed.agents.find(({ name }) => name === 'opencode')).toMatchObject({ installed: false });
});

test('agents need no repository, and what cannot be added says what to do', async () => {
  const shop = workshop();
  const elsewhere = dirname(shop.root);
  const listed = await shop.harness('-C', elsewhere, 'agents');
  expectExit(listed, 0);
  for (const name of ['claude', 'codex', 'gemini', 'qwen', 'copilot', 'goose']) expect(listed.stdout).toContain(name);
  const goose = await shop.harness('agents', 'add', 'goose');
  expectExit(goose, 5);
  expect(goose.stderr).toContain('https://');
  const unknown = await shop.harness('agents', 'add', 'no-such-agent');
  expectExit(unknown, 2);
  expect(unknown.stderr).toContain('opencode');
});
