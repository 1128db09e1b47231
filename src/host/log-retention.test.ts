// Expired lines, in realistic logs: with lines of other programs, damaged ones, and ones cut off by a kill.
import { Buffer } from 'node:buffer';
import { expect, test } from 'vitest';
import type { EventLevel } from '../model/event.ts';
import { LOGS_KEPT } from '../model/retention.ts';
import { retainedOf } from './log-retention.ts';

const DAY = 86_400_000;
const NOW = Date.parse('2026-06-01T00:00:00.000Z');
const ago = (days: number): string => new Date(NOW - days * DAY).toISOString();
const line = (days: number, level: EventLevel | null, more: object = {}): string =>
  `${JSON.stringify({ ts: ago(days), type: 'x', ...(level === null ? {} : { level }), ...more })}\n`;
const retained = (text: string, level: EventLevel = 'important') =>
  retainedOf(Buffer.from(text), { nowMs: NOW, keptMs: (of) => LOGS_KEPT[of] * DAY, level });
const textOf = (text: string, level?: EventLevel): string => retained(text, level).bytes?.toString('utf8') ?? text;

test('critical lines stay for good, important ones 90 days, routine ones 30, debug ones 7', () => {
  const young = [line(89, 'important'), line(29, 'routine'), line(6, 'debug')];
  const old = [line(4_000, 'critical'), line(91, 'important'), line(31, 'routine'), line(8, 'debug')];
  expect(textOf([...old, ...young].join(''))).toBe([old[0], ...young].join(''));
  expect(retained([...old, ...young].join('')).dropped).toBe(3);
});

test('without expired lines there is nothing to write', () => {
  expect(retained(`${line(89, 'important')}${line(1, 'routine')}`)).toMatchObject({ bytes: null, dropped: 0 });
  expect(retained('')).toEqual({ bytes: null, dropped: 0, nextMs: Number.POSITIVE_INFINITY });
});

test('it returns when the next line expires', () => {
  const { nextMs } = retained(
    `${line(400, 'critical')}${line(31, 'routine')}${line(20, 'routine')}${line(89.5, 'important')}`,
  );
  expect(nextMs).toBe(NOW + 0.5 * DAY);
});

test('every other line stays byte for byte, whatever it contains', () => {
  const said = JSON.stringify({ text: 'ä\n\u2028 "level":"debug"' });
  const odd = `{"type":"x",  "ts":"${ago(1)}","level":"routine","data":${said}}\n`;
  expect(textOf(`${line(31, 'routine')}${odd}`)).toBe(odd);
});

test('a line without a level has the level of its log; a line of another program has its own name for the time', () => {
  const other = `{"event":"session_start","timestamp":"${ago(50)}"}\n`;
  expect([textOf(other, 'important'), textOf(other, 'routine'), textOf(other, 'critical')]).toEqual([other, '', other]);
});

test('a damaged line is as old as the one before it', () => {
  const damaged = '{"ts":"20\n';
  expect(textOf(`${line(100, 'important')}${damaged}${line(1, 'routine')}${damaged}`)).toBe(
    `${line(1, 'routine')}${damaged}`,
  );
});

test('a line that a kill cut off stays, and the next line starts after it', () => {
  expect(textOf(`${line(100, 'important')}{"ts":"2026-0`)).toBe('{"ts":"2026-0\n');
});
