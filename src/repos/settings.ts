// What the git configuration says, read as data: who the user is, what their own configuration wants ignored and
// filtered. Owns the defence against commands that the repository's configuration would have run.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readText } from '../host/files.ts';
import { failure } from '../model/failure.ts';
import { err, ok, type Result } from '../model/result.ts';
import type { Git } from './git.ts';
import type { CacheKey } from './answer-cache.ts';

export type Identity = { readonly name: string; readonly email: string };

/** Values by key, last one wins; `own` holds what the user or the machine says, `repository` what the repository says. */
export type Settings = { readonly own: ReadonlyMap<string, string>; readonly repository: ReadonlyMap<string, string> };

/** The author of commits if no name is known. */
export const HARNESS: Identity = { name: 'harness', email: 'harness@localhost' };

/** Of the user's own configuration only this much counts in the harness's commands; filters are added below. */
const USER_KEYS = ['core.attributesfile', 'core.autocrlf', 'core.eol'];

/** `others`: files that were read beside the usual ones. `texts`: of all of them. Work trees of a repository with the same texts have the same settings. */
type Known = { readonly settings: Settings; readonly others: readonly string[]; readonly texts: string };
const SETTINGS: CacheKey<Known> = { name: 'settings' };

/** Reads the configuration without obeying it: listing runs nothing. Asked again only when a file of it has changed. */
export async function readSettings(git: Git): Promise<Result<Settings>> {
  const usual = usualFiles(git);
  const known = git.objects.get(SETTINGS, '');
  if (known !== undefined && textsOf([...usual, ...known.others]) === known.texts) return ok(known.settings);
  // Read before git reads: a file that changes in between makes the next look ask again.
  const before = textsOf(usual);
  const env = {
    ...Object.fromEntries(Object.entries(git.userEnv).filter(([name]) => /^GIT_CONFIG_(GLOBAL|SYSTEM)$/.test(name))),
    GIT_CONFIG_NOSYSTEM: git.userEnv['GIT_CONFIG_NOSYSTEM'] ?? null,
  };
  const listed = await git.run(['config', '--list', '-z', '--show-scope', '--show-origin'], {
    env: { GIT_CONFIG_GLOBAL: null, ...env },
  });
  if (!listed.ok) return listed;
  const own = new Map<string, string>();
  const repository = new Map<string, string>();
  const parts = listed.value.split('\0');
  const origins = new Set<string>();
  for (let i = 0; i + 2 < parts.length; i += 3) {
    const [scope, origin, pair] = [parts[i] ?? '', parts[i + 1] ?? '', parts[i + 2] ?? ''];
    origins.add(origin);
    const cut = pair.indexOf('\n');
    const [key, value] = cut < 0 ? [pair, 'true'] : [pair.slice(0, cut), pair.slice(cut + 1)];
    if (scope === 'global' || scope === 'system') own.set(key, value);
    else if (scope === 'local' || scope === 'worktree') repository.set(key, value);
  }
  const settings = { own, repository };
  const system = [...origins].flatMap((origin) =>
    origin.startsWith('file:') ? [resolve(git.root, origin.slice(5))] : [],
  );
  const others = system.filter((file) => !usual.includes(file));
  const hasIncludes = [own, repository].some((map) => [...map.keys()].some((key) => /^include(?:if)?\./.test(key)));
  // What is included depends on more than these files; a file that cannot be read as text is nothing to compare.
  if (!hasIncludes && before !== null && textsOf(usual) === before) {
    const texts = textsOf([...usual, ...others]);
    if (texts !== null) git.objects.set(SETTINGS, '', { settings, others, texts });
  }
  return ok(settings);
}

/**
 * Where git looks for configuration, there or not. The machine's own file is added when it was read: one that is made
 * later counts from the next start, which changes nothing that an agent could gain.
 */
function usualFiles(git: Git): readonly string[] {
  const { HOME: home = '', GIT_CONFIG_GLOBAL: global } = git.userEnv;
  const more = configHome(git);
  const own =
    global !== undefined
      ? [global]
      : [home === '' ? '' : join(home, '.gitconfig'), more === '' ? '' : join(more, 'git', 'config')];
  return [join(git.commonDir, 'config'), join(git.gitDir, 'config.worktree'), ...own]
    .filter((file) => file !== '' && file !== '/dev/null')
    .map((file) => resolve(git.root, file));
}

