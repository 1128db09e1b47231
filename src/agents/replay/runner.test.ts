// The provider `replay`, in process and in its wrapper process: it repeats what was recorded, and nothing else.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sha256 } from '../../host/files.ts';
import type { TurnOutcome } from '../../model/action.ts';
import type { AgentEvent } from '../../model/event.ts';
import { openHostedSession } from '../host/client.ts';
import { readTurn } from '../host/turn-results.ts';
import { toolPolicy } from '../policy.ts';
import type { SessionSpec } from '../port.ts';
import { sealed, type CassetteLine, type RecordedTurn } from './cassette.ts';
import { replayRunner } from './runner.ts';

const prompt = (words: string, workdir: string): string =>
  `${words}\n\n## Runtime context\nROLE=coding\nWORKDIR=${workdir}\nSESSION=4\n`;
const RECORDED = prompt('Do it.', '{{harness:WORKDIR}}');
const outcome: TurnOutcome = {
  end: 'end-turn',
  failure: null,
  text: 'Done in {{harness:WORKDIR}}.',
  resume: 'id-of-then',
  usage: { inputTokens: 100, outputTokens: 20, cachedTokens: 7, costUsd: 0.5, source: 'reported' },
  toolCalls: 1,
  ms: 4_000,
  wrapUp: null,
};
const first: RecordedTurn = {
  t: 'turn',
  session: 4,
  turn: 1,
  role: 'coding',
  item: '1',
  provider: 'claude',
  prompt: { sha256: sha256(RECORDED), text: RECORDED },
  events: [
    { t: 'session', id: 'id-of-then', version: '1' },
    { t: 'tool-start', id: '1', name: 'Write', input: { file_path: '{{harness:WORKDIR}}/made' } },
    { t: 'tool-end', id: '1', ok: true, output: 'written' },
    { t: 'text', text: 'Done.\n' },
  ],
  outcome,
  tree: { before: 'a', after: 'b' },
  changes: [{ path: 'made', was: null, now: { mode: 'file', text: 'by the agent of then\n' } }],
  unplayable: null,
};
const second: RecordedTurn = {
  ...first,
  turn: 2,
  events: [{ t: 'limit', limit: 'wall-limit', did: 'ended', how: null, used: 1, window: 2, source: 'reported' }],
  outcome: { ...outcome, end: 'wall-limit' },
  changes: [{ path: 'second', was: null, now: { mode: 'file', text: '2' } }],
};

let root = '';
let spec: SessionSpec;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'replay-'));
  const [lane, home, scenario] = [join(root, 'lane'), join(root, 'home'), join(root, 'c.jsonl')];
  mkdirSync(lane);
  mkdirSync(home);
  const header: CassetteLine = {
    t: 'cassette',
    schema: 1,
    harness: '1',
    playbook: 'features',
    command: 'harness run',
    tree: 'a',
  };
  let seal = '';
  const texts = [header, first, second].map((line) => {
    const next = sealed(seal, line);
    seal = next.seal;
    return next.text;
  });
  writeFileSync(scenario, texts.join(''));
  spec = {
    agent: { provider: 'replay', model: null, command: [], env: {}, scenario },
    mode: 'exec',
    cwd: lane,
    token: `replay-${root}`,
    env: { PATH: process.env['PATH'] ?? '', HOME: home },
    resume: null,
    home,
  };
});
afterEach(() => rmSync(root, { recursive: true, force: true }));
const open = (more: Partial<SessionSpec> = {}) =>
  replayRunner.open({ ...spec, ...more }, toolPolicy(spec.cwd, spec.mode));
const said = (words = 'Do it.'): string => prompt(words, spec.cwd);

test('a turn changes the lane, and its events come in order before its result, with the folders of this machine', async () => {
  const session = await open();
  const events: AgentEvent[] = [];
  const result = await session.turn(said(), (event) => events.push(event));
  expect(result).toMatchObject({ end: 'end-turn', text: `Done in ${spec.cwd}.`, usage: outcome.usage });
  expect(readFileSync(join(spec.cwd, 'made'), 'utf8')).toBe('by the agent of then\n');
  expect(events.map(({ t }) => t)).toEqual(['session', 'tool-start', 'tool-end', 'text']);
  expect(events[1]).toMatchObject({ input: { file_path: join(spec.cwd, 'made') } });
  expect(session.id()).toBe('id-of-then');
  expect(existsSync(join(spec.cwd, 'second'))).toBe(false);
});

test('a resumed session continues after its last recorded turn', async () => {
  const again = await open({ resume: { id: 'id-of-then', costUsd: null } });
  // Both turns had it: there is none behind the second.
  expect(await again.turn(said(), () => undefined)).toMatchObject({
    failure: { reason: 'replay-departed', params: { what: 'departed-turn', session: 4, turn: 3 } },
  });
});

test('another prompt, another file or an unknown turn is reported, and nothing is changed', async () => {
  const session = await open();
  const what = async (number: number, words: string): Promise<unknown> =>
    (await session.replay?.(number, words, () => undefined))?.failure?.params;
  expect(await what(1, said('Do that.'))).toMatchObject({
    what: 'departed-prompt',
    line: 1,
    expected: 'Do it.',
    found: 'Do that.',
  });
  expect(await what(3, said())).toMatchObject({ what: 'departed-turn', turn: 3 });
  writeFileSync(join(spec.cwd, 'made'), 'by somebody else\n');
  expect(await what(1, said())).toMatchObject({ what: 'departed-file', path: 'made' });
  expect(readFileSync(join(spec.cwd, 'made'), 'utf8')).toBe('by somebody else\n');
});

test('in its wrapper a turn ends as recorded, whatever the limits are, and is durable', async () => {
  const events: AgentEvent[] = [];
  const { token: _token, ...rest } = spec;
  const results = join(root, 'results');
  const session = openHostedSession({
    entry: resolve(import.meta.dirname, '../host/main.ts'),
    spec: rest,
    token: spec.token,
    results,
    limits: { wallMs: 60_000, idleMs: 60_000, outputBytes: 1 },
    onEvent: (_turn, event) => events.push(event),
    signal: new AbortController().signal,
  });
  const played = await session.turn(1, said());
  expect(played).toEqual({ ...outcome, text: `Done in ${spec.cwd}.` });
  expect(await session.turn(2, said())).toMatchObject({ end: 'wall-limit', ms: 4_000 });
  expect(readTurn(results, 1)).toEqual(played);
  expect(events.map(({ t }) => t)).toEqual(['session', 'tool-start', 'tool-end', 'text', 'limit']);
  expect(await session.close()).toMatchObject({ inputTokens: 200, costUsd: 1 });
});

test('a missing cassette is reported by the probe', async () => {
  const agent = { ...spec.agent, scenario: join(root, 'none.jsonl') };
  expect(await replayRunner.probe(agent)).toMatchObject({ ready: false, failure: { reason: 'cassette-invalid' } });
  expect(await replayRunner.probe(spec.agent)).toMatchObject({ ready: true });
  const session = await open({ agent });
  expect(await session.turn(said(), () => undefined)).toMatchObject({ failure: { reason: 'cassette-invalid' } });
});
