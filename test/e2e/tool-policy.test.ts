// Tools of agents under the rules: refused, reported, counted; calls without permission are found; servers of tools get their secrets.
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { PROGRAM } from '../support/repo.ts';
import { expectExit, session, work, workshop } from './workshop.ts';

type Event = { readonly type?: string; readonly t?: string; readonly [key: string]: unknown };
/** The program with another variable of the person's environment. Its exit code must be 0. */
const called = (args: readonly string[], how: { readonly cwd: string; readonly env: NodeJS.ProcessEnv }) =>
  promisify(execFile)(process.execPath, [PROGRAM, ...args], how);
const lines = (text: string): readonly Event[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Event);

test('an agent that asks to publish and to write elsewhere is refused with a reason, and the honest work lands', async () => {
  const adversarial = session(
    1,
    { run: { command: 'git push origin main', ask: true } },
    { run: { command: 'cd .. && echo x > outside.txt', ask: true } },
    { run: { command: "sh -c 'rm -rf .git'", via: 'client' } },
    { write: { path: '../written.txt', text: 'x', ask: true } },
    { write: { path: '.harness/session_state.json', text: '{}', ask: true } },
    { ask_permission: { command: 'sudo true', allowed: [{ write: { path: 'sudo.txt', text: '' } }] } },
    { run: { command: 'cat README.md 2>/dev/null | wc -l', ask: true } },
    ...work(1),
  );
  const shop = workshop({ sessions: [adversarial] });
  const ran = await shop.harness('run', '--json');
  expectExit(ran, 0);
  expect(ran.json()).toMatchObject({ result: 'landed', landed: ['1'] });
  expect(['outside.txt', 'written.txt'].map((name) => existsSync(join(shop.around, name)))).toEqual([false, false]);
  expect(existsSync(join(shop.root, 'sudo.txt'))).toBe(false);

  const rules = ['git-push', 'outside-the-lane', 'git-folder', 'outside-the-lane', 'harness-file', 'privilege'];
  const told = lines(shop.read('.harness/logs/events.jsonl')).filter(({ type }) => type === 'tool-denied');
  expect(told.map(({ data }) => (data as { rule: string }).rule)).toEqual(rules);
  const events = lines(shop.read('.harness/sessions/1/events.jsonl'));
  expect(events.filter((event) => event.t === 'permission' && event['decision'] === 'deny')).toHaveLength(6);
  const answers = events.filter((event) => event.t === 'tool-end').map((event) => String(event['output']));
  expect(answers[0]).toContain('(git-push): "git push origin main" publishes. The harness pushes accepted work.');
  expect(answers[2]).toContain('(git-folder)');
  const record = JSON.parse(shop.read('.harness/sessions/1/session.json')) as unknown;
  expect(record).toMatchObject({ result: 'landed', tool_denials: 6, tool_violations: [] });
});

test('what was done without asking is a warning with what it was about, and the work is judged by what is there', async () => {
  const shop = workshop({ sessions: [session(1, { run: 'echo x > ../left-behind.txt' }, ...work(1))] });
  const ran = await shop.harness('run');
  expectExit(ran, 0);
  expect(ran.stderr).toContain('rule violated without asking (outside-the-lane): execute ../left-behind.txt');
  expect(JSON.parse(shop.read('.harness/sessions/1/session.json'))).toMatchObject({
    tool_denials: 0,
    tool_violations: ['execute: outside-the-lane: ../left-behind.txt'],
  });
  const told = lines(shop.read('.harness/logs/events.jsonl')).filter(({ type }) => type === 'tool-violation');
  expect(told).toMatchObject([
    { session: 1, data: { rule: 'outside-the-lane', about: '../left-behind.txt', done: true } },
  ]);
  expect(shop.read('claude-progress.txt')).toContain('1 tool calls against the rules');
});

test('a server of tools needs its variables before a session starts, and what they hold is never shown', async () => {
  const config = 'tools: { mcp_servers: { db: { command: npx, config: { connection_string: "${SHOP_DATABASE}" } } } }';
  const value = 'the-plain-words-that-open-it';
  const shop = workshop({ sessions: [session(1, { say: `I saw ${value}.` }, ...work(1))], config });
  const without = await shop.harness('run', '--json');
  expect(without.code).not.toBe(0);
  expect(without.stdout + without.stderr).toMatch(
    /SHOP_DATABASE is not set, but tools\.mcp_servers\.db\.env\.CONNECTION_STRING/,
  );
  expect(existsSync(join(shop.root, '.harness/sessions/1/prompt-1.md'))).toBe(false);

  const ran = await called(['run', '--json'], { cwd: shop.root, env: { ...shop.env, SHOP_DATABASE: value } });
  expect(JSON.parse(ran.stdout)).toMatchObject({ landed: ['1'] });
  const kept = shop.read('.harness/sessions/1/events.jsonl');
  expect(kept).toContain('[masked:SHOP_DATABASE_SECRET]');
  expect(kept + ran.stdout + ran.stderr + shop.read('.harness/logs/events.jsonl')).not.toContain(value);
  expect(readFileSync(join(shop.root, 'claude-progress.txt'), 'utf8')).not.toContain(value);
});

test('an unknown key of the tools is named', async () => {
  const shop = workshop({ sessions: [], config: 'tools: { shell: { denied_command: [sudo] } }' });
  const ran = await shop.harness('config', 'check');
  expect(ran.code).toBe(2);
  expect(ran.stdout + ran.stderr).toContain(
    'tools.shell.denied_command: is not a known key. Did you mean denied_commands?',
  );
});
