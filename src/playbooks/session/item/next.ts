// Which item the next session is on: what every playbook over a list of items reads for it, and how it answers.
import type { z } from 'zod';
import type { ListRules } from '../../../engine/backlog.ts';
import type { ReadContext } from '../../../engine/definitions.ts';
import type { nextInput, NextFacts } from '../../../engine/playbook.ts';
import { failure, type Failure } from '../../../model/failure.ts';
import type { Item } from '../../../model/item.ts';
import { stateOf } from '../last.ts';
import type { SessionStateFile } from '../session-state.ts';
import { committedList, isDone, listOf } from '../surveys.ts';
import { notReady } from './facts.ts';

type Wanted = z.output<typeof nextInput>;

export type Candidates = {
  /** Items that are neither done nor skipped. */
  readonly open: readonly string[];
  readonly prompt: SessionStateFile['next_prompt'];
  /** The first of the list that can start; one that was left partly done goes before any other. null: none can. */
  readonly first: () => string | null;
  /** null: no item, and nothing is wrong. */
  readonly found: (item: string | null) => NextFacts;
  /** The item that the user names, or why it cannot start. */
  readonly named: (item: string) => NextFacts;
};

type NextRules = {
  readonly list?: ListRules;
  /** An item with work that no session continues; left out: only work in progress of an item that is done or skipped. */
  readonly leftover?: (context: ReadContext, items: readonly Item[]) => Promise<string | null>;
  readonly choose: (candidates: Candidates) => NextFacts | Promise<NextFacts>;
};

export async function chooseNext(
  context: ReadContext,
  { taken, prefer: wanted }: Wanted,
  { list: rules, leftover = workOfEnded, choose }: NextRules,
): Promise<NextFacts> {
  const { view, backlog, config } = context;
  const list = await (taken.length > 0 ? committedList : listOf)(context, rules);
  if (!list.ok) {
    const cycle = backlog.cycle?.((await view.read(config.paths.backlog)) ?? '') ?? null;
    return { ...noNext(list.failure), ...(cycle === null ? {} : { cycle }) };
  }
  const state = await stateOf(context);
  if (!state.ok) return noNext(state.failure);
  const { items } = list.value;
  const { current_feature: current, next_prompt: prompt, last_session: last } = state.value;
  const left = await leftover(context, items);
  const session = Math.max(last, await view.lastSession()) + 1;
  const open = items.filter((item) => !isDone(item) && item.status !== 'skipped').map(({ id }) => id);
  const found = (item: string | null): NextFacts => ({
    next: item,
    remaining: open.length,
    session,
    failure: null,
    ...(left === null ? {} : { leftover: left }),
  });
  const named = (item: string): NextFacts => {
    if (taken.includes(item)) return found(null);
    return list.value.canStart(item) ? found(item) : noNext(notReady(item, list.value));
  };
  const prefer = wanted ?? (prompt === 'continuation' && current !== null ? String(current) : null);
  const first = (): string | null => list.value.next({ prefer, taken: new Set(taken) });
  return choose({ open, prompt, first, found, named });
}

export const noNext = (why: Failure): NextFacts => ({ next: null, remaining: 0, session: 0, failure: why });

/** An item that is done or skipped, with work in progress; null: there is none. */
export async function workOfEnded({ view }: ReadContext, items: readonly Item[]): Promise<string | null> {
  const ended = new Set(items.filter((item) => item.status === 'skipped' || isDone(item)).map(({ id }) => id));
  return (await view.worksInProgress()).find(({ item: id }) => ended.has(id))?.item ?? null;
}

/** At most this many are named. */
const MOST_NAMED = 10;

/** None of these can start, or be tried again: a user has to decide. */
export function givenUp(ids: readonly string[]): Failure {
  const more = ids.length > MOST_NAMED ? [`… ${ids.length - MOST_NAMED} more`] : [];
  const items = [...ids.slice(0, MOST_NAMED), ...more].join(', ');
  return failure('items-given-up', { count: ids.length, items });
}
