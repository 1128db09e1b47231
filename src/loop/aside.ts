// Items that a run leaves aside: each has a trouble of its own, which ends neither the run nor the other items. The next run tries them again.
import type { ItemOutcome } from '../model/action.ts';
import type { ItemId } from '../model/item.ts';
import type { Reason } from '../model/reasons.ts';
import { end, type LoopState } from './positions.ts';
import type { AsideItem, LoopFile } from './run-file.ts';

/** Failures that say nothing about any other item. All others are of the environment or of the whole. */
const OF_ITEM_ALONE: readonly string[] = [
  'validation-missing',
  'agent-refused',
  'item-unknown',
  'item-not-ready',
  'claims-unresolved',
  'pr-branch-edited',
  'forge-pull-of-another',
  'forge-file-missing',
] satisfies Reason[];
/** What a person decided about it: the work on it is theirs. */
const DECIDED: readonly string[] = ['decided-manual', 'decided-split'];

export const isOfItemAlone = ({ result, reason }: Pick<ItemOutcome, 'result' | 'reason'>): boolean =>
  result === 'blocked' && (OF_ITEM_ALONE.includes(reason) || DECIDED.includes(reason));

/** A failure of the item, and no decision about it. */
export const hasOwnTrouble = (outcome: Pick<ItemOutcome, 'result' | 'reason' | 'failure'>): boolean =>
  isOfItemAlone(outcome) && outcome.failure !== null;

export const asideItems = ({ aside = [] }: Pick<LoopFile, 'aside'>): readonly ItemId[] => aside.map(({ item }) => item);

export function leftAside(s: LoopState, item: ItemId, { reason, failure }: ItemOutcome): LoopState {
  const others = (s.file.aside ?? []).filter((one) => one.item !== item);
  return { ...s, file: { ...s.file, aside: [...others, { item, reason, failure }] } };
}

/** Nothing else can be worked on: the run ends for the reason of one of them, of one that has to be repaired before one that was decided. */
export function endWithAside(s: LoopState): LoopState | null {
  const { aside = [] } = s.file;
  const one: AsideItem | undefined = aside.find(({ failure }) => failure !== null) ?? aside[0];
  return one === undefined ? null : end(s, 'blocked', one.reason, one.failure);
}
