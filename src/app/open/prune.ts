// What is kept by number, not by age: journals, evidence, logs of runs. Done at the start of a run and after each of its items.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { eventsFolder } from '../../host/run-events.ts';
import { waitingFor } from './unfinished-sessions.ts';
import type { Target } from './target.ts';

/** How many journals of items, evidence folders, event logs and earlier states of git's own files are kept. Evidence of landed items is in its bundle too. */
const KEPT = { items: 150, evidence: 500, 'git-files': 20, events: 500 };

/** Keeps the most recently written: names have no order, and the journal of an interrupted session is still needed. */
export function prune({ io, privateDir, workspaceDir }: Pick<Target, 'io' | 'privateDir' | 'workspaceDir'>): void {
  const isWaiting = waitingFor(workspaceDir).length > 0;
  for (const { folder, most } of [
    { folder: join(workspaceDir, 'items'), most: KEPT.items },
    { folder: join(workspaceDir, 'git-files'), most: KEPT['git-files'] },
    { folder: join(privateDir, 'evidence'), most: KEPT.evidence },
    { folder: eventsFolder(workspaceDir), most: KEPT.events },
  ]) {
    // An item that waits for an answer needs its journal and its evidence, however long.
    if (isWaiting) continue;
    if (!existsSync(folder)) continue;
    const paths = readdirSync(folder).map((entry) => join(folder, entry));
    if (paths.length <= most) continue;
    const newestFirst = paths.map((path) => ({ path, at: statSync(path).mtimeMs })).sort((a, b) => b.at - a.at);
    for (const { path } of newestFirst.slice(most)) io.remove(path);
  }
}
