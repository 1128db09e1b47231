// Whether git would call the work tree clean, without a git process: before and after each item that is asked, and as a rule it is.
import { join } from 'node:path';
import { exactStatsOf, exactTargetStatsOf } from '../host/paths.ts';
import { hasContent } from './file-content.ts';
import type { Git, ObjectId } from './git.ts';
import { ignoredNow } from './ignored-paths.ts';
import { isSeen, isSettled, readSmallIndex, type IndexEntry } from './index-file.ts';
import { GITLINK, hasAttributes } from './listing.ts';
import { behindLinks, modeOf } from './paths.ts';
import { hasConversions, readSettings } from './settings.ts';
import { filesOfTree } from './tree-walk.ts';
import { rawView } from './view.ts';
import { isFolder, lookAtFiles } from './work-tree-facts.ts';

/**
 * True: the index is that of this commit, each of its files is as in the index, and every other file is ignored. False: that is not so, or
 * is for git to say. What the harness keeps in the work tree for itself is not looked at.
 */
export async function isCleanAt(git: Git, head: ObjectId): Promise<boolean> {
  const index = join(git.gitDir, 'index');
  const entries = readSmallIndex(git, index);
  if (entries === null || entries.length > MOST_FILES || !(await areOf(git, head, entries))) return false;
  const view = await rawView(git);
  if (!view.ok) return false;
  const known = ignoredNow(git, view.value.rules);
  const look = known?.look ?? lookAtFiles(git);
  if (look === null) return false;
  const ignored = new Set(known?.ignored.map((path) => path.replace(/\/$/, '')));
  const tracked = new Set(entries.map(({ path }) => path));
  for (const [path, facts] of look.paths)
    if (!tracked.has(path) && !isFolder(facts) && !ignored.has(path)) return false;
  return areUnchanged(git, { file: index, entries });
}

/** To look at more takes longer than to ask git. */
const MOST_FILES = 1_000;

const isSpecial = ({ stage, isMarked, isIntent, mode, path }: IndexEntry): boolean =>
  stage !== 0 || isMarked || isIntent || mode === GITLINK || path.includes('\uFFFD');

/** Whether the index has just what the commit has. */
async function areOf(git: Git, head: ObjectId, entries: readonly IndexEntry[]): Promise<boolean> {
  const files = await filesOfTree(git, head);
  if (!files.ok || files.value.length !== entries.length) return false;
  const ids = new Map(files.value.map(({ path, mode, id }) => [path, `${mode} ${id}`]));
  return entries.every(({ path, mode, id }) => ids.get(path) === `${mode} ${id}`);
}

/** To read more files than this takes longer than to ask git. */
const MOST_READ = 100;

type IndexOnDisk = { readonly file: string; readonly entries: readonly IndexEntry[] };

/**
 * Whether the files of these entries are as in the index. False also where git has to say. A file that is not as git saw it, or that was changed
 * in the moment in which the index was written, is read; where git converts files (line endings, filters), it is for git to read.
 */
export async function areUnchanged(
  git: Git,
  { file: index, entries }: IndexOnDisk,
  named: readonly IndexEntry[] = entries,
): Promise<boolean> {
  const isBehindLink = behindLinks(git.root);
  const written = exactTargetStatsOf(index);
  const touched: IndexEntry[] = [];
  for (const entry of named) {
    if (isSpecial(entry) || isBehindLink(entry.path)) return false;
    const facts = exactStatsOf(join(git.root, entry.path));
    if (facts === null || modeOf(facts) !== entry.mode) return false;
    const isAsSeen = written !== null && isSeen(entry, facts) && isSettled(facts, written);
    if (!isAsSeen) touched.push(entry);
  }
  if (touched.length === 0) return true;
  if (touched.length > MOST_READ || (await mayConvert(git, entries))) return false;
  return touched.every((entry) => hasContent(join(git.root, entry.path), entry));
}

/** Whether git may store something else than the bytes of a file. */
async function mayConvert(git: Git, entries: readonly IndexEntry[]): Promise<boolean> {
  if (hasAttributes(git, { tracked: entries, untracked: [] })) return true;
  const settings = await readSettings(git);
  return !settings.ok || hasConversions(git, settings.value);
}
