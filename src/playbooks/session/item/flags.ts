// What a user decided about an item is written on the item, so that it is asked only once.
import { editCall } from '../../../engine/definitions.ts';
import { changeItem } from '../../../engine/list-edits.ts';
import type { Run } from '../../../engine/types.ts';
import type { Actions, ItemOutcome } from '../../../model/action.ts';
import type { Config } from '../../../model/config.ts';
import type { ItemChange } from '../../../model/item.ts';
import type { Problem } from '../../../model/verdict.ts';
import { outcomeOf } from '../stages.ts';
import type { EarlyEnd } from './kind.ts';

export type OfSession = { readonly item: string; readonly session: number };

/** A pause waits until it is written. */
export async function writeDecision(
  run: Run<Actions>,
  { item, session }: OfSession,
  change: ItemChange,
  note: string,
  { paths: { backlog } }: Config,
): Promise<{ readonly commit: string | null; readonly problem: Problem | null }> {
  const { commit, refused } = await run.uninterrupted(() =>
    run.do(`flag-${change.type}`, {
      kind: 'commit',
      style: 'plain',
      item,
      session,
      subject: `chore(harness): #${item} ${change.type === 'skipped' ? 'is skipped' : 'may be large'}`,
      body: note,
      tree: null,
      checkpoint: null,
      only: [backlog],
      edit: editCall(changeItem, { item, change, base: null }),
    }),
  );
  return { commit, problem: refused };
}

export const refusedDecision = (problem: Problem): EarlyEnd => ({
  result: 'blocked',
  reason: problem.code,
  problems: [problem],
});

export async function skip(
  run: Run<Actions>,
  about: OfSession,
  { note, at }: { readonly note: string; readonly at: string },
  config: Config,
): Promise<ItemOutcome> {
  const change = { type: 'skipped', reason: note || 'decided at a gate', unblock: false, at } as const;
  const { commit, problem } = await writeDecision(run, about, change, note, config);
  return outcomeOf(problem ? refusedDecision(problem) : { result: 'skipped', reason: 'decided-skip', commit });
}
