// The current items: the backlog as last accepted, with the status of active sessions and open gates.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Listing } from '../../engine/backlog.ts';
import { glanceAtOpen } from '../../gates/paths.ts';
import { readText } from '../../host/files.ts';
import type { Item, ItemId, ItemStatus } from '../../model/item.ts';
import { failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { readActiveSessions, type ActiveSessions } from './active-sessions.ts';
import { committedText } from './committed.ts';
import { listWhereLanded } from './unmerged.ts';
import { listFrom } from '../open/derived-list.ts';
import type { ProjectView } from '../open/project-view.ts';
import { workspaceOf } from '../../repos/folders.ts';
import { playbookNamed } from '../../playbooks/registry.ts';

export type CurrentItems = {
  readonly items: readonly Item[];
  readonly list: Listing;
  /** The text the list was parsed from. */
  readonly text: string;
  readonly active: ActiveSessions;
  /** `title`: of the item; null: the question is about none, or the list does not have it. */
  readonly gates: readonly { readonly id: string; readonly item: ItemId | null; readonly title: string | null }[];
  /** False: there is no backlog file yet. */
  readonly isSetUp: boolean;
};

/** Fails if the backlog cannot be read; a missing one is empty. */
export async function readCurrentItems(view: ProjectView): Promise<Result<CurrentItems>> {
  const active = await readActiveSessions(view.workspaceDir);
  const open = glanceAtOpen(join(view.privateDir, 'gates'), workspaceOf(view));
  const text = await backlogText(view, active);
  if (!text.ok) return text;
  if (text.value === null)
    return ok({
      items: [],
      list: NOTHING,
      text: '',
      active,
      gates: open.map((one) => ({ ...one, title: null })),
      isSetUp: false,
    });
  const backlog = await playbookNamed(view.playbook).loadFormat();
  const read = backlog.read(text.value, view.backlog);
  if (!read.ok) return read;
  const at = new Map<ItemId, ItemStatus>();
  for (const item of await awaited(view)) at.set(item, 'waiting');
  for (const { item } of open) if (item !== null) at.set(item, 'waiting');
  if (active.isLive) for (const { item } of active.sessions) if (!at.has(item)) at.set(item, 'active');
  const gates = open.map((one) => {
    const subject = one.item === null ? null : read.value.subject(one.item);
    return { ...one, title: subject?.title ?? null };
  });
  const items = read.value.items.map((item) => {
    const now = at.get(item.id);
    return now === undefined || item.status === 'landed' ? item : { ...item, status: now };
  });
  return ok({ items, list: read.value, text: text.value, active, gates, isSetUp: true });
}

/** Items whose pull request others have to merge. Most projects have none, and load nothing for it. */
async function awaited({ workspaceDir }: ProjectView): Promise<readonly ItemId[]> {
  if (!existsSync(join(workspaceDir, 'proposed'))) return [];
  const [{ proposalsIn }, { isAwaited }] = await Promise.all([
    import('../../loop/proposals.ts'),
    import('../../model/proposal.ts'),
  ]);
  return proposalsIn({ workspaceDir })
    .filter(isAwaited)
    .map(({ item }) => item);
}

const NOTHING: Listing = { items: [], next: () => null, canStart: () => false, subject: () => null };

/**
 * During a session the file in the work tree is the agent's, and its claims are not verified: the last commit is read instead.
 */
async function backlogText(view: ProjectView, active: ActiveSessions): Promise<Result<string | null>> {
  const playbook = playbookNamed(view.playbook);
  if (playbook.list.derive !== undefined) {
    const { resolveConfig } = await import('../config/resolve.ts');
    const resolved = await resolveConfig(view.root, { configFile: view.source });
    return resolved.ok ? ok(await listFrom(view.root, resolved.value.config, playbook)) : resolved;
  }
  const format = { file: view.backlog, backlog: () => playbook.loadFormat() };
  const users = readText(join(view.root, view.backlog));
  const landed = await listWhereLanded(view, format, users.ok ? users.value : null);
  if (landed !== null) return ok(landed);
  if (active.sessions.length > 0) {
    const committed = await committedText(view, view.backlog);
    if (committed.ok && committed.value !== '') return committed;
  }
  if (users.ok) return users;
  const { reason, params } = users.failure;
  return err(failure(reason, { ...params, file: view.backlog }, { at: { file: view.backlog } }));
}

/** The item of the next session: an interrupted one first. Items that wait for an answer only where there is no other. */
export function nextItemOf(s: CurrentItems, prefer: ItemId | null): ItemId | null {
  const asked = new Set(s.gates.map(({ item }) => item));
  const interrupted = s.active.sessions.find(({ item }) => !asked.has(item));
  if (interrupted !== undefined && !s.active.isLive) return interrupted.item;
  const waiting = [...asked].filter((item) => item !== null);
  const taken = new Set([...s.active.sessions.map(({ item }) => item), ...waiting]);
  const apart = new Set(s.active.apart.map(({ item }) => item));
  const next = s.list.next({ prefer, taken: new Set([...taken, ...apart]) }) ?? s.list.next({ prefer, taken });
  return next ?? (s.active.isLive ? null : (s.active.sessions[0]?.item ?? null));
}
