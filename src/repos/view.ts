// Two ways to read the work tree with git. `raw` takes every byte as it is, under a git folder of our own that
// knows no filter, no line ending and no configuration of the repository: for checkpoints and for what was verified.
// `plain` is what the user's own `git add` would store, minus commands the repository configured: for commits.
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  copyFileSync,
  writeFileSync,
} from 'node:fs';
import { randomUUID } from 'node:crypto';
import { dirname, join, resolve } from 'node:path';
import { targetStatsOf } from '../host/paths.ts';
import { named } from '../host/io.ts';
import { ok, type Result } from '../model/result.ts';
import type { Git } from './git.ts';
import { asPairs, guardEnvironment, readSettings, refuseSparse, type Settings } from './settings.ts';

export type GitView = {
  readonly kind: 'raw' | 'plain';
  /** The environment of git; an index file is added per operation. */
  readonly env: { readonly [name: string]: string | null };
  /** The same for the repository's own git folder, to ask about the user's index. */
  readonly guard: { readonly [name: string]: string | null };
  /** Everything beside the .gitignore files that decides what belongs to the tree, as one text. */
  readonly rules: string;
};

/** The harness's own folder in the work tree: part of no tree, removed by nothing here. */
export const STATE_FOLDER = '.harness';

/** Bytes as they are: overrides every .gitattributes. */
const AS_IT_LIES = '* -text -eol -filter -ident -working-tree-encoding\n';

/** The git folder of `raw`, for this work tree. */
export const rawFolder = ({ privateDir }: Pick<Git, 'privateDir'>): string => join(privateDir, 'raw');

export async function rawView(git: Git): Promise<Result<GitView>> {
  const settings = await readSettings(git);
  if (!settings.ok) return settings;
  const folder = rawFolder(git);
  prepareFolder(git, folder, settings.value);
  const ignore = writeIgnoreRules(git, settings.value);
  const env = {
    GIT_DIR: folder,
    GIT_COMMON_DIR: null,
    GIT_OBJECT_DIRECTORY: join(git.commonDir, 'objects'),
    ...asPairs(rawSettings(settings.value, ignore)),
  };
  const guard = guardEnvironment(settings.value, ignore);
  return ok({ kind: 'raw', env, guard, rules: JSON.stringify([env, guard, ignoreRules(git)]) });
}

export async function plainView(git: Git): Promise<Result<GitView>> {
  const settings = await readSettings(git);
  if (!settings.ok) return settings;
  const whole = refuseSparse(git, settings.value);
  if (!whole.ok) return whole;
  const ignore = writeIgnoreRules(git, settings.value);
  const guard = guardEnvironment(settings.value, ignore);
  const rules = JSON.stringify([guard, rawSettings(settings.value, ignore), ignoreRules(git)]);
  return ok({ kind: 'plain', env: guard, guard, rules });
}

function rawSettings({ own, repository }: Settings, ignore: string): [string, string][] {
  const pairs: [string, string][] = [
    ['core.filemode', 'true'],
    ['core.symlinks', 'true'],
    ['core.excludesfile', ignore],
  ];
  for (const key of ['core.ignorecase', 'core.precomposeunicode']) {
    const value = repository.get(key) ?? own.get(key);
    if (value !== undefined) pairs.push([key, value]);
  }
  return pairs;
}

/** Repeatable and safe in parallel: every file is replaced as a whole, and only if it differs. */
function prepareFolder(git: Git, folder: string, settings: Settings): void {
  mkdirSync(join(folder, 'refs'), { recursive: true });
  mkdirSync(join(folder, 'info'), { recursive: true });
  const format = settings.repository.get('extensions.objectformat');
  const version = format === undefined ? '0' : `1\n[extensions]\n\tobjectFormat = ${format.replace(/\W/g, '')}`;
  writeIfOther(join(folder, 'HEAD'), 'ref: refs/heads/none\n');
  writeIfOther(join(folder, 'config'), `[core]\n\tbare = false\n\trepositoryFormatVersion = ${version}\n`);
  writeIfOther(join(folder, 'info', 'attributes'), AS_IT_LIES);
  writeIfOther(join(folder, 'info', 'exclude'), textOf(excludeFile(git)) ?? '');
}

