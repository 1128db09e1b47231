// Git's own files that decide what git runs, reads and believes: configuration, hooks, rules of what is ignored, grafts, alternates, the end of
// a shallow history, replaced objects, remotes, and the same of submodules. What they were, and what they are.
// No objects, branches or indexes are among them: what git reads from those is compared elsewhere.
import { Buffer } from 'node:buffer';
import { readdirSync, realpathSync, type Dirent } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { z } from 'zod';
import { readRegular } from '../../host/files.ts';
import { isBelow, isLink, statsOf } from '../../host/paths.ts';
import { differsInEditorKeys } from './editor-keys.ts';
import { linkOf, parentMoved } from './guarded-file.ts';
import { replacedIn } from './packed-refs.ts';
import { MAX_BYTES } from './storage.ts';

/** The folders of a work tree's git; absolute. */
export type GitPlaces = { readonly root: string; readonly gitDir: string; readonly commonDir: string };

const FILES = ['config', 'config.worktree', 'commondir', 'gitdir', 'shallow', 'objects/info/alternates'];
const FOLDERS = ['hooks', 'info', 'refs/replace', 'remotes', 'branches'];
/** Folders around those: one that became a link would lead to files of somebody else. */
const PARENTS = ['objects', 'objects/info', 'refs', 'modules', 'worktrees'];
/** Written by git itself whenever it packs. */
const WRITTEN_BY_GIT = 'info/refs';
/** Of other work trees of the repository, while they are there. */
const OF_WORK_TREES = ['config.worktree', 'commondir'];
export const PACKED = 'packed-refs';

const gitFileSchema = z.strictObject({
  path: z.string(),
  /** The git folder that it belongs to. */
  base: z.string(),
  /** `other`: a pipe, a folder where a file should be, a file that cannot be read. `replaced`: only the lines of replaced objects count. */
  kind: z.enum(['file', 'link', 'other', 'replaced']),
  /** Base64 of a file, the target of a link, lines. A link is compared as a link: what it leads to belongs to its user. */
  content: z.string(),
  mode: z.int(),
});
export type GitFile = z.infer<typeof gitFileSchema>;
export const gitSnapshotSchema = z.strictObject({
  schema: z.literal(1),
  files: z.array(gitFileSchema),
  /** Git folders of submodules. */
  modules: z.array(z.string()),
  /** Files beside git's folders that its configuration links to or includes, there or not. */
  outside: z.array(z.string()),
});
export type GitSnapshot = z.infer<typeof gitSnapshotSchema>;

export type GitDifference = {
  readonly path: string;
  readonly base: string;
  /** null: it was not there. */
  readonly before: GitFile | null;
};

/**
 * `outside`: of the snapshot to compare with. What the configuration of now names is not looked at then: an agent may have named any file of this
 * machine, and what was not there before is removed.
 */
export function readGitFiles(
  { root, gitDir, commonDir }: GitPlaces,
  outside: readonly string[] | null = null,
): GitSnapshot {
  const modules = modulesIn(join(commonDir, 'modules'));
  const own = [...new Set([gitDir, commonDir])];
  const beside = entriesOf(join(commonDir, 'worktrees'))
    .map(({ name }) => join(commonDir, 'worktrees', name))
    .filter((folder) => folder !== gitDir);
  // In a linked work tree or a submodule `.git` is a file that leads to the git folder.
  const dot = stateOf(join(root, '.git'), root);
  const files = [
    ...(dot === null || dot.kind === 'other' ? [] : [dot]),
    ...[...own, ...modules.folders].flatMap(filesOf),
    ...beside.flatMap((base) => OF_WORK_TREES.flatMap((name) => stateOf(join(base, name), base) ?? [])),
    ...modules.links,
  ];
  const named = outside ?? [...new Set(files.flatMap(namedBy))];
  const others = named.flatMap((path) => stateOf(path, dirname(path)) ?? []);
  return { schema: 1, files: [...files, ...others], modules: modules.folders, outside: [...named] };
}

function filesOf(base: string): readonly GitFile[] {
  const links = PARENTS.map((name) => join(base, name)).filter(isLink);
  return [
    ...[...links, ...FILES.map((name) => join(base, name))].flatMap((path) => stateOf(path, base) ?? []),
    ...FOLDERS.flatMap((name) => filesIn(join(base, name), base)),
    ...packedOf(base),
  ];
}

function filesIn(folder: string, base: string): readonly GitFile[] {
  const at = statsOf(folder);
  if (at !== null && !at.isDirectory()) return [stateOf(folder, base)].flatMap((one) => one ?? []);
  return entriesOf(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesIn(path, base);
    // A lock belongs to a git at work; one that is left is the sweep's.
    if (entry.name.endsWith('.lock') || path === join(base, WRITTEN_BY_GIT)) return [];
    return stateOf(path, base) ?? [];
  });
}

