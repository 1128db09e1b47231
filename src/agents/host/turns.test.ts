import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { realIo } from '../../host/io.ts';
import type { AgentEvent } from '../../model/event.ts';
import { failure } from '../../model/failure.ts';
import { NO_USAGE } from '../../model/usage.ts';
import type { AgentSession, TurnResult } from '../port.ts';
import { cutTurns, readTurn, turnFile } from './turn-results.ts';
import { openTurns, type Turns, type TurnsOptions } from './turns.ts';

let results = '';
let events: AgentEvent[] = [];
beforeEach(() => {
  results = mkdtempSync(join(tmpdir(), 'turns-'));
  events = [];
});
afterEach(() => rmSync(results, { recursive: true, force: true }));

type Act = (onEvent: (event: AgentEvent) => void, aborted: Promise<void>) => Promise<TurnResult>;
/** A scripted session; with `obeys: false` it ignores every abort. */
function sessionOf(act: Act, obeys = true): AgentSession {
  const aborted = Promise.withResolvers<void>();
  return {
    id: () => 'secret-session-id',
    turn: (_, onEvent) => act(onEvent, aborted.promise),
    inject: () => Promise.resolve('unsupported'),
    abort: () => Promise.resolve(obeys ? aborted.resolve() : undefined),
    close: () => Promise.resolve(aborted.resolve()),
  };
}
const ended: TurnResult = { end: 'end-turn', text: 'done', usage: { ...NO_USAGE, outputTokens: 3, source: 'partial' } };
const aborted: TurnResult = { end: 'aborted', text: '', usage: NO_USAGE };

function turnsOf(session: AgentSession, more: Partial<TurnsOptions> = {}): Turns {
  let now = 1_000;
  return openTurns({
    session,
    results,
    limits: { wallMs: 60_000, idleMs: 60_000, outputBytes: 100 },
    clock: { now: () => (now += 10), iso: () => '2030-01-01T00:00:00.000Z' },
    io: realIo(),
    redact: (text) => text.replaceAll('secret', '***'),
    onEvent: (_, event) => events.push(event),
    ...more,
  });
}

test('an outcome is masked, durable and returned; its session id stays usable', async () => {
  const why = failure('agent-crashed', { stderr: 'my secret' });
  const act: Act = (onEvent) => {
    onEvent({ t: 'tool-start', id: '1', name: 'x', input: { a: ['a secret'] } });
    return Promise.resolve({ end: 'agent-failed', failure: why, text: `${'x'.repeat(5_000)} secret`, usage: NO_USAGE });
  };
  const outcome = await turnsOf(sessionOf(act)).run(3, 'p');
  expect(outcome).toMatchObject({
    failure: { params: { stderr: 'my ***' } },
    resume: 'secret-session-id',
    toolCalls: 1,
  });
  expect(outcome?.text.length).toBe(4_000);
  expect(outcome?.text.endsWith(' ***')).toBe(true);
  expect(readTurn(results, 3)).toEqual(outcome);
  expect(events).toEqual([{ t: 'tool-start', id: '1', name: 'x', input: { a: ['a ***'] } }]);
});

test('text in chunks is masked line by line', async () => {
  const act: Act = (onEvent) => {
    for (const text of ['the sec', 'ret is\nold ', 'sec', 'ret']) onEvent({ t: 'text', text });
    return Promise.resolve(ended);
  };
  await turnsOf(sessionOf(act)).run(1, 'p');
  expect(events.map((event) => (event.t === 'text' ? event.text : event.t))).toEqual(['the *** is\n', 'old ***']);
  expect(readFileSync(join(results, 'events.jsonl'), 'utf8')).toContain(
    '{"ts":"2030-01-01T00:00:00.000Z","turn":1,"t":"text","text":"old ***"}',
  );
});

test('the output limit ends a turn and stops the recording', async () => {
  const act: Act = async (onEvent, stop) => {
    for (let i = 0; i < 5; i++) onEvent({ t: 'text', text: `${'x'.repeat(40)}\n` });
    await stop;
    return { ...aborted, text: 'flood' };
  };
  const outcome = await turnsOf(sessionOf(act)).run(1, 'p');
  expect(outcome).toMatchObject({ end: 'output-limit', failure: null });
  expect(events.filter((event) => event.t !== 'limit').length).toBe(3);
});

test('an exceeded limit decides the end of a turn, whatever the agent reports', async () => {
  const act: Act = async (_, stop) => {
    await stop;
    return { end: 'agent-failed', failure: failure('agent-crashed'), text: '', usage: NO_USAGE };
  };
  const turns = turnsOf(sessionOf(act), { limits: { wallMs: 1, idleMs: 60_000, outputBytes: 100 } });
  expect(await turns.run(1, 'p')).toMatchObject({ end: 'wall-limit', failure: null });
});

test('a session that does not end an aborted turn is closed and the turn is over', async () => {
  const never: Act = () => new Promise(() => undefined);
  const limits = { wallMs: 60_000, idleMs: 1, outputBytes: 100 };
  const turns = turnsOf(sessionOf(never, false), { limits, abortWithinMs: 5 });
  expect(await turns.run(1, 'p')).toMatchObject({ end: 'idle-limit' });
});

test('the usage of a turn during which the session was closed is kept, without an outcome', async () => {
  const paid = { ...NO_USAGE, outputTokens: 3, costUsd: 0.5, source: 'reported' as const };
  const turns = turnsOf(sessionOf((_, aborted_) => aborted_.then(() => ({ ...aborted, usage: paid }))));
  const running = turns.run(1, 'p');
  await turns.close();
  expect(await running).toBeNull();
  expect(cutTurns(results)).toMatchObject([{ usage: paid }]);
});

test('a turn during which the session was closed has no outcome', async () => {
  const act: Act = async (_, stop) => {
    await stop;
    return aborted;
  };
  const turns = turnsOf(sessionOf(act));
  const running = turns.run(1, 'p');
  await turns.close();
  expect(await running).toBeNull();
  expect(readTurn(results, 1)).toBeNull();
});

test('closing returns the usage of all turns', async () => {
  const turns = turnsOf(sessionOf(() => Promise.resolve(ended)));
  await turns.run(1, 'p');
  await turns.run(2, 'p');
  expect(await turns.close()).toMatchObject({ outputTokens: 6, source: 'partial' });
});

test('a half-written result file, or one of another turn, is no outcome', () => {
  writeFileSync(turnFile(results, 1), '{"schema":1,"turn":1,"outc');
  expect(readTurn(results, 1)).toBeNull();
});
