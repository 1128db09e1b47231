// Issues become items, and items follow their issues: as messages to the run, which changes the list between two items.
import { addEdit, flagEdit } from '../../engine/list-edits.ts';
import { ok, type Result } from '../../model/result.ts';
import type { ItemId } from '../../model/item.ts';
import { draftOf } from '../list/draft.ts';
import { pendingEntries } from '../list/pending.ts';
import { itemsUnderWay } from '../open/unfinished-sessions.ts';
import { post } from '../list/inbox.ts';
import { backlogPlan, itemsByIssue, unknownDependencies, type BacklogAct } from './backlog-plan.ts';
import { readOrNone, type Syncing } from './syncing.ts';

/** Gives the issues that are to be looked at again. */
export async function takeBacklog(syncing: Syncing): Promise<Result<readonly number[]>> {
  const { target, seen: issues, items, report } = syncing;
  const { links } = syncing.record;
  const over = await overOnes(syncing);
  if (!over.ok) return over;
  const atWork = itemsUnderWay(target.workspaceDir);
  // The title of an item that is a file of its own is its author's.
  const retitles = target.machine.adds === undefined;
  const plan = backlogPlan({ issues, items, links, atWork, over: over.value, retitles });
  const waiting: number[] = [];
  const again = (number: number, event: 'wait' | 'refuse', words: string): void => {
    waiting.push(number);
    if (words !== '') report({ do: event, number, item: '', words });
  };
  const ids = new Map<number, ItemId>([...itemsByIssue(items, links)].map(([number, { id }]) => [number, id]));
  for (const act of plan) {
    if (act.do === 'wait') again(act.number, 'wait', act.on.map((one) => `#${one}`).join(', '));
    else if (act.do === 'retitle') retitle(syncing, act);
    else {
      const added = add(syncing, act, ids);
      if (!added.ok) again(act.number, 'refuse', syncing.catalogue.failure(added.failure).title);
    }
  }
  return ok(waiting);
}

type ActOf<D extends BacklogAct['do']> = Extract<BacklogAct, { readonly do: D }>;

function add(
  { target, text: list, report }: Syncing,
  { number, text }: ActOf<'add'>,
  ids: Map<number, ItemId>,
): Result<null> {
  const { workspaceDir, io, clock, config } = target;
  const file = config.paths.backlog;
  const dependsOn = text.dependsOn.flatMap((one) => ids.get(one) ?? []);
  const draft = draftOf(target, { text: list, queued: pendingEntries(target) }, { ...text, dependsOn }, null);
  if (!draft.ok) return draft;
  const { id, entry, isThere } = draft.value;
  ids.set(number, id);
  if (isThere) return ok(null);
  const subject = `chore(harness): #${id} from issue #${number}: ${text.title}`;
  post(workspaceDir, io, clock.now(), { type: 'change', item: id, subject, edit: addEdit(file, entry) });
  report({ do: 'add', number, item: id, words: text.title });
  return ok(null);
}

function retitle({ target, report }: Syncing, { item, number, title }: ActOf<'retitle'>): void {
  const { workspaceDir, io, clock, config } = target;
  const edit = flagEdit(config.paths.backlog, item, { type: 'retitled', title });
  const subject = `chore(harness): #${item} has the new title of its issue`;
  post(workspaceDir, io, clock.now(), { type: 'change', item, subject, edit });
  report({ do: 'retitle', number, item, words: title });
}

/** Issues that nothing waits for any more: closed, or no issues at all. */
async function overOnes({ forge, seen, items, record }: Syncing): Promise<Result<ReadonlySet<number>>> {
  const over = new Set(seen.filter(({ state }) => state === 'closed').map(({ number }) => number));
  for (const number of unknownDependencies({ issues: seen, items, links: record.links })) {
    const issue = await readOrNone(forge, number);
    if (!issue.ok) return issue;
    if (issue.value?.state !== 'open') over.add(number);
  }
  return ok(over);
}
