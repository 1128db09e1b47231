// The scripted agent as a provider: what its steps do to a lane, and how mistakes of a scenario are reported.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AgentEvent } from '../../model/event.ts';
import { toolPolicy } from '../policy.ts';
import type { AgentSession } from '../port.ts';
import { scriptedRunner } from './runner.ts';

let root = '';
let lane = '';
let events: AgentEvent[] = [];
const sessions: AgentSession[] = [];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'scripted-'));
  lane = join(root, 'lane');
  mkdirSync(lane);
  events = [];
});
afterEach(async () => {
  for (const session of sessions.splice(0)) await session.close();
  rmSync(root, { recursive: true, force: true });
});

const agent = (scenario: string | null) =>
  ({ provider: 'scripted', model: null, command: [], env: {}, scenario }) as const;
async function open(scenario: string, resume: string | null = null): Promise<AgentSession> {
  writeFileSync(join(root, 's.yaml'), scenario);
  const env = { PATH: '/usr/bin:/bin' };
  const token = `scripted-${randomUUID()}`;
  const session = await scriptedRunner.open(
    {
      agent: agent('../s.yaml'),
      mode: 'exec',
      cwd: lane,
      token,
      env,
      resume: resume === null ? null : { id: resume, costUsd: null },
      home: root,
    },
    toolPolicy(lane, 'exec'),
  );
  sessions.push(session);
  return session;
}
const PROMPT = 'Work.\n\n## Runtime context\nROLE=coding\nITEM=2\nFEATURE_ID=2\nATTEMPT=1\n';
const turn = (session: AgentSession) => session.turn(PROMPT, (event) => events.push(event));
const inLane = (path: string) => readFileSync(join(lane, path), 'utf8');
const steps = (lines: string) => `schema: 1\nsessions:\n  - turns:\n      -\n${lines.replace(/^/gm, '        ')}\n`;

test('file steps change the lane', async () => {
  writeFileSync(join(root, 'from.txt'), 'from beside the scenario\n');
  const session = await open(
    steps(`- write: { path: 'dir/{{ITEM}}.txt', text: "one\\n" }
- append: { path: dir/2.txt, text: "two\\n" }
- replace: { path: dir/2.txt, find: one, with: $1 }
- write: { path: init.sh, from: from.txt, executable: true }
- write: { path: gone.txt, text: x }
- delete: gone.txt
- run: cat dir/2.txt; exit 3`),
  );
  expect(await turn(session)).toMatchObject({ end: 'end-turn' });
  expect(inLane('dir/2.txt')).toBe('$1\ntwo\n');
  expect(inLane('init.sh')).toBe('from beside the scenario\n');
  expect(statSync(join(lane, 'init.sh')).mode & 0o111).not.toBe(0);
  expect(events.at(-1)).toMatchObject({ t: 'tool-end', ok: false, output: '$1\ntwo\n' });
  expect(events.filter((event) => event.t === 'file-change').map((e) => [e.path, e.change])).toEqual([
    ['dir/2.txt', 'add'],
    ['dir/2.txt', 'update'],
    ['dir/2.txt', 'update'],
    ['init.sh', 'add'],
    ['gone.txt', 'add'],
    ['gone.txt', 'delete'],
  ]);
});

test('a session that is resumed with its last prompt lost the response: it plays that turn again, and no other', async () => {
  const script =
    'schema: 1\nsessions:\n  - turns:\n      - [append: { path: a.txt, text: "1" }]\n      - [append: { path: a.txt, text: "2" }]\n';
  const first = await open(script);
  await turn(first);
  const id = first.id();
  await first.close();
  const unheard = await open(script, id);
  await turn(unheard);
  expect(inLane('a.txt')).toBe('11');
  await turn(unheard);
  expect(inLane('a.txt')).toBe('112');
  await unheard.close();
  const received = await open(script, id);
  await received.turn(`Go on.\n${PROMPT}`, () => undefined);
  expect(inLane('a.txt')).toBe('112');
});

