// Which entries of an index git ignores: asked once for a path under the same rules, the .gitignore files of the entries' folders among
// these.
import { join } from 'node:path';
import { statsOf } from '../host/paths.ts';
import { readRegular } from '../host/files.ts';
import { ok, type Result } from '../model/result.ts';
import { type Git, zeroSplit } from './git.ts';
import { checksumOf } from './index.ts';
import { isLargeIndex, readIndex } from './index-file.ts';
import type { CacheKey } from './answer-cache.ts';
import { foldersAbove } from './paths.ts';

export type IndexView = {
  /** The index that git reads under `env`. */
  readonly file: string;
  readonly env: { readonly [name: string]: string | null };
  /** Everything beside the .gitignore files that decides what is ignored, as one text. */
  readonly rules: string;
  /** An index that git cannot read has no entries, instead of being a failure. */
  readonly mayBeBroken?: boolean;
};

/** Whether a path is ignored, by everything that decides it. */
const IGNORED: CacheKey<ReadonlyMap<string, boolean>> = { name: 'ignored-entries' };
const LARGEST_RULES_BYTES = 1024 * 1024;
/** What git says of an index that it cannot read. */
const BROKEN = 128;

/** The paths, each ended by a zero byte, as git prints them. */
export async function ignoredEntries(git: Git, index: IndexView): Promise<Result<string>> {
  const checksum = checksumOf(index.file);
  // Read before git reads and after: an answer is kept only where nothing moved meanwhile.
  const now = lookAt(git, index);
  const known = now === null ? undefined : git.memory.get(IGNORED, now.rules);
  if (now !== null && known !== undefined && now.paths.every((path) => known.has(path)))
    return ok(textOf(now.paths.filter((path) => known.get(path) === true)));
  const asked = await git.run(['ls-files', '-z', '-c', '-i', '--exclude-standard'], {
    env: index.env,
    allow: index.mayBeBroken === true ? [BROKEN] : [],
  });
  if (!asked.ok || now === null || checksum === '' || checksumOf(index.file) !== checksum) return asked;
  if (lookAt(git, index)?.rules !== now.rules) return asked;
  const ignored = new Set(zeroSplit(asked.value));
  git.memory.set(IGNORED, now.rules, new Map(now.paths.map((path) => [path, ignored.has(path)])));
  return asked;
}

/** Everything that decides which entries are ignored, as one text; null: that is for git to know. */
export const rulesFor = (git: Git, index: IndexView): string | null => lookAt(git, index)?.rules ?? null;

/** `paths`: git has listed them as not ignored while the rules were these, and they may be entries now. */
export function knowNotIgnored(git: Git, index: IndexView, rules: string | null, paths: readonly string[]): void {
  const known = rules === null ? undefined : git.memory.get(IGNORED, rules);
  if (rules === null || known === undefined || rulesFor(git, index) !== rules) return;
  git.memory.set(IGNORED, rules, new Map([...known, ...paths.map((path) => [path, false] as const)]));
}

function lookAt(
  git: Git,
  { file, rules }: IndexView,
): { readonly paths: readonly string[]; readonly rules: string } | null {
  const places = placesOf(git, file);
  if (places === null) return null;
  const own = rulesIn(git, places.folders);
  return own === null ? null : { paths: places.paths, rules: JSON.stringify([rules, own]) };
}

type Places = { readonly paths: readonly string[]; readonly folders: ReadonlySet<string> };
/** By the checksum of an index. */
const PLACES: CacheKey<Places> = { name: 'places-of-entries' };

/** What an index has; null: it is large, or cannot be read here. */
export function placesOf(git: Git, file: string): Places | null {
  if (isLargeIndex(file)) return null;
  const checksum = checksumOf(file);
  const known = checksum === '' ? undefined : git.memory.get(PLACES, checksum);
  if (known !== undefined) return known;
  const entries = readIndex(git, file);
  if (entries === null) return null;
  const paths = [...new Set(entries.map(({ path }) => path))];
  const places = { paths, folders: foldersAbove(paths) };
  if (checksum !== '' && checksumOf(file) === checksum) git.memory.set(PLACES, checksum, places);
  return places;
}

const textOf = (paths: readonly string[]): string => paths.map((path) => `${path}\0`).join('');

/** The rules of these folders and the top, as one text; null where one is no plain file: how git takes it is not for us to guess. */
function rulesIn(git: Git, folders: ReadonlySet<string>): string | null {
  const found: [string, string][] = [];
  for (const folder of ['', ...[...folders].sort()]) {
    const path = join(git.root, folder, '.gitignore');
    // Most folders have none, and to open a file that is not there takes ten times as long as to look for it.
    if (statsOf(path) === null) continue;
    const file = readRegular(path, LARGEST_RULES_BYTES);
    if (file.kind === 'other') return null;
    if (file.kind === 'file') found.push([folder, file.bytes.toString('latin1')]);
  }
  return JSON.stringify(found);
}
