// What a new session on an item finds of an earlier one: its open questions are withdrawn, and nothing else without an open session.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { quickIo } from '../../../test/support/quick-io.ts';
import { SESSION_CLOCK, sessionContext } from '../../../test/support/session-context.ts';
import { folders } from '../../../test/support/signals.ts';
import { openGates } from '../../gates/store.ts';
import { escalation } from '../../model/gate.ts';
import { ok } from '../../model/result.ts';
import { closeTamperGuard, openTamperGuard } from '../../verify/tamper-guard.ts';
import type { RunContext } from '../run-context.ts';
import { guardOf } from '../sessions.ts';
import { abandons } from './abandon.ts';
import { noteTakenBack } from './cut-turn.ts';

const folder = folders('harness-abandon-');
const clock = SESSION_CLOCK;

/** A run in which no session was ever opened, with these questions, by item. */
async function runWith(...items: readonly (string | null)[]) {
  const gates = openGates({ dir: join(folder(), 'gates'), io: quickIo(), clock });
  for (const [n, item] of items.entries())
    await gates.ask(escalation('feature-stuck', `stuck-${n}`, item, { params: {} }), { key: `k-${n}`, epoch: 1 });
  const context = { gates, sessions: { pointer: () => null } } as unknown as RunContext;
  const perform = (item: string | null) =>
    abandons(context).perform(
      { kind: 'abandon', key: 'abandon', session: 4, item },
      { token: 't', epoch: 1, signal: new AbortController().signal },
    );
  const openItems = () => {
    const open = gates.list({ open: true });
    return open.ok ? open.value.map(({ gate }) => gate.item) : null;
  };
  return { perform, openItems, gates };
}

test('questions that an earlier position asked about the item are withdrawn, and no others', async () => {
  const { perform, openItems } = await runWith('1', '2', '1', null);
  expect(await perform('1')).toEqual({ isAbandoned: false, attempt: null });
  expect(openItems()).toEqual(['2', null]);
  expect(await perform('1')).toEqual({ isAbandoned: false, attempt: null });
  expect(openItems()).toEqual(['2', null]);
});

test('an answer that came meanwhile stays', async () => {
  const { perform, gates } = await runWith('1');
  await gates.answer('g-1', { option: 'skip', note: '', by: 'ada' });
  await perform('1');
  expect(gates.answerOf('k-0', 1)).toMatchObject({ ok: true, value: { option: 'skip' } });
});

test('before session 0, which is about no item, questions about the run as a whole stay', async () => {
  const { perform, openItems } = await runWith(null);
  await perform(null);
  expect(openItems()).toEqual([null]);
});

test('a session of no item that was taken back at its end is not ended again, and one that a kill cut is', async () => {
  const root = folder();
  const io = quickIo();
  const context = sessionContext(root, io, { gates: openGates({ dir: join(root, 'gates'), io, clock }) });
  const begin = (token: string): string => {
    const known = context.sessions.begin(0, { token, startedAt: `2026-01-02T03:04:0${token.length}Z` });
    io.replace(join(known.folder, 'turn-1.begun.json'), '{}\n');
    return known.folder;
  };
  const abandoned = () =>
    abandons(context, async () => ok({ attempt: null, commit: null })).perform(
      { kind: 'abandon', key: 'abandon', session: 0, item: null },
      { token: 't', epoch: 1, signal: new AbortController().signal },
    );
  noteTakenBack(context, begin('a'), null);
  expect(await abandoned()).toEqual({ isAbandoned: false, attempt: null });
  begin('bb');
  expect(await abandoned()).toEqual({ isAbandoned: true, attempt: null });
});

/** Sessions 4 and 5 of item 1, each with an open guard of the costs. `crash`: before the record of a session is written. */
function lostSessions() {
  const root = folder();
  const state = { crash: false };
  const disk = quickIo();
  const io = {
    ...disk,
    replace(...all: Parameters<typeof disk.replace>) {
      if (state.crash && all[0].endsWith('session.json')) throw new Error('crash');
      disk.replace(...all);
    },
  };
  const gates = openGates({ dir: join(root, 'gates'), io, clock });
  const context = sessionContext(root, io, { gates });
  const { sessions } = context;
  const costs = join(root, 'costs.yaml');
  for (const session of [4, 5]) {
    const known = sessions.begin(session, { token: `t${session}`, startedAt: `2026-01-02T03:04:0${session}Z` });
    const files = [{ path: 'costs.yaml', rule: 'restored', problem: 'harness-file-edited' }] as const;
    const opened = openTamperGuard(io, { root, files, into: guardOf(known.folder) });
    if (!opened.ok) throw new Error(opened.failure.reason);
  }
  const performer = abandons(context, async (lost) => {
    const closed = closeTamperGuard(io, { into: guardOf(lost.folder) });
    return closed.ok ? ok({ attempt: null, commit: null }) : closed;
  });
  const perform = async () =>
    performer.perform(
      { kind: 'abandon', key: 'abandon', session: 4, item: '1', andLater: true },
      { token: 't', epoch: 1, signal: new AbortController().signal },
    );
  const isRecorded = (session: number) => existsSync(join(root, 'state', 'sessions', String(session), 'session.json'));
  return { perform, state, isRecorded, costs: () => (existsSync(costs) ? readFileSync(costs, 'utf8') : '') };
}

test('costs of several lost sessions stay recorded, whatever the guard of each restores', async () => {
  const { perform, costs } = lostSessions();
  expect(await perform()).toEqual({ isAbandoned: true, attempt: null });
  expect(costs()).toContain('total_sessions: 2');
  expect(await perform()).toEqual({ isAbandoned: false, attempt: null });
});

test('a crash before lost sessions are recorded is made good when the action is repeated', async () => {
  const { perform, state, isRecorded, costs } = lostSessions();
  state.crash = true;
  await expect(perform()).rejects.toThrow('crash');
  state.crash = false;
  expect(await perform()).toEqual({ isAbandoned: true, attempt: null });
  expect([isRecorded(4), isRecorded(5)]).toEqual([true, true]);
  expect(costs()).toContain('total_sessions: 2');
});
