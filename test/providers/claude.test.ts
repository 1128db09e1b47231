// Claude for real: the official SDK and its own program, real tools on disk, only the model is scripted.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { claudeRunner } from '../../src/agents/claude/runner.ts';
import type { Reason } from '../../src/model/reasons.ts';
import { call, fail, say, type Script, type Step } from './fake-anthropic.ts';
import { always } from './model-server.ts';
import { appears, claudeLab, HAS_BOX, holds, KEYS_OUT_OF_SHELLS, runTurn, type Lab } from './lab.ts';

let lab: Lab | null = null;
const open = async (...args: Parameters<typeof claudeLab>): Promise<Lab> => (lab = await claudeLab(...args));
afterEach(async () => {
  await lab?.close();
  lab = null;
});

const BUSY = "process.on('SIGTERM',()=>{});require('fs').writeFileSync('begun','');setTimeout(()=>{},600000)";
const busy = call('Bash', { command: `node -e "${BUSY}"`, description: 'wait' });
const detached = call('Bash', {
  command: `setsid nohup node -e "${BUSY}" >/dev/null 2>&1 & wait`,
  description: 'wait',
});
const ENV = call('Bash', { command: 'env > env.txt', description: 'env' });
const write = (lane: string, name: string): Step => call('Write', { file_path: join(lane, name), content: 'hi' });

describe('the runner', () => {
  const agent = (env: { readonly [name: string]: string }) =>
    ({ provider: 'claude', model: null, command: [], env, scenario: null }) as const;

  test('finds the package and names its version', async () => {
    expect(await claudeRunner.probe(agent({}))).toEqual({ ready: true, version: '0.3.329' });
  });

  test('reports a missing login without a request, and a key is enough', async () => {
    const home = mkdtempSync(join(tmpdir(), 'claude-home-'));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    const env = { PATH: process.env['PATH'] ?? '', HOME: home };
    expect(await claudeRunner.lacksLogin?.(agent({}), env)).toMatchObject({ reason: 'agent-auth' });
    expect(await claudeRunner.lacksLogin?.(agent({}), { ...env, ANTHROPIC_API_KEY: 'a-key' })).toBeNull();
  });

  test.skipIf(HAS_BOX)('names what boxes shells where somebody asked for it and it is missing', async () => {
    expect(await claudeRunner.probe(agent(KEYS_OUT_OF_SHELLS))).toMatchObject({
      ready: false,
      failure: { reason: 'agent-not-installed', params: { why: 'box-missing' } },
    });
  });
});

