// Notices over crashes: none is lost between being written and being sent, and none that was sent is sent again.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { realIo } from '../../host/io.ts';
import type { Notice } from '../../model/notice.ts';
import { openOutbox } from './outbox.ts';

let dir = '';
beforeEach(() => void (dir = mkdtempSync(join(tmpdir(), 'outbox-'))));
afterEach(() => rmSync(dir, { recursive: true }));

/** What the next process finds. */
const opened = () => openOutbox(dir, realIo());
const notice = (token: string, at: string): Notice => ({
  token,
  kind: 'gate',
  project: 'shop',
  run: 'r-1',
  item: '1',
  title: 'a question waits',
  text: 'land or not?',
  command: 'harness answer g-1 land',
  at,
});
const tokens = () =>
  opened()
    .waiting()
    .map(({ notice: { token } }) => token);

test('a notice that was written and not sent is found by the next process, oldest first', () => {
  opened().add(notice('g-2', '2026-01-02'), ['command']);
  opened().add(notice('g-1', '2026-01-01'), ['command', 'webhook']);
  expect(tokens()).toEqual(['g-1', 'g-2']);
});

test('a notice is added once, also after it was sent', () => {
  expect(opened().add(notice('g-1', '2026-01-01'), ['command'])).toBe(true);
  expect(opened().add(notice('g-1', '2026-01-03'), ['command'])).toBe(false);
  opened().tried('g-1', []);
  expect(opened().add(notice('g-1', '2026-01-03'), ['command'])).toBe(false);
  expect(tokens()).toEqual([]);
});

test('what left on one channel is not sent there again, and a channel that always fails is given up', () => {
  opened().add(notice('g-1', '2026-01-01'), ['command', 'webhook']);
  opened().tried('g-1', ['webhook']);
  expect(opened().waiting()[0]?.left).toEqual(['webhook']);
  for (let tries = 0; tries < 4; tries += 1) opened().tried('g-1', ['webhook']);
  expect(tokens()).toEqual([]);
});

test('a damaged record is written again instead of stopping the run', () => {
  writeFileSync(join(dir, 'g-1.json'), '{"schema":1,"not');
  expect(tokens()).toEqual([]);
  expect(opened().add(notice('g-1', '2026-01-01'), ['command'])).toBe(true);
  expect(tokens()).toEqual(['g-1']);
});
