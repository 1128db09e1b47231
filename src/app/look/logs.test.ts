// Reading logs: the last matching lines, lines cut by a kill, and new lines.
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { realIo } from '../../host/io.ts';
import { followLog, readLog } from './logs.ts';

let stateDir = '';
beforeEach(() => {
  stateDir = mkdtempSync(join(tmpdir(), 'harness-logs-'));
  mkdirSync(join(stateDir, 'logs'));
});
afterEach(() => rmSync(stateDir, { recursive: true, force: true }));

const file = (): string => join(stateDir, 'logs/events.jsonl');
const line = (n: number): string => `${JSON.stringify({ ts: '2026-01-01T00:00:00.000Z', type: 'made', n })}\n`;
const many = (from: number, to: number): string => Array.from({ length: to - from }, (_, n) => line(from + n)).join('');
const all = { test: () => true, nowMs: 0 };
const numbers = (lines: readonly { readonly [field: string]: unknown }[]): readonly unknown[] =>
  lines.map(({ n }) => n);

test('a missing log has no lines', async () => {
  expect(await readLog({ stateDir }, 'events', { ...all, last: 5 })).toEqual({
    lines: [],
    found: 0,
    damaged: 0,
    end: 0,
  });
});

test('the last matching lines come oldest first, and all are counted', async () => {
  writeFileSync(file(), many(0, 5_000));
  const read = await readLog({ stateDir }, 'events', { last: 3, nowMs: 0, test: ({ n }) => Number(n) % 2 === 0 });
  expect([numbers(read.lines), read.found, read.damaged]).toEqual([[4994, 4996, 4998], 2_500, 0]);
});

test('a line cut by a kill is counted as damaged, and the others are read', async () => {
  writeFileSync(file(), `${line(1)}{"ts":"20\n[3]\n\n${line(2)}{"n":`);
  const read = await readLog({ stateDir }, 'events', { ...all, last: 9 });
  expect([numbers(read.lines), read.damaged]).toEqual([[1, 2], 3]);
});

test('new lines are shown when complete, and a rotated log is read from its start', async () => {
  writeFileSync(file(), many(0, 3));
  const { end } = await readLog({ stateDir }, 'events', { ...all, last: 1 });
  const stop = new AbortController();
  const coming = followLog({ stateDir }, 'events', end, stop.signal);
  const next = async (): Promise<unknown> => (await coming.next()).value?.['n'];
  appendFileSync(file(), `${line(3)}{"n":4,`);
  expect(await next()).toBe(3);
  const fourth = next();
  appendFileSync(file(), `"ä":"ö"}\n`);
  expect(await fourth).toBe(4);
  writeFileSync(file(), line(9));
  expect(await next()).toBe(9);
  stop.abort();
  expect((await coming.next()).done).toBe(true);
});

test('a follower continues after the last line seen when old lines are removed, and shows none twice', async () => {
  writeFileSync(file(), many(0, 3_000));
  const { end } = await readLog({ stateDir }, 'events', { ...all, last: 1 });
  const stop = new AbortController();
  const coming = followLog({ stateDir }, 'events', end, stop.signal);
  const next = async (): Promise<unknown> => (await coming.next()).value?.['n'];
  appendFileSync(file(), line(3_000));
  expect(await next()).toBe(3_000);
  const young = readFileSync(file(), 'utf8').split('\n').slice(2_900).join('\n');
  realIo().replace(file(), `${young}${line(3_001)}`);
  expect(await next()).toBe(3_001);
  // The last line seen was removed too: every remaining line is newer.
  const later = { ts: '2026-01-02T00:00:00.000Z', type: 'made', n: 4_000 };
  realIo().replace(file(), `${line(7)}${JSON.stringify(later)}\n`);
  expect(await next()).toBe(4_000);
  stop.abort();
  expect((await coming.next()).done).toBe(true);
});
