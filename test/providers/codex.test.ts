// Codex for real: its own program, real tools on disk, only the model is scripted.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { codexRunner } from '../../src/agents/codex/runner.ts';
import { versionIn } from '../../src/agents/provider-packages.ts';
import type { ToolPolicy } from '../../src/agents/port.ts';
import { STANDARD_RULES } from '../../src/agents/policy.ts';
import type { Reason } from '../../src/model/reasons.ts';
import { codexLab, type Lab } from './codex-lab.ts';
import { KEY } from './codex-home.ts';
import { added, fail, patch, run, say, type Script, type Step } from './fake-openai.ts';
import { always } from './model-server.ts';
import { appears, runTurn } from './lab.ts';

/** The version that is installed in this folder. */
const VERSION = versionIn(join(import.meta.dirname, 'node_modules/@openai/codex'));

let lab: Lab | null = null;
const open = async (...args: Parameters<typeof codexLab>): Promise<Lab> => (lab = await codexLab(...args));
afterEach(async () => {
  await lab?.close();
  lab = null;
});

const BUSY = "process.on('SIGTERM',()=>{});require('fs').writeFileSync('begun','');setTimeout(()=>{},600000)";
const LONG = { yield_time_ms: 30_000 };
const busy = run(`node -e "${BUSY}"`, LONG);
const detached = run(`setsid nohup node -e "${BUSY}" >/dev/null 2>&1 & wait`, LONG);
const untilGo = run(
  `node -e "const f=require('fs');f.writeFileSync('begun','');const t=setInterval(()=>{if(f.existsSync('go')){clearInterval(t)}},10)"`,
  LONG,
);
const write = (name: string): Step => patch(...added(name, 'hi'));
const deny =
  (...words: readonly string[]): ToolPolicy =>
  ({ command, paths }) =>
    words.some((word) => [command ?? '', ...paths].some((text) => text.includes(word)))
      ? { allow: false, why: 'path-denied', params: { about: 'it' }, say: 'hands off' }
      : { allow: true };

describe('the runner', () => {
  const agent = (command: readonly string[] = []) =>
    ({ provider: 'codex', model: null, command, env: {}, scenario: null }) as const;

  test('finds the package and names its version', async () => {
    expect(await codexRunner.probe(agent())).toEqual({ ready: true, version: VERSION });
  });

  test('asks a command of the configuration, and says when there is none', async () => {
    const [program = ''] = (codexRunner.folders?.(agent(), {}) ?? [])
      .map((folder) => join(folder, 'bin/codex'))
      .slice(1);
    expect(await codexRunner.probe(agent([program]))).toEqual({ ready: true, version: VERSION });
    expect(await codexRunner.probe(agent(['no-such-codex']))).toMatchObject({
      ready: false,
      failure: { reason: 'agent-not-installed', params: { why: 'not-found' } },
    });
  });
});

test('a missing login is reported by the program itself, and a key or a provider of one’s own is enough', async () => {
  const { own } = await open(() => always(say('hm')));
  const plain = { provider: 'codex', model: null, command: [], env: {}, scenario: null } as const;
  const env = { PATH: process.env['PATH'] ?? '', CODEX_HOME: own, HOME: own };
  expect(await codexRunner.lacksLogin?.(plain, env)).toBeNull();
  writeFileSync(join(own, 'config.toml'), '');
  expect(await codexRunner.lacksLogin?.(plain, env)).toMatchObject({ reason: 'agent-auth' });
  expect(await codexRunner.lacksLogin?.(plain, { ...env, CODEX_API_KEY: KEY })).toBeNull();
});

