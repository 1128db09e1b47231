// The items as they stand for people: the backlog as last accepted, with what is under way and what waits for an answer.
import { join } from 'node:path';
import type { Listing } from '../../engine/backlog.ts';
import { glanceAtOpen } from '../../gates/paths.ts';
import { readText } from '../../host/files.ts';
import type { Item, ItemId, ItemStatus } from '../../model/item.ts';
import { failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { readLanes, type Lanes } from './active-sessions.ts';
import type { View } from '../open/view.ts';
import { playbookNamed } from '../../playbooks/registry.ts';

export type Standings = {
  readonly items: readonly Item[];
  readonly list: Listing;
  /** What the list was read from. */
  readonly text: string;
  readonly lanes: Lanes;
  readonly gates: readonly { readonly id: string; readonly item: ItemId | null }[];
  /** False: there is no backlog yet. */
  readonly isSetUp: boolean;
};

/** Fails where the backlog cannot be read; one that is not there is empty. */
export async function readStandings(view: View): Promise<Result<Standings>> {
  const lanes = await readLanes(view.privateDir);
  const gates = glanceAtOpen(join(view.privateDir, 'gates'));
  const text = await backlogText(view, lanes);
  if (!text.ok) return text;
  if (text.value === null) return ok({ items: [], list: NOTHING, text: '', lanes, gates, isSetUp: false });
  const { backlog } = await playbookNamed(view.playbook).load();
  const read = backlog.read(text.value, view.backlog);
  if (!read.ok) return read;
  const at = new Map<ItemId, ItemStatus>();
  for (const { item } of gates) if (item !== null) at.set(item, 'waiting');
  if (lanes.isLive) for (const { item } of lanes.underWay) if (!at.has(item)) at.set(item, 'active');
  const items = read.value.items.map((item) => {
    const now = at.get(item.id);
    return now === undefined || item.status === 'landed' ? item : { ...item, status: now };
  });
  return ok({ items, list: read.value, text: text.value, lanes, gates, isSetUp: true });
}

const NOTHING: Listing = { items: [], next: () => null, canStart: () => false, subject: () => null };

/**
 * While an item is under way, the file in the work tree is the agent's: what it says there has not been proved by
 * anybody. Then the last commit is the truth.
 */
async function backlogText(view: View, lanes: Lanes): Promise<Result<string | null>> {
  if (lanes.underWay.length > 0) {
    const { createGit } = await import('../../repos/git.ts');
    const { wholeEnvironment } = await import('../../host/environment.ts');
    const git = createGit({
      root: view.root,
      env: wholeEnvironment(),
      token: `${view.privateDir}@reader-${process.pid}`,
    });
    const committed = await git.run(['cat-file', 'blob', `HEAD:${view.backlog}`], { allow: [128] });
    if (committed.ok && committed.value !== '') return committed;
  }
  const text = readText(join(view.root, view.backlog));
  if (text.ok) return text;
  const { reason, params } = text.failure;
  return err(failure(reason, { ...params, file: view.backlog }, { at: { file: view.backlog } }));
}

/** The item that the next session works on. One that is under way is taken up where nobody works on it. */
export function nextOf(s: Standings, prefer: ItemId | null): ItemId | null {
  const [standing] = s.lanes.underWay;
  if (standing !== undefined && !s.lanes.isLive) return standing.item;
  const taken = new Set(s.lanes.underWay.map(({ item }) => item));
  return s.list.next({ prefer, taken });
}
