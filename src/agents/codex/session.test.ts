// The adapter against a scripted program that speaks the protocol badly.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AgentEvent } from '../../model/event.ts';
import type { AgentSession, SessionSpec } from '../port.ts';
import { findOrphans } from '../../host/process-tree.ts';
import { openSession } from './session.ts';

const RAW = fileURLToPath(new URL('../../../test/fixtures/agents/raw-codex.mjs', import.meta.url));
let root = '';
let token = '';
let events: AgentEvent[] = [];
let session: AgentSession | null = null;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'codex-'));
  mkdirSync(join(root, 'lane'));
  token = `codex-${randomUUID()}`;
  events = [];
});
afterEach(async () => {
  await session?.close();
  session = null;
  rmSync(root, { recursive: true, force: true });
});

function open(...argv: readonly string[]): AgentSession {
  const agent = { provider: 'codex', model: null, command: [], env: {}, scenario: null } as const;
  const [cwd, home, env] = [join(root, 'lane'), join(root, 'home'), { PATH: '/usr/bin:/bin' }];
  const spec: SessionSpec = { agent, mode: 'exec', cwd, token, env, resume: null, home };
  session = openSession(argv, spec, () => ({ allow: true }), 100);
  return session;
}
const raw = (how: string): AgentSession => open(process.execPath, RAW, how);
const turn = (of: AgentSession) => of.turn('go', (event) => events.push(event));

describe('nothing is taken for success but the word for it', () => {
  test.each([
    ['an unknown status', 'status', 'agent-malformed'],
    ['an interruption without a request', 'interrupted', 'agent-unknown'],
    ['a success with an error', 'completed-with-error', 'agent-unknown'],
    ['a thread without a name', 'nameless', 'agent-malformed'],
    ['a sandbox that is not the one asked for', 'open', 'agent-not-configured'],
    ['another program', 'gibberish', 'agent-malformed'],
    ['a program that exits at once', 'dies', 'agent-crashed'],
  ])('%s fails the turn', async (_, how, reason) => {
    const result = await turn(raw(how));
    expect(result).toMatchObject({ end: 'agent-failed', failure: { reason } });
    expect(JSON.stringify(result)).not.toContain('\\u001b');
  });

  test('the end of another turn is not the end of this one', async () => {
    expect(await turn(raw('another'))).toMatchObject({ end: 'end-turn', text: 'the right one' });
  });

  test('a missing program is not installed', async () => {
    expect(await turn(open('no-such-codex-here'))).toMatchObject({
      end: 'agent-failed',
      failure: { reason: 'agent-not-installed', params: { why: 'not-found' } },
    });
  });
});

test('unknown notifications are ignored, and a tool of an unknown kind is still a tool', async () => {
  expect(await turn(raw('unknown'))).toMatchObject({ end: 'end-turn', text: 'still here', usage: { source: 'none' } });
  expect(events).toEqual([
    { t: 'session', id: 't', version: '9.8.7' },
    { t: 'tool-start', id: 'i', name: 'telepathy', input: { path: null } },
    { t: 'tool-end', id: 'i', ok: true, output: '' },
    { t: 'text', text: 'still here' },
  ]);
});

test('where the program’s own sandbox does not work the session continues without it, with a notice', async () => {
  expect(await turn(raw('unconfined'))).toMatchObject({ end: 'end-turn' });
  expect(events).toEqual([
    { t: 'session', id: 't', version: '9.8.7' },
    { t: 'notice', text: 'no-sandbox' },
  ]);
});

test('a call without a reported end has failed', async () => {
  expect(await turn(raw('open-ended'))).toMatchObject({ end: 'end-turn' });
  expect(events.at(-1)).toEqual({ t: 'tool-end', id: 'i', ok: false, output: '' });
});

test('a malformed request for approval is refused, and the refusal reported', async () => {
  expect(await turn(raw('asks-badly'))).toMatchObject({ text: 'decline decline decline' });
  expect(events.filter((event) => event.t === 'permission')).toMatchObject([
    { tool: 'exec_command', decision: 'deny', why: 'command-unreadable' },
    { tool: 'exec_command', decision: 'deny', why: 'command-unreadable' },
    { tool: 'apply_patch', decision: 'deny', why: 'command-unreadable' },
  ]);
});

test('a program that ignores an interrupt is ended with its turn', async () => {
  const deaf = raw('deaf');
  const running = turn(deaf);
  await expect.poll(() => events.length).toBe(1);
  await deaf.abort();
  expect(await running).toMatchObject({ end: 'aborted' });
  expect(findOrphans(token)).toEqual([]);
  expect(await turn(deaf)).toMatchObject({ end: 'agent-failed', failure: { reason: 'agent-crashed' } });
});