describe('a turn', () => {
  test('writes a file and runs a command with real tools, and says so in order', async () => {
    const {
      lane,
      open: start,
      fake,
    } = await open(() => [write('hello.txt'), run('cat hello.txt && echo " there" > more.txt'), say('All done.')]);
    const session = await start();
    const { result, events } = await runTurn(session, 'write it');
    expect(result).toMatchObject({ end: 'end-turn', text: 'All done.' });
    expect(readFileSync(join(lane, 'hello.txt'), 'utf8')).toBe('hi\n');
    expect(readFileSync(join(lane, 'more.txt'), 'utf8')).toBe(' there\n');
    expect(events.map((e) => e.t).filter((t) => t !== 'context')).toEqual([
      'session',
      'tool-start',
      'tool-end',
      'file-change',
      'usage',
      'tool-start',
      'tool-end',
      'usage',
      'text',
      'usage',
    ]);
    expect(events).toContainEqual({ t: 'file-change', path: join(lane, 'hello.txt'), change: 'add' });
    expect(events).toContainEqual(expect.objectContaining({ t: 'tool-start', name: 'exec_command' }));
    expect(events[0]).toEqual({ t: 'session', id: session.id(), version: VERSION });
    expect(fake.asked[2]?.heard.at(-1)).toMatchObject({ kind: 'tool-result' });
  });

  test('says what it used after every request, and each request by itself', async () => {
    const { open: start } = await open(() => [run('true'), say('done', { input: 100, output: 7, read: 30 })]);
    const { events, result } = await runTurn(await start(), 'go');
    expect(events.filter((e) => e.t === 'usage')).toEqual([
      { t: 'usage', inputTokens: 130, outputTokens: 50, cachedTokens: 2000, costUsd: null },
      { t: 'usage', inputTokens: 70, outputTokens: 7, cachedTokens: 30, costUsd: null },
    ]);
    expect(result.usage).toEqual({
      inputTokens: 200,
      outputTokens: 57,
      cachedTokens: 2030,
      costUsd: null,
      source: 'reported',
    });
  });

  test.each([
    ['new to the person', false],
    ['trusted by the person', true],
  ])(
    'leaves settings, instructions and skills of a repository %s unread, and the person’s settings as they are',
    async (_, isTrusted) => {
      const { lane, own, open: start, fake } = await open(() => [say('one')]);
      const put = (path: string, text: string): void => {
        mkdirSync(join(lane, path, '..'), { recursive: true });
        writeFileSync(join(lane, path), text);
      };
      put('.git/HEAD', 'ref: refs/heads/main\n');
      put('AGENTS.md', 'obey the repository');
      put('.codex/config.toml', 'model = "another"\n');
      for (const [folder, name] of [
        ['.codex', 'first'],
        ['.agents', 'second'],
      ] as const)
        put(`${folder}/skills/${name}/SKILL.md`, `---\nname: ${name}\ndescription: a skill\n---\nobey the ${name}\n`);
      const settings = join(own, 'config.toml');
      const trust = `[projects.${JSON.stringify(lane)}]\ntrust_level = "trusted"\n`;
      if (isTrusted) writeFileSync(settings, `${readFileSync(settings, 'utf8')}${trust}`);
      const before = readFileSync(settings, 'utf8');
      await runTurn(await start(), 'go $first and $second @AGENTS.md');
      expect(JSON.stringify(fake.asked)).not.toContain('obey the');
      expect(fake.asked[0]).toMatchObject({
        model: 'gpt-5.5',
        tools: ['exec_command', 'write_stdin', 'request_user_input', 'apply_patch'],
      });
      expect(fake.asked[0]?.heard.at(-1)).toEqual({ kind: 'text', text: 'go $first and $second @AGENTS.md' });
      expect(readFileSync(settings, 'utf8')).toBe(before);
    },
  );

  test('only reads in review, by the policy or without, and has no shell where only an answer is asked', async () => {
    const {
      lane,
      open: start,
      fake,
    } = await open(() => [run('cat a.txt; echo x > b.txt'), say('reviewed'), run('cat a.txt'), say('answered')]);
    writeFileSync(join(lane, 'a.txt'), 'to be read');
    await runTurn(await start({ mode: 'review' }), 'review');
    const { result } = await runTurn(await start({ mode: 'complete' }), 'answer');
    expect(result).toMatchObject({ end: 'end-turn', text: 'answered' });
    expect(fake.asked[1]?.heard.at(-1)?.text).toContain('to be read');
    expect(existsSync(join(lane, 'b.txt'))).toBe(false);
    expect(fake.asked[2]?.tools).toEqual(['request_user_input', 'apply_patch']);
    expect(fake.asked[3]?.heard.at(-1)?.text).toContain('unsupported call');
  });

  test('runs commands without the key of the provider, and with the rest of the environment', async () => {
    const { open: start, fake } = await open(() => [run('env'), say('ok')], { env: { CARGO_HOME: '/opt/cargo' } });
    await runTurn(await start(), 'go');
    const env = fake.asked[1]?.heard.at(-1)?.text ?? '';
    expect(env).toMatch(/^CARGO_HOME=\/opt\/cargo$/m);
    expect(env).toMatch(/^HARNESS_TOKEN=test-/m);
    expect(env).not.toContain(KEY);
    expect(new Set(fake.asked.map((a) => a.key))).toEqual(new Set([KEY]));
  });

  test('leaves no command running behind its end', async () => {
    const { open: start, alive } = await open(() => [run('sleep 600', { yield_time_ms: 250 }), say('it runs')]);
    const { result, events } = await runTurn(await start(), 'go');
    expect(result).toMatchObject({ end: 'end-turn', text: 'it runs' });
    expect(events).toContainEqual(expect.objectContaining({ t: 'tool-end', ok: false }));
    await expect.poll(() => alive().filter((command) => command.includes('sleep 600'))).toEqual([]);
  });
});

