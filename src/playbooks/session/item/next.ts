// Which item the next session is on: what every playbook over a list of items reads for it, and how it answers.
import type { z } from 'zod';
import type { Listing, ListRules } from '../../../engine/backlog.ts';
import type { ReadContext } from '../../../engine/definitions.ts';
import type { nextInput, NextFacts } from '../../../engine/playbook.ts';
import { chooseApart, expectedFiles, type Apart } from '../../../model/expected-files.ts';
import { failure, type Failure } from '../../../model/failure.ts';
import type { Item, Subject } from '../../../model/item.ts';
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
  /** What else is written of an item, which may name files that it changes; left out: its entry in the list says it all. */
  readonly more?: (context: ReadContext) => Promise<(subject: Subject) => readonly string[]>;
  /** An item with work that no session continues; left out: only work in progress of an item that is done or skipped. */
  readonly leftover?: (context: ReadContext, items: readonly Item[]) => Promise<string | null>;
  readonly choose: (candidates: Candidates) => NextFacts | Promise<NextFacts>;
};

export async function chooseNext(
  context: ReadContext,
  { taken, prefer: wanted, atWork = [] }: Wanted,
  { list: rules, more, leftover = workOfEnded, choose }: NextRules,
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
  let apart: readonly Apart[] = [];
  const found = (item: string | null): NextFacts => ({
    next: item,
    remaining: open.length,
    session,
    failure: null,
    ...(left === null ? {} : { leftover: left }),
    ...(apart.length === 0 ? {} : { apart }),
  });
  const named = (item: string): NextFacts => {
    if (taken.includes(item)) return found(null);
    return list.value.canStart(item) ? found(item) : noNext(notReady(item, list.value));
  };
  const prefer = wanted ?? (prompt === 'continuation' && current !== null ? String(current) : null);
  const filesOf = await filesExpected(context, list.value, atWork, more);
  const first = (): string | null => {
    const pick = (waiting: ReadonlySet<string>) => list.value.next({ prefer, taken: new Set([...taken, ...waiting]) });
    const choice = chooseApart({ pick, filesOf, atWork, prefer: wanted ?? null });
    ({ apart } = choice);
    return choice.next;
  };
  return choose({ open, prompt, first, found, named });
}

/** By what is written of each item, and by its unfinished work. Nothing is read where no other item is at work. */
export async function filesExpected(
  context: ReadContext,
  list: Pick<Listing, 'subject'>,
  atWork: readonly string[],
  more?: NextRules['more'],
): Promise<(item: string) => ReadonlySet<string>> {
  if (atWork.length === 0) return () => new Set();
  const kept = await context.view.worksInProgress();
  const changed = await context.view.changedBy(kept.map(({ commit }) => commit));
  const byItem = new Map(kept.map(({ item }, n) => [item, changed[n] ?? []]));
  const moreOf = (await more?.(context)) ?? (() => []);
  return (item) => {
    const subject = list.subject(item);
    if (subject === null) return new Set();
    const steps = [...subject.steps, ...moreOf(subject)];
    return expectedFiles({ ...subject, steps }, byItem.get(item));
  };
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
