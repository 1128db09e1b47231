// The items as data: the list, and one item with its details.
import { join } from 'node:path';
import { listFolder, readText } from '../../host/files.ts';
import type { Apart } from '../../model/expected-files.ts';
import type { Item, ItemId, Subject } from '../../model/item.ts';
import type { Json } from '../../model/json.ts';
import { ok, type Result } from '../../model/result.ts';
import { readCurrentItems, type CurrentItems } from '../look/current-items.ts';
import { nameItem } from './find-item.ts';
import { numberAt, plainObject, textAt } from '../open/loose-json.ts';
import { readSpending } from '../look/spending.ts';
import type { ProjectView } from '../open/project-view.ts';
import { playbookNamed } from '../../playbooks/registry.ts';

export type ItemList = {
  readonly items: readonly Item[];
  /** Those that wait for one at work, as both are expected to change the same file. */
  readonly apart: readonly Apart[];
  readonly isSetUp: boolean;
};

/** `attempts` is the number of sessions that worked on the item. */
export async function listItems(view: ProjectView): Promise<Result<ItemList>> {
  const found = await withAttempts(view);
  if (!found.ok) return found;
  const { items, isSetUp, active } = found.value;
  return ok({ items, isSetUp, apart: active.apart });
}

async function withAttempts(view: ProjectView): Promise<Result<CurrentItems>> {
  const current = await readCurrentItems(view);
  if (!current.ok) return current;
  const { byItem } = await readSpending(view);
  // A count in the list itself is authoritative.
  const items = current.value.items.map((item) =>
    item.maxAttempts === undefined ? { ...item, attempts: byItem.get(item.id)?.sessions ?? 0 } : item,
  );
  return ok({ ...current.value, items });
}

/** A session that worked on the item. */
type Worked = {
  readonly session: number;
  readonly result: string;
  readonly reason: string;
  readonly commit: string | null;
  readonly evidence: string | null;
};
export type ItemDetail = {
  readonly item: Item;
  readonly testFile: string | null;
  readonly proof: Subject['proof'] | null;
  readonly steps: readonly string[];
  readonly skipped: Subject['skipped'];
  readonly override: Subject['override'];
  readonly failing: Subject['failing'];
  readonly dependsOn: readonly Pick<Item, 'id' | 'status'>[];
  readonly neededBy: readonly ItemId[];
  readonly sessions: readonly Worked[];
  readonly usd: number | null;
  readonly gates: readonly string[];
  /** The item's entry in the backlog. */
  readonly entry: Json;
};

/** Fails with `item-unknown` or `item-ambiguous` too. */
export async function showItem(view: ProjectView, word: string): Promise<Result<ItemDetail>> {
  const found = await withAttempts(view);
  if (!found.ok) return found;
  const { items, list, text, gates } = found.value;
  const named = nameItem(word, items);
  if (!named.ok) return named;
  const item = named.value;
  const subject = list.subject(item.id);
  const backlog = await playbookNamed(view.playbook).loadFormat();
  const statusOf = new Map(items.map(({ id, status }) => [id, status]));
  const { byItem } = await readSpending(view);
  return ok({
    item,
    testFile: subject?.testFile ?? null,
    proof: subject?.proof ?? null,
    steps: subject?.steps ?? [],
    skipped: subject?.skipped ?? null,
    override: subject?.override ?? null,
    failing: subject?.failing ?? null,
    dependsOn: item.dependsOn.map((id) => ({ id, status: statusOf.get(id) ?? 'pending' })),
    neededBy: subject?.dependents ?? [],
    sessions: sessionsOf(view, item.id),
    usd: byItem.get(item.id)?.usd ?? null,
    gates: gates.filter((gate) => gate.item === item.id).map(({ id }) => id),
    entry: backlog.raw(text, item.id),
  });
}

/** From the session records, oldest first. Damaged records are left out. */
function sessionsOf(view: ProjectView, item: ItemId): readonly Worked[] {
  const folder = join(view.stateDir, 'sessions');
  const entries = listFolder(folder);
  const numbers = entries.ok ? entries.value.map(({ name }) => name).filter((name) => /^\d+$/.test(name)) : [];
  return numbers
    .map(Number)
    .sort((a, b) => a - b)
    .flatMap((session) => {
      const text = readText(join(folder, String(session), 'session.json'));
      const record = text.ok ? plainObject(text.value) : null;
      if (record === null || String(record['feature_id']) !== item) return [];
      const isDone = record['feature_completed'] === true;
      return [
        {
          session: numberAt(record, 'session_id') ?? session,
          result: textAt(record, 'result') ?? (isDone ? 'landed' : 'failed'),
          reason: textAt(record, 'reason') ?? textAt(record, 'termination_reason') ?? '',
          commit: textAt(record, 'commit'),
          evidence: textAt(record, 'evidence'),
        },
      ];
    });
}