test('a claim sets passes of the current feature and nothing else', async () => {
  const features = {
    project: 'p',
    features: [
      { id: 1, passes: false },
      { id: 2, passes: false, note: 'kept' },
    ],
  };
  writeFileSync(join(lane, 'features.json'), `${JSON.stringify(features, null, 4)}\n`);
  await turn(await open(steps('- claim')));
  expect(inLane('features.json')).toBe(
    `${JSON.stringify({ ...features, features: [features.features[0], { ...features.features[1], passes: true }] }, null, 4)}\n`,
  );
  await turn(await open(steps('- unclaim: 2')));
  expect(inLane('features.json')).toBe(`${JSON.stringify(features, null, 4)}\n`);
});

test('the policy is asked where the script says so, and decides', async () => {
  const session = await open(
    steps(`- write: { path: ../out.txt, text: x, ask: true }
- run: { command: sudo true, ask: true }
- write: { path: ok.txt, text: "through the harness", via: client }
- ask_permission: { command: git push, allowed: [{ say: pushed }], denied: [{ say: not pushed }] }`),
  );
  const result = await turn(session);
  expect(result.text).toBe('not pushed\n');
  expect(inLane('ok.txt')).toBe('through the harness');
  expect(events.filter((event) => event.t === 'permission').map((event) => event.decision)).toEqual([
    'deny',
    'deny',
    'allow',
    'deny',
  ]);
});

test('turns follow one another, then there is nothing left to do', async () => {
  const session = await open('schema: 1\nsessions: [{ turns: [[{ say: one }], [{ say: "two, turn {{TURN}}" }]] }]');
  expect((await turn(session)).text).toBe('one\n');
  expect((await turn(session)).text).toBe('two, turn 2\n');
  const third = await turn(session);
  expect(third).toMatchObject({ end: 'end-turn', usage: { source: 'none' } });
  expect(third.text).toContain('nothing for turn 3');
});

test('the last turn is repeated where the scenario says so', async () => {
  const session = await open('schema: 1\nsessions: [{ repeat_last: true, turns: [[{ say: same }]] }]');
  expect([(await turn(session)).text, (await turn(session)).text]).toEqual(['same\n', 'same\n']);
});

test.each([
  ['auth', 'agent-auth'],
  ['billing', 'agent-billing'],
  ['rate-limited', 'agent-rate-limited'],
  ['overloaded', 'agent-overloaded'],
  ['context-full', 'agent-context-full'],
  ['network', 'agent-network'],
  ['internal', 'agent-unknown'],
])('failing by %s is reported as %s', async (kind, reason) => {
  const session = await open(steps(`- fail: { kind: ${kind}, retry_after_seconds: 2 }`));
  expect(await turn(session)).toMatchObject({ failure: { reason, params: { retryAfterMs: 2000 } } });
});

test('a crash has the exit code and the end of stderr', async () => {
  const session = await open(steps('- crash: { exit: 7, stderr: out of ideas }'));
  expect(await turn(session)).toMatchObject({
    failure: { reason: 'agent-crashed', params: { code: 7, stderr: 'out of ideas' } },
  });
});

test('a scenario without a matching session, or with a step that fails, is an invalid scenario with a position', async () => {
  const none = await open('schema: 1\nsessions: [{ when: { role: planner }, turns: [[]] }]');
  expect(await turn(none)).toMatchObject({ failure: { reason: 'scenario-invalid', params: { what: 'no-session' } } });
  const broken = await open(steps('- say: hello\n- replace: { path: a.txt, find: x, with: y }'));
  expect(await turn(broken)).toMatchObject({
    failure: { reason: 'scenario-invalid', at: { line: 6, key: 'sessions[0].turns[0][1]' } },
  });
});

test('an invalid or missing scenario starts nothing', async () => {
  const session = await open('schema: 1\nsessions: [{ turns: [[{ sey: x }]] }]');
  expect(await turn(session)).toMatchObject({ failure: { reason: 'scenario-invalid', at: { line: 2 } } });
  expect(session.id()).toBeNull();
  expect(await scriptedRunner.probe(agent(null))).toMatchObject({ failure: { reason: 'agent-not-configured' } });
  expect(await scriptedRunner.probe(agent('/no/such.yaml'))).toMatchObject({ failure: { reason: 'scenario-invalid' } });
});
