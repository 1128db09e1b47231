// Which issues become items, and which items follow a changed issue. Nothing is taken off the list here. Pure.
import type { Issue } from '../../forge/port.ts';
import type { ItemId } from '../../model/item.ts';
import { keyOf } from '../../forge/marker.ts';
import { issueNamedIn, textOfIssue, titleOf, type IssueText } from './convention.ts';
import type { IssueLinks, MirroredItem } from './links.ts';

export type BacklogAct =
  /** After those before it. */
  | { readonly do: 'add'; readonly number: number; readonly text: IssueText }
  | { readonly do: 'retitle'; readonly item: ItemId; readonly number: number; readonly title: string }
  /** Not yet: it depends on issues that are no items, or the item is at work. Looked at again next time. */
  | { readonly do: 'wait'; readonly number: number; readonly on: readonly number[] };

export type BacklogSeen = {
  readonly issues: readonly Issue[];
  readonly items: readonly MirroredItem[];
  readonly links: IssueLinks;
  /** Items that a session is on, or that wait for an answer. */
  readonly atWork: ReadonlySet<ItemId>;
  /** Issues that are closed, or do not exist: nothing waits for them. */
  readonly over: ReadonlySet<number>;
  /** A new title of an issue becomes that of its item. */
  readonly retitles: boolean;
};

export function backlogPlan({ issues, items, links, atWork, over, retitles }: BacklogSeen): readonly BacklogAct[] {
  const known = itemsByIssue(items, links);
  const open = [...new Map(issues.map((issue) => [issue.number, issue])).values()]
    .filter(({ state }) => state === 'open')
    .sort((a, b) => a.number - b.number);
  // One with a key is the mirror of an item, here or in another list.
  const fresh = open.filter(({ number, body }) => !known.has(number) && keyOf(body) === null);
  const added = new Set<number>();
  const adds: BacklogAct[] = [];
  for (let found = true; found;) {
    found = false;
    for (const issue of fresh.filter(({ number }) => !added.has(number))) {
      const text = textOfIssue(issue);
      if (!text.dependsOn.every((one) => known.has(one) || added.has(one) || over.has(one))) continue;
      added.add(issue.number);
      adds.push({ do: 'add', number: issue.number, text });
      found = true;
    }
  }
  const waits = fresh
    .filter(({ number }) => !added.has(number))
    .map((issue): BacklogAct => {
      const on = textOfIssue(issue).dependsOn.filter((one) => !known.has(one) && !added.has(one) && !over.has(one));
      return { do: 'wait', number: issue.number, on };
    });
  const changes = (retitles ? open : []).flatMap(({ number, title }): readonly BacklogAct[] => {
    const item = known.get(number);
    if (item === undefined || issueNamedIn(item.title) !== number || item.stage !== 'open') return [];
    const wanted = titleOf(title, number);
    if (wanted === item.title) return [];
    return atWork.has(item.id)
      ? [{ do: 'wait', number, on: [] }]
      : [{ do: 'retitle', item: item.id, number, title: wanted }];
  });
  return [...adds, ...waits, ...changes];
}

/** Issues that a new one depends on, and of which nothing is known. */
export function unknownDependencies({
  issues,
  items,
  links,
}: Pick<BacklogSeen, 'issues' | 'items' | 'links'>): readonly number[] {
  const known = itemsByIssue(items, links);
  const seen = new Set(issues.map(({ number }) => number));
  const fresh = issues.filter(({ number, state }) => state === 'open' && !known.has(number));
  const named = fresh.flatMap((issue) => textOfIssue(issue).dependsOn);
  return [...new Set(named)].filter((number) => !known.has(number) && !seen.has(number));
}

export function itemsByIssue(items: readonly MirroredItem[], links: IssueLinks): ReadonlyMap<number, MirroredItem> {
  const byId = new Map(items.map((item) => [item.id, item]));
  const linked = Object.entries(links).flatMap(([id, { number }]) => {
    const item = byId.get(id);
    return item === undefined ? [] : [[number, item] as const];
  });
  const named = items.flatMap((item) => {
    const number = issueNamedIn(item.title);
    return number === null ? [] : [[number, item] as const];
  });
  return new Map([...linked, ...named]);
}