describe('a turn', () => {
  test('writes a file and runs a command with real tools, and says so in order', async () => {
    const {
      lane,
      open: start,
      fake,
    } = await open((lane) => [
      write(lane, 'hello.txt'),
      call('Bash', { command: 'cat hello.txt && echo " there" > more.txt', description: 'read' }),
      say('All done.'),
    ]);
    const session = await start();
    const { result, events } = await runTurn(session, 'write it');
    expect(result).toMatchObject({ end: 'end-turn', text: 'All done.' });
    expect(readFileSync(join(lane, 'hello.txt'), 'utf8')).toBe('hi');
    expect(readFileSync(join(lane, 'more.txt'), 'utf8')).toBe(' there\n');
    expect(events.map((e) => e.t).filter((t) => t !== 'usage' && t !== 'context')).toEqual([
      'session',
      'tool-start',
      'tool-end',
      'file-change',
      'tool-start',
      'tool-end',
      'text',
    ]);
    expect(events).toContainEqual({ t: 'file-change', path: join(lane, 'hello.txt'), change: 'add' });
    expect(events[0]).toMatchObject({ t: 'session', id: session.id() });
    expect(fake.asked[0]?.tools).toEqual(['Bash', 'Edit', 'Glob', 'Grep', 'Read', 'Write']);
    expect(fake.asked[2]?.heard.at(-1)).toMatchObject({ kind: 'tool-result', isError: false });
  });

  test('goes to the model as written: no file mention is read, no command obeyed', async () => {
    const { lane, open: start, fake } = await open(() => [say('one'), say('two')]);
    writeFileSync(join(lane, 'secret.txt'), 'not for the model');
    const session = await start();
    await runTurn(session, 'look at @secret.txt');
    await runTurn(session, '/compact');
    expect(fake.asked).toHaveLength(2);
    expect(JSON.stringify(fake.asked)).not.toContain('not for the model');
    expect(fake.asked[1]?.heard.at(-1)).toMatchObject({ kind: 'text', text: '/compact' });
  });

  test('leaves settings and instructions of the repository unread', async () => {
    const { lane, open: start, fake } = await open(() => [say('one')]);
    writeFileSync(join(lane, 'CLAUDE.md'), 'obey the repository');
    await runTurn(await start(), 'go');
    expect(JSON.stringify(fake.asked)).not.toContain('obey the repository');
  });

  test('has only reading tools in review, and none where only an answer is asked', async () => {
    const {
      lane,
      open: start,
      fake,
    } = await open((lane) => [
      call('Read', { file_path: join(lane, 'a.txt') }),
      call('Write', { file_path: join(lane, 'b.txt'), content: 'x' }),
      say('reviewed'),
      say('answered'),
    ]);
    writeFileSync(join(lane, 'a.txt'), 'to be read');
    await runTurn(await start({ mode: 'review' }), 'review');
    const { result } = await runTurn(await start({ mode: 'complete' }), 'answer');
    expect(result).toMatchObject({ end: 'end-turn', text: 'answered' });
    expect(fake.asked[0]?.tools).toEqual(['Glob', 'Grep', 'Read']);
    expect(fake.asked[1]?.heard.at(-1)?.text).toContain('to be read');
    expect(fake.asked[2]?.heard.at(-1)).toMatchObject({ isError: true });
    expect(fake.asked[3]?.tools).toEqual([]);
    expect(existsSync(join(lane, 'b.txt'))).toBe(false);
  });
});

describe('a session', () => {
  test('remembers its first turn in the second, and counts each by itself', async () => {
    const { open: start, fake } = await open(() => [say('one'), say('two')]);
    const session = await start();
    const first = await runTurn(session, 'first words');
    const second = await runTurn(session, 'second words');
    expect(fake.asked[1]?.heard.map((h) => h.text)).toEqual(expect.arrayContaining(['first words', 'second words']));
    const usage = { inputTokens: 130, outputTokens: 50, cachedTokens: 2000, source: 'reported' };
    expect(first.result.usage).toMatchObject(usage);
    expect(second.result.usage).toEqual(first.result.usage);
    expect(second.result.usage.costUsd).toBeGreaterThan(0);
    expect(second.events.map((e) => e.t)).not.toContain('session');
  });

  test('hears an injected word inside the running turn', async () => {
    const {
      lane,
      open: start,
      fake,
    } = await open((lane) => [
      call('Bash', {
        command: `node -e "const f=require('fs');f.writeFileSync('begun','');const t=setInterval(()=>{if(f.existsSync('go')){clearInterval(t)}},10)"`,
        description: 'wait',
      }),
      write(lane, 'x.txt'),
      say('heard'),
    ]);
    const session = await start();
    const turn = runTurn(session, 'go');
    await appears(join(lane, 'begun'), turn);
    expect(await session.inject('mind the gap')).toBe('delivered');
    writeFileSync(join(lane, 'go'), '');
    expect((await turn).result).toMatchObject({ end: 'end-turn', text: 'heard' });
    expect(JSON.stringify(fake.asked.at(-1)?.heard)).toContain('mind the gap');
    expect(fake.asked).toHaveLength(3);
  });

  test('answers a word that came too late before the turn is over', async () => {
    const { open: start, fake } = await open(() => [say('one'), say('answer to the late word')]);
    const session = await start();
    const { result } = await runTurn(session, 'go', (event) => {
      if (event.t === 'text' && event.text === 'one') void session.inject('a late word');
    });
    expect(result).toMatchObject({ end: 'end-turn', text: 'answer to the late word', usage: { inputTokens: 260 } });
    expect(fake.asked[1]?.heard.at(-1)?.text).toContain('a late word');
  });

  test('keeps a word between turns for the next one', async () => {
    const { open: start, fake } = await open(() => [say('one'), say('two')]);
    const session = await start();
    await runTurn(session, 'first');
    expect(await session.inject('in between')).toBe('next-turn');
    await runTurn(session, 'second');
    expect(fake.asked[1]?.heard.at(-1)?.text).toBe('in between\n\nsecond');
  });

  test('continues after its processes were killed, and does not count twice', async () => {
    const {
      lane,
      open: start,
      fake,
      kill,
      alive,
      transcript,
    } = await open((lane) => [say('one'), busy, write(lane, 'x.txt'), say('back')]);
    const first = await start();
    await runTurn(first, 'first words');
    const turn = runTurn(first, 'second words');
    await appears(join(lane, 'begun'), turn);
    // The program writes its transcript a moment after a tool has begun.
    await holds(() => transcript().includes('second words'), 'the prompt is in the transcript', turn);
    kill();
    const { result } = await turn;
    expect(result).toMatchObject({ end: 'agent-failed', failure: { reason: 'agent-crashed', policy: 'retry' } });
    expect(result.usage).toMatchObject({ inputTokens: 130, source: 'partial' });
    expect(await runTurn(first, 'anyone?')).toMatchObject({ result: { end: 'agent-failed' } });
    await first.close();
    expect(alive()).toEqual([]);

    const second = await start({ resume: first.id() ?? '' });
    const resumed = await runTurn(second, 'go on');
    expect(second.id()).toBe(first.id());
    expect(resumed.result).toMatchObject({
      end: 'end-turn',
      text: 'back',
      usage: { inputTokens: 260, outputTokens: 100 },
    });
    expect(fake.asked[2]?.heard.map((h) => h.text)).toEqual(expect.arrayContaining(['first words', 'second words']));
    expect(existsSync(join(lane, 'x.txt'))).toBe(true);
  });

  test('resumed in peace costs what its new turn costs', async () => {
    const { open: start } = await open(() => [say('one'), say('two')]);
    const first = await start();
    const before = await runTurn(first, 'first');
    await first.close();
    const second = await start({ resume: first.id() ?? '' });
    const after = await runTurn(second, 'second');
    expect(after.result.usage).toEqual(before.result.usage);
  });

  test('that is unknown cannot be resumed', async () => {
    const { open: start } = await open(() => []);
    for (const resume of ['11111111-1111-4111-8111-111111111111', 'no id at all']) {
      const { result } = await runTurn(await start({ resume }), 'go');
      expect(result).toMatchObject({ end: 'agent-failed', failure: { reason: 'agent-session-lost' } });
    }
  });
});

