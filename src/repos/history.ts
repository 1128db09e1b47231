// What was committed and what changed since: read-only, as data. Diffs are worked out from trees, so that nothing the
// repository configured (external diff, text conversion) runs.
import type { CommitFacts } from '../model/repository-view.ts';
import { ok, type Result } from '../model/result.ts';
import { isOurs } from './listing.ts';
import { type Git, type ObjectId, zeroSplit } from './git.ts';
import { changesBetween, entriesBetween } from './tree-walk.ts';
import { readObjects } from './objects.ts';
import { readHead, resolveCommit } from './head.ts';
import { idFromFiles } from './ref-files.ts';
import type { CacheKey } from './answer-cache.ts';
import { newestCommits, readCommits } from './message.ts';
import { withWorkTree } from './tree.ts';
import { plainView } from './view.ts';

/** Newest first, from `rev` (default HEAD) back, without what `since` already has. Empty before the first commit. */
export async function commitFacts(
  git: Git,
  { rev = 'HEAD', since, limit }: { readonly rev?: string; readonly since?: string; readonly limit: number },
): Promise<Result<readonly CommitFacts[]>> {
  const there = rev === 'HEAD' ? await readHead(git) : await resolveCommit(git, rev);
  if (!there.ok) return there;
  const from = there.value !== null && typeof there.value === 'object' ? there.value.commit : there.value;
  if (from === null) return ok([]);
  const read =
    since === undefined
      ? await newestCommits(git, from, limit)
      : await readCommits(git, [`-n${limit}`, from, `^${since}`]);
  if (!read.ok) return read;
  return ok(read.value.map(({ commit, subject, at, trailers }) => ({ id: commit, subject, at, trailers })));
}

/** Paths that differ between a revision and the work tree, untracked ones included; line endings as git add has them. */
export async function changedPaths(git: Git, rev: string): Promise<Result<readonly string[]>> {
  const view = await plainView(git);
  if (!view.ok) return view;
  const differ = await withWorkTree(git, view.value, 'absorb', ({ tree }) => pathsBetween(git, rev, tree));
  // Checkpoints are without the harness's own files, also where some of them are committed.
  return differ.ok ? ok(differ.value.filter((path) => !isOurs(git, path))) : differ;
}

/** Paths that differ between two revisions or trees; a rename is two paths. */
export async function pathsBetween(git: Git, from: string, to: string): Promise<Result<readonly string[]>> {
  const differ = await entriesBetween(git, from, to);
  return differ.ok ? ok(differ.value.map(({ path }) => path)) : differ;
}

export type FileStat = {
  readonly path: string;
  /** Lines; null for a binary file. */
  readonly added: number | null;
  readonly removed: number | null;
};

export async function diffStat(git: Git, from: string, to: string): Promise<Result<readonly FileStat[]>> {
  const flags = ['-r', '-z', '--no-renames', '--numstat', '--no-ext-diff', '--no-textconv'];
  const out = await git.run(['diff-tree', ...flags, from, to, '--']);
  if (!out.ok) return out;
  const count = (text: string) => (text === '-' ? null : Number(text));
  return ok(
    zeroSplit(out.value).flatMap((line) => {
      const [, added = '', removed = '', path = ''] = /^(\S+)\t(\S+)\t([^]+)$/.exec(line) ?? [];
      return path === '' ? [] : [{ path, added: count(added), removed: count(removed) }];
    }),
  );
}

/** The differences as a patch that people and agents read. */
export async function diffText(
  git: Git,
  from: string,
  to: string,
  paths: readonly string[] = [],
): Promise<Result<string>> {
  const flags = ['-r', '-p', '--no-color', '--no-ext-diff', '--no-textconv', '-M'];
  return git.run(['--literal-pathspecs', 'diff-tree', ...flags, from, to, '--', ...paths]);
}

/** The same for those who keep its hash: nothing in it depends on settings, on guesses or on what else the repository holds. */
export const exactDiff = (git: Git, from: ObjectId, to: ObjectId): Promise<Result<string>> =>
  git.run(['diff-tree', '-r', '-p', ...EXACT, from, to, '--']);
const EXACT =
  '--no-color --no-ext-diff --no-textconv --no-renames --full-index --diff-algorithm=myers -U3 --src-prefix=a/ --dst-prefix=b/'.split(
    ' ',
  );

