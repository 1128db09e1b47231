// The adapter against a scripted agent that speaks the protocol badly.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AgentEvent } from '../../model/event.ts';
import { toolPolicy } from '../policy.ts';
import type { AgentSession, SessionSpec } from '../port.ts';
import { findOrphans } from '../../host/process-tree.ts';
import { openAcpSession } from './session.ts';

const RAW = fileURLToPath(new URL('../../../test/fixtures/agents/raw-agent.mjs', import.meta.url));
let root = '';
let lane = '';
let token = '';
let events: AgentEvent[] = [];
let session: AgentSession | null = null;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'acp-'));
  lane = join(root, 'lane');
  mkdirSync(lane);
  token = `acp-${randomUUID()}`;
  events = [];
});
afterEach(async () => {
  await session?.close();
  session = null;
  rmSync(root, { recursive: true, force: true });
});

function open(how: string, args: readonly string[] = [], more: Partial<SessionSpec> = {}): AgentSession {
  const agent = { provider: 'acp', model: null, command: [], env: {}, scenario: null } as const;
  const env = { PATH: '/usr/bin:/bin' };
  const spec: SessionSpec = { agent, mode: 'exec', cwd: lane, token, env, resume: null, home: root, ...more };
  // Under load the agent's own pauses grow.
  const patient = how === 'late' ? { drainMs: 300 } : {};
  const command = [process.execPath, RAW, how, ...args];
  session = openAcpSession({ spec, policy: toolPolicy(spec.cwd, spec.mode), command, abortGraceMs: 200, ...patient });
  return session;
}
const turn = (of: AgentSession) => of.turn('go', (event) => events.push(event));
const saidJson = (text: string): unknown => JSON.parse(text);

describe('order', () => {
  test('updates after the response still belong to the turn', async () => {
    const result = await turn(open('late'));
    expect(result).toMatchObject({ end: 'end-turn', text: 'after the answer' });
    expect(result.usage).toMatchObject({ inputTokens: 500, costUsd: 0.5, source: 'partial' });
    expect(events.map((event) => event.t)).toEqual(['session', 'text', 'context', 'usage']);
  });
  test('earlier updates complete the tool call of a permission request', async () => {
    const result = await turn(open('permission'));
    expect(saidJson(result.text)).toEqual([
      { outcome: 'selected', optionId: 'no' },
      { outcome: 'selected', optionId: 'once' },
      { outcome: 'cancelled' },
    ]);
    expect(events.map((event) => event.t)).toEqual([
      'session',
      'tool-start',
      'permission',
      'permission',
      'permission',
      'text',
    ]);
    expect(events.filter((event) => event.t === 'permission')).toMatchObject([
      { decision: 'deny', why: 'git-push', about: 'git push' },
      { decision: 'allow' },
      { decision: 'deny', why: 'no-option-for-once' },
    ]);
  });
  test('a text injected between turns is sent before the next prompt', async () => {
    const of = open('echo');
    await expect(of.inject('listen')).resolves.toBe('next-turn');
    expect((await turn(of)).text).toBe('listen|go');
    expect((await turn(of)).text).toBe('go');
  });
});

describe('its mode', () => {
  const CLAUDE = ['auto', 'default', 'acceptEdits', 'plan', 'bypassPermissions'];
  const CODEX = ['agent', 'read-only', 'workspace-write', 'agent-full-access'];
  test.each([
    ['asks, where it begins in one in which it decides by itself', 'exec', ['modes', ...CLAUDE], 'default was set'],
    ['asks, where none is called default', 'exec', ['modes', ...CODEX], 'workspace-write was set'],
    ['stays, where it asks already', 'exec', ['modes', 'default', 'yolo'], 'default'],
    ['stays, where no other one is known to ask', 'exec', ['modes', 'build', 'plan'], 'build'],
    ['is an option of the session, where it is only there', 'exec', ['options', ...CLAUDE], 'm=default was set'],
    ['only reads in a review', 'review', ['modes', ...CLAUDE], 'plan was set'],
  ] as const)('%s', async (_what, mode, args, seen) => {
    expect(await turn(open('modes', args, { mode }))).toMatchObject({ text: seen });
  });
  test('is set in a session that continues too, whose history is no part of the turn', async () => {
    const of = open('modes', ['modes', ...CLAUDE], { resume: { id: 's0', costUsd: null } });
    expect(await turn(of)).toMatchObject({ text: 'default was set' });
    expect(events.map((event) => event.t)).toEqual(['session', 'text']); // nothing of the history that it reports
  });
});

