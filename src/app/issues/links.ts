// Which item has which issue, as far as it is known, and what a look at the forge adds to that. Pure.
import { z } from 'zod';
import { keyOf } from '../../forge/marker.ts';
import type { Issue } from '../../forge/port.ts';
import type { ItemId } from '../../model/item.ts';
import { issueNamedIn } from './convention.ts';

export const linkSchema = z.object({
  number: z.number(),
  url: z.string(),
  state: z.enum(['open', 'closed']),
  /** When it was changed last, as far as it is known, by the clock of the forge. */
  at: z.string(),
  /** It was closed while its item was done, and the item has been done since. */
  isSettled: z.boolean(),
  /** What a person did with it was answered: a close, or a reopening. */
  isAnswered: z.boolean(),
});
export type IssueLink = z.output<typeof linkSchema>;
export type IssueLinks = { readonly [item: ItemId]: IssueLink };

/** `open`: it is still to be done. */
export type MirroredItem = {
  readonly id: ItemId;
  readonly title: string;
  readonly stage: 'open' | 'done' | 'skipped';
};

/** By which the issue of an item is recognized. */
export const issueKey = (list: string, item: ItemId): string => `${list} ${item}`;

/** The links after a look. What is older than the last known change of an issue is left out: a forge shows changes with a delay. */
export function linkUp(
  links: IssueLinks,
  seen: readonly Issue[],
  items: readonly MirroredItem[],
  list: string,
): IssueLinks {
  const byId = new Map(items.map((item) => [item.id, item]));
  const byKey = new Map(items.map((item) => [issueKey(list, item.id), item.id]));
  const byNumber = new Map<number, ItemId>();
  for (const { id, title } of items) {
    const number = issueNamedIn(title);
    if (number !== null && !byNumber.has(number)) byNumber.set(number, id);
  }
  for (const [id, { number }] of Object.entries(links)) byNumber.set(number, id);
  const next = new Map(Object.entries(links));
  for (const issue of seen) {
    const id = byNumber.get(issue.number) ?? byKey.get(keyOf(issue.body) ?? '');
    if (id === undefined) continue;
    const known = next.get(id);
    if (known !== undefined && known.number !== issue.number) continue;
    const isDone = byId.get(id)?.stage === 'done';
    next.set(id, known === undefined ? firstLink(issue, isDone) : looked(known, issue, isDone));
  }
  return Object.fromEntries(next);
}

/** Of an issue whose past is not known: one that was reopened is taken as settled, so that it is not closed against a person. */
export const firstLink = ({ number, url, state, updatedAt: at, isReopened }: Issue, isDone: boolean): IssueLink => ({
  number,
  url,
  state,
  at,
  isSettled: isDone && (state === 'closed' || isReopened),
  isAnswered: false,
});

function looked(known: IssueLink, issue: Issue, isDone: boolean): IssueLink {
  if (Date.parse(issue.updatedAt) < Date.parse(known.at)) return known;
  const same = { ...known, at: issue.updatedAt, url: issue.url };
  if (issue.state === known.state) return same;
  const isSettled = issue.state === 'closed' ? isDone : known.isSettled;
  return { ...same, state: issue.state, isSettled, isAnswered: false };
}