function packedOf(base: string): readonly GitFile[] {
  const path = join(base, PACKED);
  const file = readRegular(path, MAX_BYTES);
  const lines = file.kind === 'file' ? replacedIn(file.bytes.toString('utf8')) : [];
  return lines.length === 0 ? [] : [{ path, base, kind: 'replaced', content: lines.join('\n'), mode: 0 }];
}

/** What a file of git's makes it obey beyond its folders. Of the home, others are in charge. */
function namedBy(file: GitFile): readonly string[] {
  const name = relative(file.base, file.path);
  if (!FILES.includes(name)) return [];
  if (file.kind === 'link') return behindLink(file.path);
  const text = file.kind === 'file' && name.startsWith('config') ? bytesOf(file).toString('utf8') : '';
  if (!/^\s*\[include/im.test(text)) return [];
  return [...text.matchAll(/^\s*path\s*=\s*"?([^"\n]+?)"?\s*$/gim)]
    .map(([, path = '']) => path)
    .flatMap((path) => (path.startsWith('~') ? [] : [resolve(dirname(file.path), path)]));
}

function behindLink(path: string): readonly string[] {
  try {
    return [realpathSync(path)];
  } catch {
    return []; // it leads nowhere
  }
}

/** null: nothing is there, or it is behind a link, and thus somewhere else. */
function stateOf(path: string, base: string): GitFile | null {
  if (parentMoved(base, path)) return null;
  const file = readRegular(path, MAX_BYTES);
  if (file.kind === 'absent') return null;
  if (file.kind === 'file')
    return { path, base, kind: 'file', content: file.bytes.toString('base64'), mode: file.mode };
  const link = linkOf(path);
  return { path, base, kind: link === null ? 'other' : 'link', content: link ?? '', mode: 0 };
}

/** Names of submodules may have slashes, and submodules have submodules. */
function modulesIn(folder: string): { readonly folders: string[]; readonly links: GitFile[] } {
  const found: { folders: string[]; links: GitFile[] } = { folders: [], links: [] };
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name);
    if (entry.isSymbolicLink()) found.links.push(...[stateOf(path, folder)].flatMap((one) => one ?? []));
    if (!entry.isDirectory()) continue;
    const isModule = statsOf(join(path, 'HEAD')) !== null;
    const inside = modulesIn(isModule ? join(path, 'modules') : path);
    found.folders.push(...(isModule ? [path] : []), ...inside.folders);
    found.links.push(...inside.links);
  }
  return found;
}

export function differencesOf(before: GitSnapshot, now: GitSnapshot): readonly GitDifference[] {
  const then = new Map(before.files.map((file) => [file.path, file]));
  const present = new Map(now.files.map((file) => [file.path, file]));
  const added = now.modules.filter((folder) => !before.modules.includes(folder));
  const isNew = (path: string): boolean => added.some((folder) => isBelow(path, folder));
  const known = new Set(before.files.map(({ base }) => base));
  return [
    ...added
      .filter((folder) => !added.some((other) => other !== folder && isBelow(folder, other)))
      .map((path) => ({ path, base: path, before: null })),
    ...now.files
      .filter((file) => !isNew(file.path) && !isSame(then.get(file.path), file))
      .filter((file) => known.has(file.base) || !isOfPlainWorkTree(file))
      .map(({ path, base }) => ({ path, base, before: then.get(path) ?? null })),
    // A submodule or another work tree that is gone takes its files along.
    ...before.files
      .filter(({ path, base }) => !present.has(path) && statsOf(base) !== null)
      .map((file) => ({ path: file.path, base: file.base, before: file })),
  ];
}

/** Of a work tree that was added meanwhile, by a user or another run, as `git worktree add` makes it: it leads to this repository. */
const isOfPlainWorkTree = ({ path, base, kind, content }: GitFile): boolean =>
  basename(dirname(base)) === 'worktrees' &&
  path === join(base, 'commondir') &&
  kind === 'file' &&
  Buffer.from(content, 'base64').toString().trim() === '../..';

const isSame = (one: GitFile | undefined, other: GitFile): boolean =>
  one !== undefined && one.kind === other.kind && one.mode === other.mode && isSameContent(one, other);

const isSameContent = (one: GitFile, other: GitFile): boolean =>
  one.content === other.content ||
  (one.kind === 'file' &&
    one.path === join(one.base, 'config') &&
    differsInEditorKeys(bytesOf(one).toString('latin1'), bytesOf(other).toString('latin1')));

/** As people and agents know it, without the path of this machine. */
export function shownName({ root, gitDir, commonDir }: GitPlaces, path: string): string {
  if (isBelow(path, root)) return relative(root, path);
  const folder = [gitDir, commonDir].find((one) => isBelow(path, one));
  return folder === undefined ? path : join('.git', relative(folder, path));
}

/** Never through a link. */
function entriesOf(folder: string): readonly Dirent[] {
  try {
    if (isLink(folder)) return [];
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // not there, or no folder
  }
}

export const bytesOf = ({ kind, content }: GitFile): Buffer =>
  kind === 'file' ? Buffer.from(content, 'base64') : Buffer.from(content);
