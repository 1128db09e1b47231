// The files of the work tree: what an index holds, what changed since, what is untracked, and which folders
// are repositories of their own.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ok, type Result } from '../model/result.ts';
import { type Git, type ObjectId, zeroSplit } from './git.ts';
import { ignoredEntries } from './ignored-entries.ts';
import { factsOf, folderOf, foldersAbove, isLink } from './paths.ts';
import { STATE_FOLDER, type GitView } from './view.ts';

type Env = { readonly [name: string]: string | null };

export type Tracked = { readonly path: string; readonly mode: string; readonly id: ObjectId };
export type FileListing = {
  readonly tracked: readonly Tracked[];
  /** A folder with a repository of its own ends with a slash. */
  readonly untracked: readonly string[];
  /** Tracked paths that differ from the index, or are missing; empty unless asked for. */
  readonly changed: ReadonlySet<string>;
};

/** A folder with a repository of its own. */
export type Inner = { readonly path: string; readonly kind: 'untracked' | 'tracked' | 'submodule' };

/** Of the index in `env`. `at` are arguments of git before the command. */
export async function listFiles(
  git: Git,
  env: Env,
  { at = [], changes = false }: { readonly at?: readonly string[]; readonly changes?: boolean } = {},
): Promise<Result<FileListing>> {
  const what = changes ? ['-c', '-o', '-m', '-d'] : ['-c', '-o'];
  const out = await git.run([...at, 'ls-files', '-z', '-t', '-s', ...what, '--exclude-standard'], { env });
  if (!out.ok) return out;
  const tracked: Tracked[] = [];
  const untracked: string[] = [];
  const changed = new Set<string>();
  for (const line of zeroSplit(out.value)) {
    const tag = line[0] ?? '';
    if (tag === '?') {
      untracked.push(line.slice(2));
      continue;
    }
    const { mode, id, path } = listedEntry(line);
    if (tag === 'C' || tag === 'R') changed.add(path);
    else tracked.push({ mode, id, path });
  }
  return ok({ tracked, untracked, changed });
}

/** An entry as `ls-files -s` prints it with a tag (`-t`, `-v`): the tag, the mode, the id, the stage, a tab, the path. */
export function listedEntry(line: string): Tracked & { readonly tag: string; readonly stage: string } {
  const tab = line.indexOf('\t');
  const [tag = '', mode = '', id = '', stage = ''] = line.slice(0, tab).split(' ');
  return { tag, mode, id, stage, path: line.slice(tab + 1) };
}

/** Files the user tracks although they are ignored: `git add -A` alone skips them. */
export async function trackedThoughIgnored(git: Git, view: GitView): Promise<Result<readonly string[]>> {
  // An index that cannot be read tracks nothing; callers that need the index itself fail.
  const out = await ignoredEntries(git, {
    file: join(git.gitDir, 'index'),
    env: view.guard,
    rules: view.rules,
    mayBeBroken: true,
  });
  if (!out.ok) return out;
  return ok(zeroSplit(out.value).filter((path) => !isOurs(git, path) && isFileOrLink(git, path)));
}

export function findInner(git: Git, { tracked, untracked }: FileListing): readonly Inner[] {
  const inner: Inner[] = untracked
    .filter((path) => path.endsWith('/'))
    .map((path) => ({ path: path.slice(0, -1), kind: 'untracked' }));
  for (const { path, mode } of tracked)
    if (mode === GITLINK && hasRepository(git, path)) inner.push({ path, kind: 'submodule' });
  for (const path of foldersOf(tracked)) if (hasRepository(git, path)) inner.push({ path, kind: 'tracked' });
  return inner.filter(({ path }) => !isOurs(git, path));
}

/** The mode of a submodule's entry. */
export const GITLINK = '160000';

/** Every folder with tracked files below it, but the top. */
export const foldersOf = (tracked: readonly Tracked[]): ReadonlySet<string> =>
  foldersAbove(tracked.flatMap(({ path, mode }) => (mode === GITLINK ? [] : [path])));

/** Whether a .gitattributes lies at the top or in a folder with tracked files, tracked itself or not. */
export const hasAttributes = (git: Git, { tracked, untracked }: Omit<FileListing, 'changed'>): boolean =>
  [...tracked.map(({ path }) => path), ...untracked].some((path) => /(?:^|\/)\.gitattributes$/.test(path)) ||
  ['', ...foldersOf(tracked)].some((folder) => existsSync(join(git.root, folder, '.gitattributes')));

const hasRepository = (git: Git, path: string): boolean =>
  !isLink(join(git.root, path)) && existsSync(join(git.root, path, '.git'));

/** In the harness's folder, or another file that it keeps in the work tree. */
export const isOurs = (git: Git, path: string): boolean =>
  [STATE_FOLDER, ...git.own].some((own) => path === own || path.startsWith(`${own}/`));
/** Copies of it, which a migration leaves: each ignores itself by a rule of its own. */
export const isStateCopy = (path: string): boolean => path.startsWith(`${STATE_FOLDER}.backup.`);

/** Whether a file or link of this work tree is at a path: not behind a link, not in a repository of its own. */
export function isFileOrLink(git: Git, path: string): boolean {
  for (let at = folderOf(path); at !== ''; at = folderOf(at))
    if (isLink(join(git.root, at)) || hasRepository(git, at)) return false;
  const facts = factsOf(join(git.root, path));
  return facts !== null && (facts.isFile() || facts.isSymbolicLink());
}