/** Ignore rules of this clone alone, never committed. */
export const excludeFile = ({ commonDir }: Pick<Git, 'commonDir'>): string => join(commonDir, 'info', 'exclude');

/**
 * What is ignored beside the .gitignore files and the clone's own exclude file: the user's rules and the repository's,
 * together. Too much ignored is a file left alone; too little is a file of the user's committed or removed.
 */
function writeIgnoreRules(git: Git, { own, repository }: Settings): string {
  const home = git.userEnv['HOME'] ?? '';
  const usual = join(git.userEnv['XDG_CONFIG_HOME'] ?? join(home, '.config'), 'git', 'ignore');
  const files = [own.get('core.excludesfile') ?? usual, repository.get('core.excludesfile') ?? ''];
  const texts = files.map((file) =>
    file === '' ? '' : (textOf(resolve(git.root, file.replace(/^~\//, `${home}/`))) ?? ''),
  );
  const path = join(git.privateDir, 'ignore');
  mkdirSync(git.privateDir, { recursive: true });
  writeIfOther(path, [...texts, `/${STATE_FOLDER}/`, ...git.own.map((path) => `/${path}`), ''].join('\n'));
  return path;
}

/** Every rule that is not in a .gitignore, one a line: what a checkpoint remembers. */
export const ignoreRules = (git: Git): string =>
  [excludeFile(git), join(git.privateDir, 'ignore')].map((file) => textOf(file) ?? '').join('\n');

function writeIfOther(path: string, text: string): void {
  if (textOf(path) === text) return;
  const next = `${path}.${randomUUID()}`;
  try {
    writeFileSync(next, text);
    renameSync(next, path);
  } catch (error) {
    rmSync(next, { force: true });
    throw named(error, path);
  }
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null; // not there yet
  }
}

/** The private index that the last operation with this `cache` left. */
export const keptIndex = ({ privateDir }: Git, cache: string): string => join(privateDir, `${cache}.index`);

/**
 * Lends a private index file for one operation. It starts from the last one of the same `cache`, so that only changed
 * files are hashed, and becomes the next when the operation succeeded; null starts empty and leaves nothing. `sinceMs`:
 * the time of that index; files touched since may differ from it.
 */
export async function withIndex<T>(
  git: Git,
  cache: string | null,
  use: (env: { readonly GIT_INDEX_FILE: string }, sinceMs: number) => Promise<Result<T>>,
): Promise<Result<T>> {
  const startedMs = Date.now();
  mkdirSync(git.privateDir, { recursive: true });
  const file = join(git.privateDir, `index-${randomUUID()}`);
  const kept = cache === null ? null : keptIndex(git, cache);
  if (kept !== null) copyIndex(kept, file);
  try {
    const result = await use({ GIT_INDEX_FILE: file }, targetStatsOf(file)?.mtimeMs ?? 0);
    if (result.ok && kept !== null) moveIndex(file, kept, startedMs);
    return result;
  } finally {
    for (const left of [file, `${file}.lock`]) if (existsSync(left)) rmSync(left, { force: true });
  }
}

/**
 * Copies an index with a time that is never later than the original's: git trusts the times of files that are older than
 * the index, and a later copy would hide a change made in the same tick.
 */
export function copyIndex(from: string, to: string): void {
  try {
    const { mtimeMs } = statSync(from);
    mkdirSync(dirname(to), { recursive: true });
    copyFileSync(from, to);
    const before = new Date(Math.floor(mtimeMs) - 1);
    utimesSync(to, before, before);
  } catch {
    rmSync(to, { force: true }); // no index yet, which git reads as an empty one
  }
}

function moveIndex(from: string, to: string, startedMs: number): void {
  try {
    utimesSync(from, new Date(startedMs), new Date(startedMs));
    renameSync(from, to);
  } catch {
    rmSync(to, { force: true }); // an operation on nothing writes no index
  }
}
