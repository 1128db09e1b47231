// Removing expired log lines: only when due, and never in other files.
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { realIo } from '../../host/io.ts';
import { configOf } from '../../../test/support/config.ts';
import { dyingIo, MODES } from '../../../test/crash/dying-io.ts';
import { dropOldLines } from './old-logs.ts';

const DAY = 86_400_000;
const NOW = Date.parse('2026-06-01T00:00:00.000Z');
let top = '';
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'old-logs-'));
  mkdirSync(join(top, '.harness/logs'), { recursive: true });
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

const LOGS = ['events', 'decisions', 'agent_actions'] as const;
const file = (name: (typeof LOGS)[number]): string => join(top, '.harness/logs', `${name}.jsonl`);
const line = (days: number, more: object): string =>
  `${JSON.stringify({ ts: new Date(NOW - days * DAY).toISOString(), ...more })}\n`;
const write = (days: number): void => {
  writeFileSync(
    file('events'),
    line(days, { type: 'a', level: 'important' }) + line(1, { type: 'b', level: 'routine' }),
  );
  writeFileSync(file('decisions'), line(days, { decision: 'a', why: 'b' }));
  writeFileSync(
    file('agent_actions'),
    line(days, { type: 'tool' }) + line(days, { type: 'violation', level: 'critical' }),
  );
};
const look = (nowMs: number, { retentionDays = 90, io = realIo() } = {}): boolean =>
  dropOldLines({
    io,
    clock: { now: () => nowMs, iso: () => new Date(nowMs).toISOString() },
    stateDir: join(top, '.harness'),
    workspaceDir: join(top, 'private'),
    config: configOf({ logging: { level: 'routine', retentionDays } }),
  });
const texts = (): readonly string[] => LOGS.map((name) => readFileSync(file(name), 'utf8'));
const counts = (): readonly number[] => texts().map((text) => text.split('\n').length - 1);

test('events and agent actions expire by level; decisions stay', () => {
  write(100);
  look(NOW);
  expect(counts()).toEqual([1, 1, 1]);
  expect(statSync(file('events')).mode).toBe(statSync(file('decisions')).mode);
});

test('the setting limits all levels but critical', () => {
  write(5);
  look(NOW, { retentionDays: 4 });
  expect(counts()).toEqual([1, 1, 1]);
});

test('the next check is when a line expires, at most once a day, or at once after a change of the setting', () => {
  write(50);
  look(NOW);
  const forged = line(400, { type: 'old', level: 'routine' }).repeat(3);
  writeFileSync(file('events'), forged);
  look(NOW + DAY - 1);
  expect(texts()[0]).toBe(forged);
  look(NOW + DAY - 1, { retentionDays: 80 });
  expect(texts()[0]).toBe('');
  write(50);
  look(NOW + 2 * DAY, { retentionDays: 80 });
  expect(counts()).toEqual([2, 1, 2]);
  look(NOW + 8 * DAY, { retentionDays: 80 });
  expect(counts()[2]).toBe(1);
});

test('a clock that was set back does not suppress the check', () => {
  write(1);
  look(NOW + 1_000 * DAY);
  write(100);
  look(NOW);
  expect(counts()[0]).toBe(1);
});

test('without logs no file is written', () => {
  rmSync(join(top, '.harness'), { recursive: true });
  look(NOW);
  expect(readdirSync(top)).toEqual([]);
});

test('a clock that is 400 days ahead once removes nothing; time that really passes does, some days at each check', () => {
  write(1);
  look(NOW);
  const before = texts();
  for (let start = 0; start < 20; start += 1) look(NOW + 400 * DAY + start);
  expect(texts()).toEqual(before);
  look(NOW + DAY);
  expect(texts()).toEqual(before);
  // A project that rests for a year loses its old lines in the weeks after.
  for (let week = 1; week <= 14; week += 1) look(NOW + 400 * DAY + week * 7 * DAY);
  expect(counts()).toEqual([0, 1, 1]);
});

test('a link in place of the folder or of a log is not followed', () => {
  write(100);
  const theirs = texts();
  mkdirSync(join(top, 'other'));
  writeFileSync(join(top, 'other/mine'), theirs[0] ?? '');
  rmSync(file('events'));
  symlinkSync(join(top, 'other/mine'), file('events'));
  look(NOW);
  expect(readFileSync(join(top, 'other/mine'), 'utf8')).toBe(theirs[0]);
  rmSync(file('events'));
  write(100);
  const kept = texts();
  symlinkSync(join(top, '.harness/logs'), join(top, 'logs'));
  dropOldLines({
    io: realIo(),
    clock: { now: () => NOW, iso: () => '' },
    stateDir: top,
    workspaceDir: join(top, 'private'),
    config: configOf({}),
  });
  expect(texts()).toEqual(kept);
});

test('a crash at any write leaves every log whole, and the next process comes to the same result', () => {
  write(100);
  const begin = texts();
  const { io, calls } = dyingIo(0, 'before');
  look(NOW, { io });
  const end = texts();
  expect(calls).toHaveLength(3);
  for (const mode of MODES)
    for (let at = 1; at <= calls.length; at += 1) {
      rmSync(join(top, 'private'), { recursive: true, force: true });
      LOGS.forEach((name, n) => writeFileSync(file(name), begin[n] ?? ''));
      expect(() => look(NOW, { io: dyingIo(at, mode).io })).toThrow(`${mode} #${at}`);
      texts().forEach((text, n) => expect([begin[n], end[n]]).toContain(text));
      look(NOW);
      expect(texts()).toEqual(end);
    }
});
