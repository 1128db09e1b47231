// Log entries that wait for a landing: none is lost, none is kept once it landed.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { quickIo } from '../../test/support/quick-io.ts';
import { dropLanded, keepPending, pendingIn } from './pending-log.ts';

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'harness-pending-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  return dir;
}

test('entries are read by session, and one that is kept again is one entry', () => {
  const dir = folder();
  expect(pendingIn(dir)).toEqual([]);
  for (const session of [10, 9, 10]) keepPending(quickIo(), dir, session, 'log.txt', `SESSION ${session}\n`);
  writeFileSync(join(dir, 'pending-log', '11.json'), '{ "fi');
  expect(pendingIn(dir).map(({ session }) => session)).toEqual([9, 10]);
});

test('what a committed text has is not pending any more, whatever its line ends', () => {
  const dir = folder();
  keepPending(quickIo(), dir, 2, 'log.txt', 'SESSION 2\ndone\n');
  keepPending(quickIo(), dir, 3, 'log.txt', 'SESSION 3\ndone\n');
  dropLanded(quickIo(), dir, { 'other.txt': 'SESSION 2\ndone\n' });
  expect(pendingIn(dir)).toHaveLength(2);
  dropLanded(quickIo(), dir, { 'log.txt': 'header\r\n\r\nSESSION 2\r\ndone\r\n' });
  expect(pendingIn(dir).map(({ session }) => session)).toEqual([3]);
});
