// What the mirror does: the items against their issues. The list decides what is done; a person's close or reopening of an issue is respected, and
// answered once. Pure.
import type { ItemId } from '../../model/item.ts';
import type { IssueLink, IssueLinks, MirroredItem } from './links.ts';

export type MirrorRules = {
  readonly createMissingIssues: boolean;
  readonly closeOnVerify: boolean;
  /** Issues are the backlog: a person who closes one takes its item off the list. */
  readonly closedIsSkipped: boolean;
};
export type MirrorAct =
  | { readonly do: 'create'; readonly item: ItemId }
  /** It landed: its evidence as a comment, then closed. */
  | { readonly do: 'close'; readonly item: ItemId; readonly number: number }
  /** A person reopened it: a comment with the evidence, and what to do. */
  | { readonly do: 'explain'; readonly item: ItemId; readonly number: number }
  /** Its item is broken, after it had landed. */
  | { readonly do: 'reopen'; readonly item: ItemId; readonly number: number }
  /** A person closed it before its item landed. */
  | { readonly do: 'report' | 'skip'; readonly item: ItemId; readonly number: number }
  /** Its item has to land again. */
  | { readonly do: 'unsettle'; readonly item: ItemId; readonly number: number };

export const mirrorPlan = (
  items: readonly MirroredItem[],
  links: IssueLinks,
  rules: MirrorRules,
): readonly MirrorAct[] =>
  items.flatMap((item) => {
    const act = actFor(item, Object.hasOwn(links, item.id) ? links[item.id] : undefined, rules);
    return act === null ? [] : [act];
  });

function actFor({ id: item, stage }: MirroredItem, link: IssueLink | undefined, rules: MirrorRules): MirrorAct | null {
  if (link === undefined) return stage === 'open' && rules.createMissingIssues ? { do: 'create', item } : null;
  const { number, state, isSettled, isAnswered } = link;
  if (stage === 'skipped') return null;
  if (state === 'open') {
    if (stage === 'open') return isSettled ? { do: 'unsettle', item, number } : null;
    if (isSettled) return isAnswered ? null : { do: 'explain', item, number };
    return rules.closeOnVerify ? { do: 'close', item, number } : null;
  }
  if (stage === 'done') return null;
  if (isSettled) return { do: 'reopen', item, number };
  return isAnswered ? null : { do: rules.closedIsSkipped ? 'skip' : 'report', item, number };
}

/** The link once the act is done. `at`: when the forge says that it changed. */
export function afterAct(link: IssueLink, act: Exclude<MirrorAct, { readonly do: 'create' }>, at: string): IssueLink {
  const next = { ...link, at };
  switch (act.do) {
    case 'close':
      return { ...next, state: 'closed', isSettled: true, isAnswered: false };
    case 'reopen':
      return { ...next, state: 'open', isSettled: false, isAnswered: false };
    case 'unsettle':
      return { ...next, isSettled: false, isAnswered: false };
    case 'explain':
    case 'report':
    case 'skip':
      return { ...next, isAnswered: true };
  }
}