describe('what we do for the agent', () => {
  test('files are only written inside the lane, links included', async () => {
    mkdirSync(join(lane, '.git'));
    symlinkSync(root, join(lane, 'out'));
    symlinkSync(join(root, 'nowhere'), join(lane, 'dangling'));
    const wanted = ['new/a.txt', '../b', '.git/config', '.harness/x', 'out/c', 'dangling', '/etc/harness-test'];
    const paths = wanted.map((path) => (path.startsWith('/') ? path : `${lane}/${path}`));
    const result = await turn(open('files', paths));
    expect(saidJson(result.text)).toEqual([
      'ok',
      'outside-the-lane',
      'git-folder',
      'harness-file',
      'outside-the-lane',
      'unreadable-path',
      'outside-the-lane',
      'written by the agent',
    ]);
    expect(readFileSync(join(lane, 'new/a.txt'), 'utf8')).toBe('written by the agent');
    expect([existsSync(join(root, 'b')), existsSync(join(root, 'c')), existsSync(join(root, 'nowhere'))]).toEqual([
      false,
      false,
      false,
    ]);
    expect(events).toContainEqual({ t: 'file-change', path: 'new/a.txt', change: 'add' });
  });
  test('a review writes nothing', async () => {
    const result = await turn(open('files', [`${lane}/a.txt`], { mode: 'review' }));
    expect(saidJson(result.text)).toEqual(['mode-only-reads', 'no']);
  });
  test('commands run in the lane under the policy, and a released terminal does not exist any more', async () => {
    const result = await turn(open('terminal'));
    expect(saidJson(result.text)).toEqual([0, '42\ngiven\n', 'terminal-unknown', 'privilege']);
  });
});

describe('failures', () => {
  test('text instead of the protocol is malformed, from a running agent and from one that has exited', async () => {
    for (const how of ['garbage', 'garbage-and-exit']) {
      const of = open(how);
      expect(await turn(of)).toMatchObject({
        end: 'agent-failed',
        failure: { reason: 'agent-malformed', params: { what: 'not-the-protocol' } },
      });
      await of.close();
    }
  });
  test('one line of banner is accepted and shown', async () => {
    expect(await turn(open('banner'))).toMatchObject({ end: 'end-turn', text: 'hello' });
    expect(events).toContainEqual({ t: 'notice', text: 'Welcome to the agent!' });
  });
  test('another version of the protocol is refused', async () => {
    const params = { what: 'protocol-version', expected: 1, found: 2 };
    expect(await turn(open('version'))).toMatchObject({ failure: { reason: 'agent-malformed', params } });
  });
  test('an unknown stop reason is malformed, a refusal needs a human', async () => {
    expect(await turn(open('odd-stop'))).toMatchObject({ failure: { reason: 'agent-malformed' } });
    await session?.close();
    expect(await turn(open('refusal'))).toMatchObject({ failure: { reason: 'agent-refused' } });
  });
  test('a running agent that closed its output counts as crashed', async () => {
    expect(await turn(open('closed-output'))).toMatchObject({ failure: { reason: 'agent-crashed' } });
  });
  test('a session that this agent cannot resume is lost', async () => {
    expect(await turn(open('echo', [], { resume: { id: 's0', costUsd: null } }))).toMatchObject({
      failure: { reason: 'agent-session-lost' },
    });
  });
  test('a session that an agent fails to open again for a reason of its own is lost too, so that a new one starts', async () => {
    const lost = await turn(open('lost', [], { resume: { id: 's0', costUsd: null } }));
    expect(lost).toMatchObject({ failure: { reason: 'agent-session-lost', params: { session: 's0', code: -32603 } } });
  });
  test('a missing lane is not a missing program', async () => {
    const params = { why: 'no-such-folder' };
    expect(await turn(open('echo', [], { cwd: join(root, 'nowhere') }))).toMatchObject({ failure: { params } });
  });
});

test('an agent that ignores cancel, TERM and the end of its input is ended with its detached child', async () => {
  const of = open('deaf');
  const running = turn(of);
  await expect.poll(() => events.some((event) => event.t === 'text')).toBe(true);
  await expect.poll(() => findOrphans(token).length).toBeGreaterThan(1);
  await of.abort();
  expect(await running).toMatchObject({ end: 'aborted' });
  expect(findOrphans(token)).toEqual([]);
});
