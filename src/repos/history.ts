// What was committed and what changed since: read-only, as data. Diffs are worked out from trees, so that nothing the
// repository configured (external diff, text conversion) runs.
import type { CommitFacts } from '../model/repository-view.ts';
import { ok, type Result } from '../model/result.ts';
import { type Git, type ObjectId, zeroSplit } from './git.ts';
import { readObjects } from './objects.ts';
import { idFromFiles, readHead, resolveCommit } from './head.ts';
import type { CacheKey } from './answer-cache.ts';
import { readCommits } from './message.ts';
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
  const read = await readCommits(git, [`-n${limit}`, from, ...(since === undefined ? [] : [`^${since}`])]);
  if (!read.ok) return read;
  return ok(read.value.map(({ commit, subject, at, trailers }) => ({ id: commit, subject, at, trailers })));
}

/** Paths that differ between a revision and the work tree, untracked ones included; line endings as git add has them. */
export async function changedPaths(git: Git, rev: string): Promise<Result<readonly string[]>> {
  const view = await plainView(git);
  if (!view.ok) return view;
  return withWorkTree(git, view.value, 'absorb', ({ tree }) => pathsBetween(git, rev, tree));
}

/** Paths that differ between two revisions or trees; a rename is two paths. */
export async function pathsBetween(git: Git, from: string, to: string): Promise<Result<readonly string[]>> {
  const out = await git.run(['diff-tree', '-r', '-z', '--no-renames', '--name-only', from, to, '--']);
  return out.ok ? ok(zeroSplit(out.value)) : out;
}

export type EntryChange = {
  readonly path: string;
  /** Mode and id as git names them; null: there was, or is, none. */
  readonly before: { readonly mode: string; readonly id: ObjectId } | null;
  readonly after: { readonly mode: string; readonly id: ObjectId } | null;
};

/** What differs between two trees, entry by entry; a rename is two. */
export async function entriesBetween(git: Git, from: string, to: string): Promise<Result<readonly EntryChange[]>> {
  const out = await git.run(['diff-tree', '-r', '-z', '--no-renames', '--no-abbrev', '--raw', from, to, '--']);
  if (!out.ok) return out;
  const parts = out.value.split('\0');
  const found: EntryChange[] = [];
  for (let i = 0; i + 1 < parts.length; i += 2) {
    const [was = '', is = '', wasId = '', isId = ''] = (parts[i] ?? '').slice(1).split(' ');
    const entry = (mode: string, id: string) => (/^0+$/.test(mode) ? null : { mode, id });
    found.push({ path: parts[i + 1] ?? '', before: entry(was, wasId), after: entry(is, isId) });
  }
  return ok(found);
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

/** For each commit the paths that it changed, seen from its first parent; all of them in one git process. */
export async function pathsChangedBy(
  git: Git,
  commits: readonly ObjectId[],
): Promise<Result<readonly (readonly string[])[]>> {
  if (commits.length === 0) return ok([]);
  const flags = ['-r', '-z', '--root', '-m', '--first-parent', '--no-renames', '--raw'];
  const out = await git.run(['diff-tree', '--stdin', '--always', ...flags], { stdin: `${commits.join('\n')}\n` });
  if (!out.ok) return out;
  const changed = new Map<string, string[]>();
  let current: string[] = [];
  const parts = out.value.split('\0');
  // The id of a commit, then for each of its changes a description, which begins with a colon, and the path.
  for (let i = 0; i + 1 < parts.length; i++) {
    const part = parts[i] ?? '';
    if (part.startsWith(':')) current.push(parts[++i] ?? '');
    else changed.set(part, (current = []));
  }
  return ok(commits.map((commit) => changed.get(commit) ?? []));
}

/** By the id of a commit or tree, and the path: what it holds never changes. */
const FILE: CacheKey<string | null> = { name: 'file' };
/** Longer texts are not kept in memory. */
const MOST_KEPT = 4 * 1024 * 1024;

/** Text of a file as of a revision; null where there is none, or a folder. */
export async function showFile(git: Git, rev: string, path: string): Promise<Result<string | null>> {
  const id = idFromFiles(git, rev);
  const known = id === null ? undefined : git.memory.get(FILE, `${id}:${path}`);
  if (known !== undefined) return ok(known);
  const read = await readFileAt(git, `${id ?? rev}:${path}`);
  if (read.ok && id !== null && (read.value?.length ?? 0) <= MOST_KEPT)
    git.memory.set(FILE, `${id}:${path}`, read.value);
  return read;
}

async function readFileAt(git: Git, name: string): Promise<Result<string | null>> {
  if (name.includes('\n')) return showOddFile(git, name);
  const out = await git.run(['cat-file', '--batch'], { stdin: `${name}\n` });
  if (!out.ok) return out;
  const head = /^[0-9a-f]{40,64} (\w+) \d+\n/.exec(out.value);
  if (head === null) return ok(null);
  return ok(head[1] === 'blob' ? out.value.slice(head[0].length, -1) : null);
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
