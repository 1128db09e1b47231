// Which entries of an index git ignores: asked once for the same entries under the same rules, the .gitignore files of their
// folders among these.
import { join } from 'node:path';
import { readRegular } from '../host/files.ts';
import { ok, type Result } from '../model/result.ts';
import { type Git, zeroSplit } from './git.ts';
import { checksumOf } from './index.ts';
import type { CacheKey } from './answer-cache.ts';
import { foldersAbove } from './paths.ts';

export type IndexView = {
  /** The index that git reads under `env`. */
  readonly file: string;
  readonly env: { readonly [name: string]: string | null };
  /** Everything beside the .gitignore files that decides what is ignored, as one text. */
  readonly rules: string;
  /** Every folder with an entry below it, and maybe some without; null: git is asked. */
  readonly folders: ReadonlySet<string> | null;
  /** An index that git cannot read has no entries, instead of being a failure. */
  readonly mayBeBroken?: boolean;
};

const FOLDERS: CacheKey<ReadonlySet<string>> = { name: 'folders-of-index' };
const IGNORED: CacheKey<string> = { name: 'ignored-entries' };
const LARGEST_RULES_BYTES = 1024 * 1024;
/** What git says of an index that it cannot read. */
const BROKEN = 128;

/** The paths, each ended by a zero byte, as git prints them. */
export async function ignoredEntries(git: Git, index: IndexView): Promise<Result<string>> {
  const checksum = checksumOf(index.file);
  const ask = (): Promise<Result<string>> => list(git, index, ['-i', '--exclude-standard']);
  if (checksum === '') return ask();
  const folders = index.folders === null ? await foldersOfIndex(git, index, checksum) : ok(index.folders);
  if (!folders.ok) return folders;
  // Read before git reads and after: an answer is kept only where nothing moved meanwhile.
  const own = rulesIn(git, folders.value);
  if (own === null) return ask();
  const circumstances = JSON.stringify([checksum, index.rules, own]);
  const known = git.memory.get(IGNORED, circumstances);
  if (known !== undefined) return ok(known);
  const asked = await ask();
  const isSame = checksumOf(index.file) === checksum && rulesIn(git, folders.value) === own;
  if (asked.ok && isSame) git.memory.set(IGNORED, circumstances, asked.value);
  return asked;
}

const list = (git: Git, { env, mayBeBroken }: IndexView, what: readonly string[]): Promise<Result<string>> =>
  git.run(['ls-files', '-z', '-c', ...what], { env, allow: mayBeBroken === true ? [BROKEN] : [] });

async function foldersOfIndex(git: Git, index: IndexView, checksum: string): Promise<Result<ReadonlySet<string>>> {
  const known = git.memory.get(FOLDERS, checksum);
  if (known !== undefined) return ok(known);
  const asked = await list(git, index, []);
  if (!asked.ok) return asked;
  const folders = foldersAbove(zeroSplit(asked.value));
  if (checksumOf(index.file) === checksum) git.memory.set(FOLDERS, checksum, folders);
  return ok(folders);
}

/** The rules of these folders and the top, as one text; null where one is no plain file: how git takes it is not for us to guess. */
function rulesIn(git: Git, folders: ReadonlySet<string>): string | null {
  const found: [string, string][] = [];
  for (const folder of ['', ...[...folders].sort()]) {
    const file = readRegular(join(git.root, folder, '.gitignore'), LARGEST_RULES_BYTES);
    if (file.kind === 'other') return null;
    if (file.kind === 'file') found.push([folder, file.bytes.toString('latin1')]);
  }
  return JSON.stringify(found);
}
