// Sessions of roles that were cut: once their item has ended they are counted and recorded, once, and no others are touched.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { countReads } from '../../../test/support/count-reads.ts';
import { turn } from '../../../test/support/outcomes.ts';
import { quickIo } from '../../../test/support/quick-io.ts';
import { sessionContext } from '../../../test/support/session-context.ts';
import { folders } from '../../../test/support/signals.ts';
import { writeTurn } from '../../agents/host/turn-results.ts';
import { recordOf, writeSessionRecord } from '../records/session.ts';
import { readCosts } from '../records/costs.ts';
import { giveSessionNumber } from '../records/session-numbers.ts';
import { recordLeft } from './left-sessions.ts';

const folder = folders('harness-left-');
const usage = { inputTokens: 10, outputTokens: 5, cachedTokens: 0, costUsd: 0.25, source: 'reported' } as const;

function run() {
  const root = folder();
  const io = quickIo();
  const context = sessionContext(root, io);
  const { sessions, clock } = context;
  return {
    context,
    /** A session with a turn that cost a quarter, or with none. */
    session(n: number, item: string | null, role: string, hasTurn = true, token = `t${n}`): void {
      const about = { token, startedAt: clock.iso(), role, ...(item === null ? {} : { item }) };
      const { folder: at } = sessions.begin(n, about);
      mkdirSync(at, { recursive: true });
      if (hasTurn) writeTurn(io, at, 1, turn({ usage }));
    },
    recorded(n: number): { readonly [name: string]: unknown } | null {
      try {
        return JSON.parse(readFileSync(recordOf(context, n), 'utf8')) as { readonly [name: string]: unknown };
      } catch {
        return null;
      }
    },
    spent(): number {
      const read = readCosts(readFileSync(join(root, 'costs.yaml'), 'utf8'), '');
      return read.ok ? (read.value?.cumulative.total_cost_usd ?? 0) : -1;
    },
  };
}

test('what sessions of roles cost that have no record is counted once, with the role', async () => {
  const { context, session, recorded, spent } = run();
  session(4, '0001', 'implementer');
  session(5, '0001', 'reviewer');
  session(6, '0001', 'fixer');
  writeSessionRecord(context, 4, { item: '0001', completed: false, termination: 'error', result: 'partial' });
  expect(await recordLeft(context, { item: '0001', from: 4, base: 'b' })).toMatchObject({ ok: true });
  expect(await recordLeft(context, { item: '0001', from: 4, base: 'b' })).toMatchObject({ ok: true });
  expect(recorded(5)).toMatchObject({ role: 'reviewer', reason: 'session-lost', cost_usd: 0.25, feature_id: '0001' });
  expect(recorded(4)).toMatchObject({ result: 'partial' });
  expect(spent()).toBe(0.5);
});

test('what a role did for the whole project on the way of the item is booked on the project', async () => {
  const { context, session, recorded, spent } = run();
  session(5, null, 'architect', true, 'b/3/architect');
  session(6, null, 'planner', true, 'other/3/planner');
  expect(await recordLeft(context, { item: '0001', from: 4, base: 'b' })).toMatchObject({ ok: true });
  expect(recorded(5)).toMatchObject({ role: 'architect', feature_id: 0 });
  expect([recorded(6), spent()]).toEqual([null, 0.25]);
});

test('sessions of other items and of none, earlier ones, and those that used nothing are left alone', async () => {
  const { context, session, recorded } = run();
  session(3, '0001', 'reviewer');
  session(5, '0002', 'reviewer');
  session(6, null, 'planner');
  session(7, '0001', 'reviewer', false);
  expect(await recordLeft(context, { item: '0001', from: 4, base: 'b' })).toMatchObject({ ok: true });
  expect([3, 5, 6, 7].map(recorded)).toEqual([null, null, null, null]);
});

/** What the end of an item and the number of the next session read, with so many sessions behind it that other runs began. */
async function readsAfter(behind: number): Promise<number> {
  const { context, session, recorded } = run();
  const sessions = join(context.workspaceDir, 'sessions');
  mkdirSync(sessions, { recursive: true });
  for (let n = 1; n <= behind; n += 1) writeFileSync(join(sessions, `${n}.json`), '{}\n');
  const first = behind + 1;
  // The run has asked once, as it does when it chooses its first item.
  expect(giveSessionNumber({ ...context, machine: {} as typeof context.machine }, 1)).toEqual({
    ok: true,
    value: first,
  });
  session(first, '0001', 'worker');
  session(first + 1, '0001', 'validator');
  writeSessionRecord(context, first, { item: '0001', completed: true, termination: 'success', result: 'landed' });
  const count = await countReads(async () => {
    expect(await recordLeft(context, { item: '0001', from: first, base: 'b' })).toMatchObject({ ok: true });
    const next = giveSessionNumber({ ...context, machine: {} as typeof context.machine }, 1);
    expect(next).toEqual({ ok: true, value: first + 2 });
  });
  expect(recorded(first + 1)).toMatchObject({ reason: 'session-lost' });
  return count;
}

test('the end of an item and the next number read the same, whether ten or a thousand sessions were begun before', async () => {
  const few = await readsAfter(10);
  expect(few).toBeGreaterThan(0);
  expect(await readsAfter(1_000)).toBe(few);
});