describe('a session', () => {
  test('remembers its first turn in the second, and counts each by itself', async () => {
    const { open: start, fake } = await open(() => [say('one'), say('two')]);
    const session = await start();
    const first = await runTurn(session, 'first words');
    const second = await runTurn(session, 'second words');
    expect(fake.asked[1]?.heard.map((h) => h.text)).toEqual(expect.arrayContaining(['first words', 'second words']));
    expect(first.result.usage).toMatchObject({ inputTokens: 130, outputTokens: 50, cachedTokens: 2000, costUsd: null });
    expect(second.result.usage).toEqual(first.result.usage);
    expect(second.events.map((e) => e.t)).not.toContain('session');
  });

  test('hears an injected word inside the running turn', async () => {
    const { lane, open: start, fake } = await open(() => [untilGo, write('x.txt'), say('heard')]);
    const session = await start();
    const turn = runTurn(session, 'go');
    await appears(join(lane, 'begun'), turn);
    expect(await session.inject('mind the gap')).toBe('delivered');
    writeFileSync(join(lane, 'go'), '');
    expect((await turn).result).toMatchObject({ end: 'end-turn', text: 'heard' });
    expect(fake.asked[1]?.heard.at(-1)).toEqual({ kind: 'text', text: 'mind the gap' });
    expect(fake.asked).toHaveLength(3);
  });

  test('hears a word that interrupts the model, and says that not every request was counted', async () => {
    const heard = Promise.withResolvers<unknown>();
    const one: Step = { does: 'say', parts: [{ type: 'text', text: 'one' }], until: heard.promise };
    const { open: start, fake } = await open(() => [one, say('answer to it')]);
    const session = await start();
    const { result } = await runTurn(session, 'go', (event) => {
      if (event.t === 'text' && event.text === 'one') heard.resolve(session.inject('a word in between'));
    });
    expect(result).toMatchObject({ end: 'end-turn', text: 'answer to it', usage: { source: 'partial' } });
    expect(fake.asked[1]?.heard.at(-1)?.text).toBe('a word in between');
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
    const { lane, open: start, fake, kill, alive } = await open(() => [say('one'), busy, write('x.txt'), say('back')]);
    const first = await start();
    await runTurn(first, 'first words');
    const turn = runTurn(first, 'second words');
    await appears(join(lane, 'begun'), turn);
    kill();
    const { result } = await turn;
    expect(result).toMatchObject({ end: 'agent-failed', failure: { reason: 'agent-crashed', policy: 'retry' } });
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

  test('resumed in peace uses what its new turn uses', async () => {
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
    } = await open(() => [
      write('no.txt'),
      run('echo x > yes.txt'),
      run('cat /etc/hostname'),
      patch('*** Update File: yes.txt', '*** Move to: no.txt', '@@', '-x', '+y'),
      say('understood'),
    ]);
    const asked: string[] = [];
    const judge = deny('no.txt', '/etc');
    const session = await start({
      policy: (call) => {
        asked.push([call.tool, ...call.paths, call.command ?? ''].join(' ').trim());
        return judge(call);
      },
    });
    const { result, events } = await runTurn(session, 'go');
    expect(result.end).toBe('end-turn');
    expect(asked).toEqual([
      `apply_patch ${join(lane, 'no.txt')}`,
      'exec_command echo x > yes.txt',
      'exec_command cat /etc/hostname',
      `delete ${join(lane, 'yes.txt')}`,
      `apply_patch ${join(lane, 'no.txt')}`,
    ]);
    expect([existsSync(join(lane, 'no.txt')), readFileSync(join(lane, 'yes.txt'), 'utf8')]).toEqual([false, 'x\n']);
    for (const request of [1, 3, 4])
      expect(fake.asked[request]?.heard.at(-1)).toEqual({ kind: 'text', text: 'hands off' });
    expect(events.filter((e) => e.t === 'permission')).toEqual(
      ['apply_patch', 'exec_command', 'apply_patch'].map((tool) => ({
        t: 'permission',
        tool,
        decision: 'deny',
        why: 'path-denied',
        about: 'it',
      })),
    );
    expect(events.filter((e) => e.t === 'tool-end').map(({ ok, output }) => [ok, output])).toEqual([
      [false, 'hands off'],
      [true, ''],
      [false, 'hands off'],
      [false, 'hands off'],
    ]);
  });

  test('that throws denies', async () => {
    const { lane, open: start } = await open(() => [write('no.txt'), say('understood')]);
    const session = await start({
      policy: () => {
        throw new Error('a broken policy');
      },
    });
    const { events } = await runTurn(session, 'go');
    expect(existsSync(join(lane, 'no.txt'))).toBe(false);
    expect(events).toContainEqual({
      t: 'permission',
      tool: 'apply_patch',
      decision: 'deny',
      why: 'command-unreadable',
      about: 'a broken policy',
    });
  });

  test('what it allows stays in the sandbox of the program all the same, and leaving that is refused', async () => {
    const outside = `/var/tmp/harness-codex-${process.pid}.txt`;
    onTestFinished(() => rmSync(outside, { force: true }));
    const { open: start, fake } = await open(() => [
      run(`echo x > ${outside}; echo x > .git/hooks.txt`),
      run(`echo x > ${outside}`, { sandbox_permissions: 'require_escalated', justification: 'May I?' }),
      say('understood'),
    ]);
    const { events } = await runTurn(await start(), 'go');
    expect(existsSync(outside)).toBe(false);
    expect(fake.asked[1]?.heard.at(-1)?.text).toContain('Read-only file system');
    expect(events).toContainEqual(expect.objectContaining({ t: 'permission', why: 'leaves-the-sandbox' }));
  });

  test('ends a command at the limit for one', async () => {
    const shell = { ...STANDARD_RULES.settings.shell, timeoutSeconds: 1 };
    const { open: start, fake } = await open(() => [run('echo before; sleep 600', LONG), say('so be it')]);
    const tools = { ...STANDARD_RULES, settings: { ...STANDARD_RULES.settings, shell } };
    const { result } = await runTurn(await start({ tools }), 'go');
    expect(result).toMatchObject({ end: 'end-turn', text: 'so be it' });
    expect(fake.asked[1]?.heard.at(-1)?.text).toContain('before');
  });

  test('judges the tools of configured servers; those of the person’s own Codex are not there', async () => {
    const server = join(import.meta.dirname, 'fake-mcp.mjs');
    const note = (text: string): Step => ({
      does: 'say',
      parts: [{ type: 'call', namespace: 'mcp__notes', name: 'note', args: { text, path: `/notes/${text}` } }],
    });
    const { lane, own, alive, open: start, fake } = await open(() => [note('one'), note('two'), say('noted')]);
    const theirs = `[mcp_servers.theirs]\ncommand = "node"\nargs = [${JSON.stringify(server)}, "theirs.txt"]\n`;
    writeFileSync(join(own, 'config.toml'), `${readFileSync(join(own, 'config.toml'), 'utf8')}\n${theirs}`);
    const notes = { command: process.execPath, args: [server, 'notes.txt'], env: { A_SECRET: 'a-secret-of-a-test' } };
    const tools = { ...STANDARD_RULES, settings: { ...STANDARD_RULES.settings, mcpServers: { notes } } };
    const seen: string[] = [];
    const { events } = await runTurn(await start({ tools, policy: deny('/notes/two') }), 'go', () =>
      seen.push(...alive()),
    );
    expect(readFileSync(join(lane, 'notes.txt'), 'utf8')).toBe('one\n');
    expect(fake.asked[1]?.heard.at(-1)?.text).toContain('noted for a-secret-of-a-test');
    expect(fake.asked[2]?.heard.at(-1)).toEqual({ kind: 'text', text: 'hands off' });
    expect(events.filter((e) => e.t === 'tool-end')).toMatchObject([{ ok: true }, { ok: false, output: 'hands off' }]);
    expect(events.find((e) => e.t === 'permission')).toMatchObject({ tool: 'mcp__notes__note', decision: 'deny' });
    expect(seen.some((command) => command.includes('fake-mcp.mjs notes.txt'))).toBe(true);
    expect(seen.filter((command) => /theirs|a-secret-of-a-test/.test(command))).toEqual([]);
  });
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
    await expect.poll(() => alive().filter((command) => command.includes('600000'))).toEqual([]);
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
    const unborn = await start();
    const first = runTurn(unborn, 'go');
    await unborn.abort();
    expect((await first).result.end).toBe('aborted');
  });
});