describe('the tool policy', () => {
  test('denies before the call runs, with its reason for the model and an event for us', async () => {
    const {
      lane,
      open: start,
      fake,
    } = await open((lane) => [
      write(lane, 'no.txt'),
      call('Bash', { command: 'echo x > yes.txt', description: 'write' }),
      call('Read', { file_path: '/etc/hostname' }),
      say('understood'),
    ]);
    const asked: string[] = [];
    const session = await start({
      policy: (tool) => {
        asked.push(tool.tool);
        if (tool.paths.some((p) => p.endsWith('no.txt') || p.startsWith('/etc')))
          return { allow: false, why: 'path-denied', params: { about: 'it' }, say: 'hands off' };
        return { allow: true };
      },
    });
    const { result, events } = await runTurn(session, 'go');
    expect(result.end).toBe('end-turn');
    expect(asked).toEqual(['Write', 'Bash', 'Read']);
    expect(existsSync(join(lane, 'no.txt'))).toBe(false);
    expect(existsSync(join(lane, 'yes.txt'))).toBe(true);
    for (const request of [1, 3]) {
      expect(fake.asked[request]?.heard.at(-1)).toMatchObject({ kind: 'tool-result', isError: true });
      expect(fake.asked[request]?.heard.at(-1)?.text).toContain('hands off');
    }
    expect(events.filter((e) => e.t === 'permission')).toEqual([
      { t: 'permission', tool: 'Write', decision: 'deny', why: 'path-denied', about: 'it' },
      { t: 'permission', tool: 'Read', decision: 'deny', why: 'path-denied', about: 'it' },
    ]);
  });

  test('that throws denies', async () => {
    const { lane, open: start } = await open((lane) => [write(lane, 'no.txt'), say('understood')]);
    const session = await start({
      policy: () => {
        throw new Error('a broken policy');
      },
    });
    const { events } = await runTurn(session, 'go');
    expect(existsSync(join(lane, 'no.txt'))).toBe(false);
    expect(events).toContainEqual({
      t: 'permission',
      tool: 'Write',
      decision: 'deny',
      why: 'command-unreadable',
      about: 'a broken policy',
    });
  });

  test('commands see the key of the provider by default', async () => {
    const { lane, open: start } = await open(() => [ENV, say('ok')]);
    await runTurn(await start(), 'go');
    expect(readFileSync(join(lane, 'env.txt'), 'utf8')).toContain('dummy-key-of-a-test');
  });

  test.skipIf(!HAS_BOX)('commands run without the key of the provider on request (needs bwrap and socat)', async () => {
    const { lane, open: start } = await open(() => [ENV, say('ok')], { env: KEYS_OUT_OF_SHELLS });
    await runTurn(await start(), 'go');
    expect(readFileSync(join(lane, 'env.txt'), 'utf8')).not.toContain('dummy-key-of-a-test');
  });

  test.skipIf(HAS_BOX)(
    'without bwrap and socat a session that keeps the key from commands says what is missing',
    async () => {
      const { open: start } = await open(() => [], { env: KEYS_OUT_OF_SHELLS });
      const { result } = await runTurn(await start(), 'go');
      expect(result).toMatchObject({
        end: 'agent-failed',
        failure: { reason: 'agent-not-installed', params: { why: 'box-missing' } },
      });
    },
  );
});

