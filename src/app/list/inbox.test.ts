// The inbox of a run: one file for each message.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { realIo } from '../../host/io.ts';
import { done, post, waiting } from './inbox.ts';

test('messages of one millisecond are read in the order in which they were posted', () => {
  const folder = mkdtempSync(join(tmpdir(), 'inbox-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const io = realIo();
  const items = Array.from({ length: 40 }, (_, n) => `item-${n}`);
  const ids = items.map((item) => post(folder, io, 1_700_000_000_000, { type: 'item', item, run: null }));
  const read = waiting(folder);
  expect(read.map(({ id }) => id)).toEqual(ids);
  expect(read.map(({ message }) => 'item' in message && message.item)).toEqual(items);
  done(folder, io, ids[0] ?? '');
  expect(waiting(folder)).toHaveLength(39);
});
