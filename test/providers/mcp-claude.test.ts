// `harness mcp` and `/mcp` in the real Claude program, with a scripted model: it looks through the tools, and answers a question only with the word of
// its person, whom a hook of the program plays.
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { CART_STEPS, FEATURES, makeRepo, PROGRAM, type Repo } from '../support/repo.ts';
import { served } from '../support/served.ts';
import { call, fakeAnthropic, say, type FakeAnthropic } from './fake-anthropic.ts';
import { CLAUDE } from './lab.ts';

/** A repository with an open question: #2 waits for a person's own look. */
async function asking(): Promise<{ readonly repo: Repo; readonly gate: string }> {
  const work = [...CART_STEPS, { claim: 2 }, { say: 'done' }];
  const repo = makeRepo({
    '.scenario.yaml': JSON.stringify({ schema: 1, sessions: [{ when: {}, turns: [work] }] }),
    'features.json': FEATURES.replace('"id": 2,', '"id": 2, "verification_type": "manual", "manual_checks": ["look"],'),
  });
  const ran = await repo.harness('run', '--json', '--no-input');
  const { gates } = (await repo.harness('gates', '--json')).json() as { gates: readonly { readonly id: string }[] };
  if (gates[0] === undefined) throw new Error(`no question was asked: ${ran.stdout}${ran.stderr}`);
  return { repo, gate: gates[0].id };
}

type Session = { readonly fake: FakeAnthropic; readonly ended: string; readonly results: readonly string[] };

/** One headless session of the program with this server; `says`: what its person answers when asked. */
async function session(repo: Repo, server: object, says: object, steps: Parameters<typeof call>[]): Promise<Session> {
  const fake = await fakeAnthropic([...steps.map((step) => call(...step)), say('done')]);
  onTestFinished(() => fake.close());
  const home = join(dirname(repo.root), 'claude');
  mkdirSync(home, { recursive: true });
  const hook = join(home, 'hook.mjs');
  const output = { hookSpecificOutput: { hookEventName: 'Elicitation', ...says } };
  writeFileSync(hook, `console.log(${JSON.stringify(JSON.stringify(output))});\n`);
  const command = `"${process.execPath}" "${hook}"`;
  const settings = { hooks: { Elicitation: [{ hooks: [{ type: 'command', command }] }] } };
  const args = [
    '-p',
    'look after this repository',
    '--output-format',
    'json',
    '--mcp-config',
    JSON.stringify({ mcpServers: { harness: server } }),
    '--strict-mcp-config',
    '--allowedTools',
    'mcp__harness',
    '--settings',
    JSON.stringify(settings),
  ];
  const ended = await new Promise<string>((done, fail) => {
    const child = spawn(CLAUDE, args, {
      cwd: repo.root,
      env: {
        ...repo.env,
        CLAUDE_CONFIG_DIR: home,
        ANTHROPIC_BASE_URL: fake.url,
        ANTHROPIC_API_KEY: 'dummy-key-of-a-test',
        CLAUDE_CODE_MAX_RETRIES: '0',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        ENABLE_TOOL_SEARCH: 'false',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    child.on('error', fail);
    child.on('close', () => done(said));
  });
  const heard = fake.asked.findLast(({ tools }) => tools.includes('mcp__harness__status'))?.heard ?? [];
  return { fake, ended, results: heard.filter(({ kind }) => kind === 'tool-result').map(({ text }) => text) };
}

const NO = { action: 'decline' };
const YES = { action: 'accept', content: { confirm: true } };
const tool = (name: string, input: object = {}): Parameters<typeof call> => [`mcp__harness__${name}`, input];

test('over its pipes it reads status, items, gates and evidence, and answers a question after its person has confirmed', async () => {
  const { repo, gate } = await asking();
  const stdio = { command: process.execPath, args: [PROGRAM, '-C', repo.root, 'mcp'] };
  const answer = tool('answer', { gate, option: 'verified', note: 'by its person' });
  const looks = await session(repo, stdio, NO, [
    tool('status'),
    tool('items'),
    tool('gates'),
    tool('evidence'),
    answer,
  ]);
  expect(looks.results[0], looks.ended).toContain('"gates":1');
  expect(looks.results[1]).toContain('User can fill a cart');
  expect(looks.results[2]).toContain(gate);
  expect(looks.results[3]).toContain('There is no evidence here yet');
  expect(looks.results[4]).toContain('the person did not confirm it');
  expect((await repo.harness('gates', '--json')).json()).toMatchObject({ gates: [{ id: gate }] });
  const answers = await session(repo, stdio, YES, [answer]);
  expect(answers.results[0], answers.ended).toContain('"option":"verified"');
  expect((await repo.harness('gates', '--json')).json()).toMatchObject({ gates: [] });
}, 180_000);

test('over HTTP it does the same, with the token of the server', async () => {
  const s = await served();
  const http = {
    type: 'http',
    url: `http://127.0.0.1:${s.port}/mcp`,
    headers: { Authorization: `Bearer ${s.token}` },
  };
  const skip = tool('skip', { item: '2', reason: 'by its person' });
  const refused = await session(s.repo, http, NO, [tool('status'), skip]);
  expect(refused.results[0], refused.ended).toContain('"project":"shop"');
  expect(refused.results[1]).toContain('the person did not confirm it');
  const confirmed = await session(s.repo, http, YES, [skip]);
  expect(confirmed.results[0], confirmed.ended).toContain('"result":"applied"');
}, 180_000);
