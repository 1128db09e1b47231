// Sessions in parallel: with a budget for all of them, or none is started.
import { expect, test } from 'vitest';
import { configOf } from '../../../../test/support/config.ts';
import { stateIn } from '../../../../test/support/workflow.ts';
import type { Run } from '../../../engine/types.ts';
import type { Actions } from '../../../model/action.ts';
import { NO_USAGE } from '../../../model/usage.ts';
import { dispatch } from './dispatch.ts';
import { assignmentsOf } from '../table/assignments.ts';

type Asked = { readonly kind: string; readonly survey?: string; readonly beside?: readonly number[] };
/** Answers every step as a success, and lists what was asked. */
function running(over: object | null): { readonly run: Run<Actions>; readonly asked: Asked[] } {
  const asked: Asked[] = [];
  const answer = ({ kind, survey = '' }: Asked): object => {
    if (kind === 'survey' && survey === 'budget') return { facts: { failure: null, over } };
    if (kind === 'survey') return { facts: { problems: [], paths: [], isMoved: false } };
    if (kind === 'session') return { end: 'end-turn', failure: null, text: 'file written — fine', resume: null };
    return { agent: 0, wall: null, ref: 'r', commit: 'c', head: 'c', branch: 'b', usage: NO_USAGE, tampering: [] };
  };
  const run = {
    scope: () => run,
    all: (all: readonly (() => Promise<unknown>)[]) => Promise.all(all.map((one) => one())),
    do: (_name: string, action: Asked) => Promise.resolve((asked.push(action), answer(action))),
  } as unknown as Run<Actions>;
  return { run, asked };
}
const file = stateIn('planning', { mode: 'multi' });
const assignments = assignmentsOf('propose', 'multi', 'docs/harness/fix-the-login/');
const input = { item: 'a', stage: 'propose', session: 4, assignments, attempt: 1, file, retry: null, note: '' };

test('no session is started where a budget is used up', async () => {
  const over = { scope: 'project', unit: 'usd', spent: 3, limit: 2, base: 2 };
  const { run, asked } = running(over);
  expect(await dispatch.perform(run, input, configOf())).toEqual({ over });
  expect(asked.map(({ kind }) => kind)).toEqual(['survey']);
});

const GROUP = [4, 5, 6];
test('each parallel session knows the others that share the budget', async () => {
  const { run, asked } = running(null);
  expect(await dispatch.perform(run, input, configOf())).toMatchObject({ on: 'written', sessions: 3 });
  expect(asked.filter(({ kind }) => kind === 'session').map(({ beside }) => beside)).toEqual([GROUP, GROUP, GROUP]);
});