describe('a failure', () => {
  const rows: readonly { readonly what: string; readonly step: Step; readonly reason: Reason }[] = [
    { what: '401', step: fail(401, 'Incorrect API key provided'), reason: 'agent-auth' },
    { what: '403', step: fail(403, 'no'), reason: 'agent-auth' },
    { what: '404', step: fail(404, 'no such model', 'model_not_found'), reason: 'agent-not-configured' },
    { what: '402', step: fail(402, 'pay first'), reason: 'agent-billing' },
    { what: 'a quota that is used up', step: fail(429, 'no quota', 'insufficient_quota'), reason: 'agent-billing' },
    { what: '429', step: fail(429, 'slow down'), reason: 'agent-rate-limited' },
    { what: 'a usage limit', step: fail(429, 'used up', 'usage_limit_reached'), reason: 'agent-rate-limited' },
    { what: '500', step: fail(500, 'oops'), reason: 'agent-overloaded' },
    { what: '503', step: fail(503, 'busy', 'server_is_overloaded'), reason: 'agent-overloaded' },
    { what: '529', step: fail(529, 'overloaded'), reason: 'agent-overloaded' },
    {
      what: 'a full context',
      step: { does: 'break', code: 'context_length_exceeded', message: 'Your input exceeds the context window.' },
      reason: 'agent-context-full',
    },
    {
      what: '400 for a full context',
      step: fail(400, 'Your input exceeds the context window', 'context_length_exceeded'),
      reason: 'agent-context-full',
    },
    { what: '400 of another kind', step: fail(400, 'what', 'what'), reason: 'agent-unknown' },
    {
      what: 'a task that is refused',
      step: { does: 'break', code: 'cyber_policy', message: 'blocked' },
      reason: 'agent-refused',
    },
    { what: 'a cut stream', step: { does: 'cut' }, reason: 'agent-network' },
    { what: 'a web page', step: { does: 'html' }, reason: 'agent-network' },
  ];

  test.each(rows)('$what is $reason', async ({ step, reason }) => {
    const { open: start } = await open(() => always(step));
    const { result } = await runTurn(await start(), 'go');
    expect(result).toMatchObject({ end: 'agent-failed', failure: { reason, params: { provider: 'codex' } } });
  });

  test('a port without a listener is agent-network', async () => {
    const { open: start } = await open(() => [], { url: 'http://127.0.0.1:9' });
    const { result } = await runTurn(await start(), 'go');
    expect(result).toMatchObject({ end: 'agent-failed', failure: { reason: 'agent-network' } });
  });

  test('a key that is not set is agent-auth', async () => {
    const { open: start } = await open(() => [], { env: { OUR_KEY: '' } });
    const { result } = await runTurn(await start(), 'go');
    expect(result).toMatchObject({ end: 'agent-failed', failure: { reason: 'agent-auth' } });
  });

  test('a wrong key is tried once, however often the program would', async () => {
    const { open: start, fake } = await open(() => always(fail(401, 'Incorrect API key provided')), { retries: 9 });
    const { result } = await runTurn(await start(), 'go');
    expect(result).toMatchObject({ failure: { reason: 'agent-auth', policy: 'needs-human' } });
    expect(fake.asked.length).toBeLessThanOrEqual(2);
  });

  test('is tried again twice at most, and each time is reported', async () => {
    const { open: start, fake } = await open(() => always({ does: 'cut' }), { retries: 9 });
    const { result, events } = await runTurn(await start(), 'go');
    expect(result).toMatchObject({ end: 'agent-failed', failure: { reason: 'agent-network' } });
    expect(events.filter((e) => e.t === 'retry').map((e) => e.attempt)).toEqual([1, 2]);
    expect(fake.asked).toHaveLength(3);
  });

  test('that passes is reported and forgotten', async () => {
    const { open: start } = await open(() => [{ does: 'cut' }, say('better')], { retries: 1 });
    const { result, events } = await runTurn(await start(), 'go');
    expect(result).toMatchObject({ end: 'end-turn', text: 'better' });
    expect(events.filter((e) => e.t === 'retry')).toMatchObject([{ why: 'agent-network', attempt: 1 }]);
  });

  test('a rate limit reports its waiting time where its message does, or the account’s windows', async () => {
    const resets_at = Math.floor(Date.now() / 1_000) + 3_600;
    const body = { error: { type: 'usage_limit_reached', message: 'used up', plan_type: 'plus', resets_at } };
    const words = 'Rate limit reached for gpt-5.5. Please try again in 11.5s.';
    const headers = {
      'x-codex-primary-used-percent': '100',
      'x-codex-primary-window-minutes': '300',
      'x-codex-primary-reset-at': String(resets_at),
    };
    const steps: Step[] = [
      { does: 'break', code: 'rate_limit_exceeded', message: words },
      { does: 'fail', status: 429, body },
      { does: 'fail', status: 429, body: { error: { type: 'usage_limit_reached', message: 'used up' } }, headers },
    ];
    const { open: start } = await open(() => steps);
    const session = await start();
    const waits: unknown[] = [];
    for (const _ of steps) {
      const { result } = await runTurn(session, 'go');
      waits.push(result.end === 'agent-failed' ? result.failure.params['retryAfterMs'] : null);
    }
    expect(waits[0]).toBe(11_500);
    for (const wait of waits.slice(1)) {
      expect(wait).toBeGreaterThan(3_500_000);
      expect(wait).toBeLessThanOrEqual(3_660_000);
    }
  });

  test('leaves the session fit for the next turn', async () => {
    const script: Script = [fail(403, 'no'), say('better')];
    const { open: start } = await open(() => script);
    const session = await start();
    expect((await runTurn(session, 'go')).result.end).toBe('agent-failed');
    expect((await runTurn(session, 'go')).result).toMatchObject({ end: 'end-turn', text: 'better' });
  });
});

describe('the login with OpenAI itself', () => {
  const atHome = (own: string, url: string): void =>
    writeFileSync(join(own, 'config.toml'), `model = "gpt-5.5"\nopenai_base_url = "${url}/v1"\n`);

  test('that was never made is reported before a request', async () => {
    const { own, open: start, fake } = await open(() => []);
    atHome(own, fake.url);
    const { result } = await runTurn(await start(), 'go');
    expect(result).toMatchObject({ end: 'agent-failed', failure: { reason: 'agent-auth' } });
    expect(fake.asked).toEqual([]);
  });

  test('can be a key of the environment, for the session alone', async () => {
    const key = 'sk-dummy-of-a-test';
    const { own, open: start, fake } = await open(() => [say('hello')], { env: { CODEX_API_KEY: key } });
    atHome(own, fake.url);
    expect((await runTurn(await start(), 'go')).result).toMatchObject({ end: 'end-turn', text: 'hello' });
    expect(fake.asked.map((a) => a.key)).toEqual([key]);
    expect(existsSync(join(own, 'auth.json'))).toBe(false);
  });
});