/** The user's own folder of configuration, '' where there is none. */
function configHome(git: Git): string {
  const { HOME: home = '', XDG_CONFIG_HOME: xdg = '' } = git.userEnv;
  return xdg !== '' ? xdg : home === '' ? '' : join(home, '.config');
}

/** null where one of them cannot be read. */
function textsOf(files: readonly string[]): string | null {
  const texts: (string | null)[] = [];
  for (const file of files) {
    const text = readText(file);
    if (!text.ok) return null;
    texts.push(text.value);
  }
  return JSON.stringify(texts);
}

/** The name commits carry: the user's where known, else the harness's own. */
export function identityOf(git: Git, settings: Settings): Identity {
  const of = (key: string) => settings.repository.get(key) ?? settings.own.get(key);
  const name = git.userEnv['GIT_AUTHOR_NAME'] ?? of('user.name');
  const email = git.userEnv['GIT_AUTHOR_EMAIL'] ?? of('user.email');
  return name !== undefined && email !== undefined && name.trim() !== '' ? { name, email } : HARNESS;
}

export function identityEnvironment({ name, email }: Identity): { [name: string]: string } {
  return {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
  };
}

/** The environment in which a commit is made in the user's name. */
export async function asUser(git: Git): Promise<Result<{ [name: string]: string }>> {
  const settings = await readSettings(git);
  return settings.ok ? ok(identityEnvironment(identityOf(git, settings.value))) : settings;
}

/**
 * The environment for git commands that read or write the work tree under the repository's own configuration. Filter
 * commands of the repository are switched off, those of the user's own configuration (git-lfs) count; so do the user's
 * line endings, where the repository does not say otherwise. `ignore` is a file of ignore rules.
 */
export function guardEnvironment({ own, repository }: Settings, ignore: string): { [name: string]: string } {
  const pairs = new Map([['core.excludesfile', ignore]]);
  for (const key of USER_KEYS) {
    const value = own.get(key);
    if (value !== undefined && !repository.has(key)) pairs.set(key, value);
  }
  for (const key of repository.keys()) if (isFilter(key)) pairs.set(key, key.endsWith('.required') ? 'false' : '');
  for (const [key, value] of own) if (isFilter(key)) pairs.set(key, value);
  return asPairs([...pairs]);
}

const isFilter = (key: string): boolean => /^filter\..+\.(clean|smudge|process|required)$/.test(key);

/** Whether `git add` stores something else than the bytes of a file, as far as configuration and attributes beside the tree say. */
export function hasConversions(git: Git, { own, repository }: Settings): boolean {
  const of = (key: string): string => (repository.get(key) ?? own.get(key) ?? '').toLowerCase();
  const isOff = (key: string): boolean => ['false', 'no', 'off', '0', ''].includes(of(key));
  const isPlain = isOff('core.autocrlf') && of('core.attributesfile') === '' && !isFalse(of('core.filemode'));
  if (!isPlain || isFalse(of('core.symlinks'))) return true;
  const home = configHome(git);
  return [
    join(git.gitDir, 'info', 'attributes'),
    join(git.commonDir, 'info', 'attributes'),
    ...(home === '' ? [] : [join(home, 'git', 'attributes')]),
  ].some((file) => existsSync(file));
}

const isFalse = (value: string): boolean => ['false', 'no', 'off', '0'].includes(value);

/** Configuration by environment takes any key and value, which `-c key=value` does not. An empty value stays a value. */
export function asPairs(pairs: readonly (readonly [string, string])[]): { [name: string]: string } {
  const env: { [name: string]: string } = { GIT_CONFIG_COUNT: String(pairs.length) };
  for (const [i, [key, value]] of pairs.entries()) {
    env[`GIT_CONFIG_KEY_${i}`] = key;
    env[`GIT_CONFIG_VALUE_${i}`] = value;
  }
  return env;
}

/** Parts of a work tree that are left out on purpose look like deleted ones: refused. */
export function refuseSparse(git: Git, settings: Settings): Result<null> {
  const isSparse = /^(true|yes|on|1)$/i.test(settings.repository.get('core.sparsecheckout') ?? '');
  return isSparse ? err(failure('sparse-checkout', { root: git.root })) : ok(null);
}
