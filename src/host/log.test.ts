// The three logs on disk, also when the folder is changed from outside.
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { EventLevel } from '../model/event.ts';
import { openLogs } from './log.ts';
import { createRedactor } from './redact.ts';

let root = '';
let dir = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'log-'));
  dir = join(root, '.harness/logs');
});
afterEach(() => rmSync(root, { recursive: true }));

const TS = '2026-01-01T00:00:00.000Z';
const open = (level: EventLevel = 'routine') =>
  openLogs(dir, {
    redact: createRedactor({ API_KEY: 'very-secret-value' }),
    clock: { now: () => Date.parse(TS), iso: () => TS },
    level,
  });
const lines = (name: string): unknown[] =>
  readFileSync(join(dir, name), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

test('each kind of line goes to its own file, stamped with the time', () => {
  const logs = open();
  logs.event({ type: 'item-landed', level: 'important', session: 3, item: '12', data: { commit: 'abc' } });
  logs.event({ type: 'check-started', level: 'routine' });
  logs.decision({ decision: 'rollback', why: 'regression', item: '12' });
  logs.agentAction({ type: 'file_read', path: 'src/a.py' });
  expect(logs.close()).toEqual({ lost: 0 });
  expect(lines('events.jsonl')).toEqual([
    { ts: TS, type: 'item-landed', level: 'important', session: 3, item: '12', data: { commit: 'abc' } },
    { ts: TS, type: 'check-started', level: 'routine' },
  ]);
  expect(lines('decisions.jsonl')).toEqual([{ ts: TS, decision: 'rollback', why: 'regression', item: '12' }]);
  expect(lines('agent_actions.jsonl')).toEqual([{ ts: TS, type: 'file_read', path: 'src/a.py' }]);
  expect(readFileSync(join(dir, 'events.jsonl'), 'utf8').startsWith(`{"ts":"${TS}","type"`)).toBe(true);
});

test('every text is masked and the line stays JSON', () => {
  const logs = open();
  logs.agentAction({
    type: 'cmd_run',
    cmd: 'curl -H "x: very-secret-value" "http://u:pass\\',
    more: ['very-secret-value'],
  });
  expect(lines('agent_actions.jsonl')).toEqual([
    { ts: TS, type: 'cmd_run', cmd: 'curl -H "x: [masked:API_KEY]" "http://u:pass\\', more: ['[masked:API_KEY]'] },
  ]);
});

test.each([
  ['critical', ['critical', 'important']],
  ['important', ['critical', 'important', 'routine']],
  ['routine', ['critical', 'important', 'routine']],
  ['debug', ['critical', 'important', 'routine', 'debug']],
] as const)('at level %s events of these levels are written: %j', (level, expected) => {
  const logs = open(level);
  for (const one of ['critical', 'important', 'routine', 'debug'] as const) logs.event({ type: one, level: one });
  expect(lines('events.jsonl')).toMatchObject(expected.map((type) => ({ type })));
});

describe('at level important', () => {
  test('one in ten routine lines of each kind is written, the first of all, and marked as one of ten', () => {
    const logs = open('important');
    for (let n = 0; n < 25; n += 1) {
      logs.event({ type: 'checking', level: 'routine', data: { n } });
      logs.agentAction({ type: 'tool', n });
      if (n % 10 === 3) logs.agentAction({ type: 'rare', n });
    }
    expect(lines('events.jsonl')).toEqual(
      [0, 10, 20].map((n) => ({ ts: TS, type: 'checking', level: 'routine', data: { n }, sampled: 10 })),
    );
    expect(lines('agent_actions.jsonl')).toMatchObject([
      { type: 'tool', n: 0, sampled: 10 },
      { type: 'rare', n: 3, sampled: 10 },
      { type: 'tool', n: 10 },
      { type: 'tool', n: 20 },
    ]);
  });

  test('no important line is left out or marked as a sample', () => {
    const logs = open('important');
    for (let n = 0; n < 25; n += 1) {
      logs.event({ type: 'landed', level: 'critical' });
      logs.event({ type: 'checked', level: 'important' });
      logs.decision({ decision: 'a', why: 'b' });
      logs.agentAction({ type: 'violation' }, 'important');
    }
    expect(lines('events.jsonl')).toHaveLength(50);
    expect(lines('decisions.jsonl')).toHaveLength(25);
    expect(lines('agent_actions.jsonl')).toHaveLength(25);
    expect(lines('agent_actions.jsonl')[0]).toEqual({ ts: TS, type: 'violation', level: 'important' });
    expect(readFileSync(join(dir, 'events.jsonl'), 'utf8')).not.toContain('sampled');
  });

  test('a repeated run writes the same lines', () => {
    const run = (): unknown => {
      rmSync(dir, { recursive: true, force: true });
      const logs = open('important');
      for (let n = 0; n < 50; n += 1) logs.event({ type: n % 3 === 0 ? 'a' : 'b', level: 'routine', data: { n } });
      return lines('events.jsonl');
    };
    expect(run()).toEqual(run());
  });
});

test('after the close nothing is written', () => {
  const logs = open();
  logs.close();
  logs.event({ type: 'late', level: 'critical' });
  expect(existsSync(dir)).toBe(false);
});

test('a folder that was removed in between is created again', () => {
  const logs = open();
  logs.decision({ decision: 'a', why: 'b' });
  rmSync(join(root, '.harness'), { recursive: true });
  logs.decision({ decision: 'c', why: 'd' });
  expect(lines('decisions.jsonl')).toMatchObject([{ decision: 'c' }]);
});

describe('something else in place of a log', () => {
  test('a link is not followed: the line is lost and counted', () => {
    mkdirSync(dir, { recursive: true });
    writeFileSync(join(root, 'profile'), 'mine\n');
    symlinkSync(join(root, 'profile'), join(dir, 'events.jsonl'));
    const logs = open();
    logs.event({ type: 'x', level: 'critical' });
    expect(logs.close()).toEqual({ lost: 1 });
    expect(readFileSync(join(root, 'profile'), 'utf8')).toBe('mine\n');
  });

  test('a pipe or a folder does not block', () => {
    mkdirSync(join(dir, 'decisions.jsonl'), { recursive: true });
    execFileSync('mkfifo', [join(dir, 'events.jsonl')]);
    const logs = open();
    logs.event({ type: 'x', level: 'critical' });
    logs.decision({ decision: 'a', why: 'b' });
    expect(logs.close()).toEqual({ lost: 2 });
  });
});

test('only the owner can read the logs', () => {
  open().decision({ decision: 'a', why: 'b' });
  expect(statSync(join(dir, 'decisions.jsonl')).mode & 0o077).toBe(0);
});