describe('an end by force', () => {
  test('aborts a turn in the middle of a command, leaves no command behind, and the session continues', async () => {
    const { lane, open: start, alive } = await open(() => [busy, say('still here')]);
    const session = await start();
    const turn = runTurn(session, 'go');
    await appears(join(lane, 'begun'), turn);
    await session.abort();
    const { result } = await turn;
    expect(result).toMatchObject({ end: 'aborted', usage: { inputTokens: 130 } });
    expect(alive().filter((command) => command.includes('600000'))).toEqual([]);
    expect((await runTurn(session, 'and now?')).result).toMatchObject({ end: 'end-turn', text: 'still here' });
  });

  test('closes in the middle of a command that left its group, and leaves no process', async () => {
    const { lane, open: start, alive } = await open(() => [detached]);
    const session = await start();
    const turn = runTurn(session, 'go');
    await appears(join(lane, 'begun'), turn);
    await session.close();
    expect((await turn).result.end).toBe('aborted');
    expect(alive()).toEqual([]);
    await session.close();
    expect((await runTurn(session, 'anyone?')).result.end).toBe('agent-failed');
  });

  test('aborts a turn while the model is silent, and one that has hardly begun', async () => {
    const { open: start, fake } = await open(() => always({ does: 'hang' }));
    const session = await start();
    const silent = runTurn(session, 'go');
    await fake.requests(1);
    await session.abort();
    expect((await silent).result.end).toBe('aborted');
    const young = runTurn(session, 'go');
    await session.abort();
    expect((await young).result.end).toBe('aborted');
    await session.abort();
  });
});