/** What commits changed, as far as it was asked for: it never changes. */
const CHANGED: CacheKey<ReadonlyMap<ObjectId, readonly string[]>> = { name: 'changed-by' };

/** For each commit the paths that it changed, seen from its first parent. */
export async function pathsChangedBy(
  git: Git,
  commits: readonly ObjectId[],
): Promise<Result<readonly (readonly string[])[]>> {
  const known = git.memory.get(CHANGED, '') ?? new Map<ObjectId, readonly string[]>();
  const asked = commits.filter((commit) => !known.has(commit));
  const read = await readObjects(git, asked);
  if (!read.ok) return read;
  const parents = asked.map((_, n) => firstParent(read.value[n]?.bytes.toString('latin1') ?? ''));
  const there = await readObjects(
    git,
    parents.map((parent) => parent ?? '-'),
  );
  if (!there.ok) return there;
  // A shallow clone begins with commits whose parents it does not have: there they count as the first.
  const pairs = asked.map((to, n) => ({ from: there.value[n]?.id ?? null, to }));
  const changed = await changesBetween(git, pairs);
  if (!changed.ok) return changed;
  const more = asked.map((commit, n) => [commit, (changed.value[n] ?? []).map(({ path }) => path)] as const);
  const all = new Map([...known, ...more]);
  const found = commits.map((commit) => [commit, all.get(commit) ?? []] as const);
  git.memory.set(CHANGED, '', new Map(found));
  return ok(found.map(([, paths]) => paths));
}

/** The first line of a commit names its tree, the next ones its parents. */
const firstParent = (commit: string): ObjectId | null => /^tree \w+\nparent (\w+)\n/.exec(commit)?.[1] ?? null;

/** By the id of a commit or tree, and the path: what it holds never changes. */
const FILE: CacheKey<string | null> = { name: 'file' };
/** Longer texts are not kept in memory. */
const MOST_KEPT = 4 * 1024 * 1024;

/** Text of a file as of a revision; null where there is none, or a folder. */
export async function showFile(git: Git, rev: string, path: string): Promise<Result<string | null>> {
  const id = idFromFiles(git, rev);
  const known = id === null ? undefined : git.objects.get(FILE, `${id}:${path}`);
  if (known !== undefined) return ok(known);
  const read = await readFileAt(git, `${id ?? rev}:${path}`);
  if (read.ok && id !== null && (read.value?.length ?? 0) <= MOST_KEPT)
    git.objects.set(FILE, `${id}:${path}`, read.value);
  return read;
}

async function readFileAt(git: Git, name: string): Promise<Result<string | null>> {
  if (name.includes('\n')) return showOddFile(git, name);
  const read = await readObjects(git, [name]);
  if (!read.ok) return read;
  const [found] = read.value;
  return ok(found?.type === 'blob' ? found.bytes.toString('utf8') : null);
}

/** Several files in one look, in this order. */
export async function showFiles(
  git: Git,
  asked: readonly { readonly tree: string; readonly path: string }[],
): Promise<Result<readonly (string | null)[]>> {
  const read = await readObjects(
    git,
    asked.map(({ tree, path }) => `${tree}:${path}`),
  );
  if (!read.ok) return read;
  const texts: (string | null)[] = [];
  for (const [n, { tree, path }] of asked.entries()) {
    const one = read.value[n] ?? null;
    // A name with a line end is read by itself.
    const odd = path.includes('\n') ? await showOddFile(git, `${tree}:${path}`) : null;
    if (odd !== null && !odd.ok) return odd;
    texts.push(odd?.value ?? (one?.type === 'blob' ? one.bytes.toString('utf8') : null));
  }
  return ok(texts);
}

async function showOddFile(git: Git, name: string): Promise<Result<string | null>> {
  const found = await git.run(['rev-parse', '--verify', '-q', name], { allow: [1, 128] });
  if (!found.ok) return found;
  return found.value.trim() === '' ? ok(null) : blobText(git, found.value.trim());
}

/** Text of a blob; null if the object is something else. */
export async function blobText(git: Git, id: ObjectId): Promise<Result<string | null>> {
  const kind = await git.run(['cat-file', '-t', id]);
  if (!kind.ok) return kind;
  if (kind.value.trim() !== 'blob') return ok(null);
  return git.run(['cat-file', 'blob', id]);
}
