// Messages to the agent of an item: which turn has which, also where the turn is repeated after a crash.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { realIo } from '../host/io.ts';
import { dropHold, holdOf, holdsIn, keepHold } from './holds.ts';
import { forgetMessages, keepMessage, messagesForTurn } from './item-messages.ts';

function place() {
  const workspaceDir = mkdtempSync(join(tmpdir(), 'messages-'));
  onTestFinished(() => rmSync(workspaceDir, { recursive: true }));
  return { workspaceDir, io: realIo() };
}
const at = '2026-01-01T00:00:00.000Z';

test('a message is passed on once, oldest first; a repeated turn has the same', () => {
  const here = place();
  keepMessage(here, '1', { id: '2', text: 'second', at });
  keepMessage(here, '1', { id: '1', text: 'first', at });
  keepMessage(here, '2', { id: '1', text: 'of another item', at });
  const turn = { session: 4, turn: 1 };
  expect(messagesForTurn(here, '1', turn)).toEqual(['first', 'second']);
  expect(messagesForTurn(here, '1', turn)).toEqual(['first', 'second']);
  keepMessage(here, '1', { id: '3', text: 'third', at });
  expect(messagesForTurn(here, '1', { session: 4, turn: 2 })).toEqual(['third']);
  expect(messagesForTurn(here, '1', { session: 5, turn: 1 })).toEqual([]);
  forgetMessages(here, '2');
  expect(messagesForTurn(here, '2', turn)).toEqual([]);
});

test('holds of two items are two files: each is given back alone', () => {
  const here = place();
  const hold = { as: 'paused', since: at, by: 'anna', head: '', branch: '' } as const;
  keepHold(here, { ...hold, item: '1' });
  keepHold(here, { ...hold, item: '2', as: 'aborted' });
  dropHold(here, '1');
  expect([holdOf(here, '1'), holdOf(here, '2')?.as, holdsIn(here).length]).toEqual([null, 'aborted', 1]);
});
