// Numbers of sessions in several work trees of one repository.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { valueOf } from '../../../test/stage/repository.ts';
import { quickIo } from '../../../test/support/quick-io.ts';
import { folders } from '../../../test/support/signals.ts';
import { openSessions } from '../sessions.ts';
import { giveSessionNumber } from './session-numbers.ts';

const folder = folders('harness-numbers-');

function repository() {
  const privateDir = folder();
  const tree = (id: string | null, numbersSessions?: true) => {
    const workspaceDir = id === null ? privateDir : join(privateDir, 'worktrees', id);
    const io = quickIo();
    const sessions = openSessions(workspaceDir, io);
    const context = { privateDir, workspaceDir, io, machine: { numbersSessions }, sessions } as never;
    return {
      give: (wanted: number) => valueOf(giveSessionNumber(context, wanted)),
      begin: (session: number) => sessions.begin(session, { token: `t${session}`, startedAt: '2026-01-02T03:04:05Z' }),
    };
  };
  return tree;
}

test('in one work tree they count on from what was begun, and are given again until a session begins', () => {
  const main = repository()(null);
  expect([main.give(1), main.give(1)]).toEqual([1, 1]);
  main.begin(1);
  expect(main.give(2)).toBe(2);
  main.begin(2);
  // The state of the work tree was removed.
  expect(main.give(1)).toBe(3);
});

test('two work trees never have the same', () => {
  const tree = repository();
  const [main, other] = [tree(null), tree('other')];
  expect([main.give(1), other.give(1)]).toEqual([1, 2]);
  main.begin(1);
  other.begin(2);
  expect([other.give(3), main.give(2), other.give(3)]).toEqual([3, 4, 3]);
});

test('a machine that numbers the sessions of its item by itself has room for them', () => {
  const tree = repository();
  const [many, other] = [tree(null, true), tree('other')];
  expect(many.give(1)).toBe(1);
  for (const n of [1, 2, 3]) many.begin(n);
  expect([other.give(1), many.give(4)]).toEqual([1001, 4]);
});
