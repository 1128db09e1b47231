import { expect, test } from 'vitest';
import type { RunEvent } from './run-events.ts';
import { timelineOf } from './timeline.ts';

const START = Date.UTC(2026, 2, 1);
/** `second`: since the start. */
const at = (second: number, type: string, more: Partial<RunEvent> = {}): RunEvent => ({
  seq: second,
  run: 'r-1',
  ts: new Date(START + second * 1_000).toISOString(),
  type,
  level: 'important',
  ...more,
});
const shape = (events: readonly RunEvent[], isOver = true) =>
  timelineOf(events, isOver).map(({ session, item, result, from, to, parts }) => [
    session,
    item,
    result,
    [from, to].map((ms) => (ms === null ? null : (ms - START) / 1_000)),
    parts.map(({ kind, holds }) => (holds === null ? kind : `${kind} ${holds ? 'holds' : 'fails'}`)).join(', '),
  ]);

test('a session is getting ready, its agent, checks, its agent again, and a proof', () => {
  const s = { session: 1, item: '7' };
  const events = [
    at(0, 'item-started', s),
    at(1, 'checking', { data: { checks: ['init'] } }),
    at(2, 'checked', { data: { holds: true } }),
    at(3, 'session-started', { ...s, data: { role: 'coding' } }),
    at(9, 'checking', { data: { checks: ['feature'] } }),
    at(10, 'checked', { session: 1, data: { holds: false } }),
    at(14, 'checking', { data: { checks: ['feature'] } }),
    at(15, 'checked', { session: 1, data: { holds: true } }),
    at(15, 'proving', { session: 1 }),
    at(18, 'proved', { session: 1, data: { problems: [] } }),
    at(19, 'item-ended', { ...s, data: { result: 'landed', reason: 'verified' } }),
  ];
  const parts = 'prepare, check holds, prepare, agent, check fails, agent, check holds, proof holds, agent';
  expect(shape(events)).toEqual([[1, '7', 'landed', [0, 19], parts]]);
});

test('sessions at the same time keep apart, a question is open until its run ends, and what is at work has no end', () => {
  const events = [
    at(0, 'item-started', { session: 1, item: '1' }),
    at(1, 'item-started', { session: 2, item: '2' }),
    at(2, 'session-started', { session: 2, item: '2' }),
    at(3, 'session-started', { session: 1, item: '1' }),
    at(5, 'checking', { session: 2, data: {} }),
    at(6, 'checked', { session: 2, data: { holds: true } }),
    at(8, 'item-parked', { session: 1, item: '1' }),
    at(9, 'tidied', {}),
  ];
  expect(shape(events)).toEqual([
    [1, '1', null, [0, 9], 'prepare, agent, question'],
    [2, '2', null, [1, 9], 'prepare, agent, check holds, agent'],
  ]);
  expect(shape(events, false).map((row) => row[3])).toEqual([
    [0, null],
    [1, null],
  ]);
});
