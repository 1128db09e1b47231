// What a new session on an item finds of an earlier one: its open questions are withdrawn, and nothing else without an open session.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { quickIo } from '../../../test/support/quick-io.ts';
import { folders } from '../../../test/support/signals.ts';
import { openGates } from '../../gates/store.ts';
import { escalation } from '../../model/gate.ts';
import type { RunContext } from '../run-context.ts';
import { abandons } from './abandon.ts';

const folder = folders('harness-abandon-');
const clock = { now: () => 0, iso: () => '2026-01-02T03:04:05.678Z' };

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