describe('a failure', () => {
  const retryOnce = { CLAUDE_CODE_MAX_RETRIES: '1' };
  const rows: readonly {
    readonly what: string;
    readonly step: Step;
    readonly reason: Reason;
    readonly env?: { readonly [name: string]: string };
  }[] = [
    { what: '401', step: fail(401, 'authentication_error', 'invalid x-api-key'), reason: 'agent-auth' },
    { what: '403', step: fail(403, 'permission_error', 'no'), reason: 'agent-auth' },
    { what: '404', step: fail(404, 'not_found_error', 'model'), reason: 'agent-not-configured' },
    {
      what: '400 prompt is too long',
      step: fail(400, 'invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum'),
      reason: 'agent-context-full',
    },
    {
      what: '400 credit balance',
      step: fail(400, 'invalid_request_error', 'Your credit balance is too low to access the Anthropic API.'),
      reason: 'agent-billing',
    },
    { what: '400 of another kind', step: fail(400, 'invalid_request_error', 'what'), reason: 'agent-unknown' },
    {
      what: '429 with a long wait',
      step: fail(429, 'rate_limit_error', 'slow down', { 'retry-after': '90' }),
      reason: 'agent-rate-limited',
    },
    { what: '500', step: fail(500, 'api_error', 'oops'), reason: 'agent-overloaded' },
    { what: '529', step: fail(529, 'overloaded_error', 'Overloaded'), reason: 'agent-overloaded' },
    { what: 'a cut stream', step: { does: 'cut' }, reason: 'agent-network' },
    { what: 'a web page', step: { does: 'html' }, reason: 'agent-malformed' },
    { what: 'no answer', step: { does: 'hang' }, reason: 'agent-timeout', env: { API_TIMEOUT_MS: '1000' } },
    {
      what: 'a refusal',
      step: { does: 'say', parts: [{ type: 'text', text: 'no' }], stop: 'refusal' },
      reason: 'agent-refused',
    },
    { what: 'no key', step: say('never asked'), reason: 'agent-auth', env: { ANTHROPIC_API_KEY: '' } },
  ];

  test.each(rows)('$what is $reason', async ({ step, reason, env = {} }) => {
    const { open: start } = await open(() => always(step), { env });
    const { result } = await runTurn(await start(), 'go');
    expect(result).toMatchObject({ end: 'agent-failed', failure: { reason } });
  });

  test('a port without a listener is agent-network', async () => {
    const { open: start } = await open(() => [], { url: 'http://127.0.0.1:9' });
    const { result } = await runTurn(await start(), 'go');
    expect(result).toMatchObject({ end: 'agent-failed', failure: { reason: 'agent-network' } });
  });

  test('a wrong key is tried once, however often the program would', async () => {
    const { open: start, fake } = await open(() => always(fail(401, 'authentication_error', 'invalid')), {
      env: { CLAUDE_CODE_MAX_RETRIES: '10' },
    });
    const { result } = await runTurn(await start(), 'go');
    expect(result).toMatchObject({ failure: { reason: 'agent-auth', policy: 'needs-human' } });
    expect(fake.asked.length).toBeLessThanOrEqual(2);
  });

  test('a rate limit reports its waiting time where the program does', async () => {
    const { open: start } = await open(
      () => always(fail(429, 'rate_limit_error', 'slow down', { 'retry-after': '1' })),
      { env: retryOnce },
    );
    const { result, events } = await runTurn(await start(), 'go');
    const params = result.end === 'agent-failed' ? result.failure.params : {};
    expect(params['retryAfterMs']).toBeGreaterThanOrEqual(1000);
    expect(events).toContainEqual(expect.objectContaining({ t: 'retry', why: 'agent-rate-limited', attempt: 1 }));
  });

  test('of a subscription reports how much of its window is used', async () => {
    const resets = Math.floor(Date.now() / 1_000) + 3_600;
    const headers = {
      'anthropic-ratelimit-unified-status': 'allowed_warning',
      'anthropic-ratelimit-unified-representative-claim': 'five_hour',
      'anthropic-ratelimit-unified-reset': String(resets),
      'anthropic-ratelimit-unified-5h-status': 'allowed_warning',
      'anthropic-ratelimit-unified-5h-utilization': '0.93',
      'anthropic-ratelimit-unified-5h-reset': String(resets),
      'anthropic-ratelimit-unified-5h-surpassed-threshold': '0.9',
    };
    const env = { ANTHROPIC_API_KEY: '', CLAUDE_CODE_OAUTH_TOKEN: 'sk-ant-oat01-of-a-test' };
    const { open: start } = await open(() => always({ ...say('hello'), headers } as Step), { env });
    const { events } = await runTurn(await start(), 'go');
    const resetsAt = new Date(resets * 1_000).toISOString();
    expect(events).toContainEqual({ t: 'quota', window: '5h', used: 0.93, resetsAt });
  });

  test('leaves the session fit for the next turn', async () => {
    const script: Script = [fail(403, 'permission_error', 'no'), say('better')];
    const { open: start } = await open(() => script);
    const session = await start();
    expect((await runTurn(session, 'go')).result.end).toBe('agent-failed');
    expect((await runTurn(session, 'go')).result).toMatchObject({ end: 'end-turn', text: 'better' });
  });
});
