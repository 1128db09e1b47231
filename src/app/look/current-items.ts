// The current items: the backlog as last accepted, with the status of active sessions and open gates.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Listing } from '../../engine/backlog.ts';
import { glanceAtOpen } from '../../gates/paths.ts';
import { readText } from '../../host/files.ts';
import { covered } from '../../host/source-watch.ts';
import type { Item, ItemId, ItemStatus } from '../../model/item.ts';
import { failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { readActiveSessions, type ActiveSessions } from './active-sessions.ts';
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
  readonly gates: readonly { readonly id: string; readonly item: ItemId | null }[];
  /** False: there is no backlog file yet. */
  readonly isSetUp: boolean;
};

/** Fails if the backlog cannot be read; a missing one is empty. */
export async function readCurrentItems(view: ProjectView): Promise<Result<CurrentItems>> {
  const active = await readActiveSessions(view.workspaceDir);
  const gates = glanceAtOpen(join(view.privateDir, 'gates'), workspaceOf(view));
  const text = await backlogText(view, active);
  if (!text.ok) return text;
  if (text.value === null) return ok({ items: [], list: NOTHING, text: '', active, gates, isSetUp: false });
  const backlog = await playbookNamed(view.playbook).loadFormat();
  const read = backlog.read(text.value, view.backlog);
  if (!read.ok) return read;
  const at = new Map<ItemId, ItemStatus>();
  for (const item of await awaited(view)) at.set(item, 'waiting');
  for (const { item } of gates) if (item !== null) at.set(item, 'waiting');
  if (active.isLive) for (const { item } of active.sessions) if (!at.has(item)) at.set(item, 'active');
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
  if (active.sessions.length > 0) {
    const { createGit } = await import('../../repos/git.ts');
    const { idFromFiles } = await import('../../repos/head.ts');
    const { wholeEnvironment } = await import('../../host/environment.ts');
    const git = createGit({
      root: view.root,
      env: wholeEnvironment(),
      token: `${view.workspaceDir}@reader-${process.pid}`,
    });
    // Of the commit that the files of git name, the text is always the same; git may know more about HEAD than they say.
    const commit = idFromFiles(git, 'HEAD');
    const read = () => git.run(['cat-file', 'blob', `${commit ?? 'HEAD'}:${view.backlog}`], { allow: [128] });
    const isThere = (text: Result<string>): text is { ok: true; value: string } => text.ok && text.value !== '';
    const committed = await covered(read, (text) => commit !== null && isThere(text));
    if (isThere(committed)) return committed;
  }
  const text = readText(join(view.root, view.backlog));
  if (text.ok) return text;
  const { reason, params } = text.failure;
  return err(failure(reason, { ...params, file: view.backlog }, { at: { file: view.backlog } }));
}

/** The item of the next session: an interrupted one first. Items that wait for an answer only where there is no other. */
export function nextItemOf(s: CurrentItems, prefer: ItemId | null): ItemId | null {
  const asked = new Set(s.gates.map(({ item }) => item));
  const interrupted = s.active.sessions.find(({ item }) => !asked.has(item));
  if (interrupted !== undefined && !s.active.isLive) return interrupted.item;
  const waiting = [...asked].filter((item) => item !== null);
  const taken = new Set([...s.active.sessions.map(({ item }) => item), ...waiting]);
  return s.list.next({ prefer, taken }) ?? (s.active.isLive ? null : (s.active.sessions[0]?.item ?? null));
}
