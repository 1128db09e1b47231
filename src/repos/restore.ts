// Restores a checkpoint: work tree, index, branch and HEAD as they were. Repeatable after a crash at any point,
// because every step depends on the checkpoint and the work tree alone.
import { join } from 'node:path';
import { failure } from '../model/failure.ts';
import { err, ok, type Result } from '../model/result.ts';
import { PENDING, pendingNow, type Snapshot } from './checkpoint.ts';
import { type Git, type ObjectId, zeroSplit } from './git.ts';
import { moveHead } from './head.ts';
import { refreshIndex, setIndex } from './index.ts';
import { moveInner, removePipes } from './inner.ts';
import { ignoredPaths } from './ignored-paths.ts';
import { isInstalledFolder } from './installed.ts';
import { isOurs, isStateCopy } from './listing.ts';
import { factsOf } from './paths.ts';
import { readCommits } from './message.ts';
import { asUser } from './settings.ts';
import { treeOf, type WorkTree, withWorkTree } from './tree.ts';
import { excludeFile, ignoreRules, rawView, withIndex } from './view.ts';

/** Each round brings back the ignore rules it finds changed; rules hidden by rules need another round. */
const MOST_ROUNDS = 5;

/**
 * Brings everything back but the paths in `keep` and what the checkpoint's own rules ignore; `.harness/` is never
 * touched. The work of now is kept by the caller (`keepAttempt`). Verified afterwards: fails with
 * `restore-incomplete` (`expected`, `found`: tree ids) if anything differs.
 */
export async function restoreTree(
  git: Git,
  to: Snapshot,
  { keep = [] }: { readonly keep?: readonly string[] } = {},
): Promise<Result<{ readonly head: ObjectId }>> {
  const user = await asUser(git);
  if (!user.ok) return user;
  // HEAD first: what counts as tracked though ignored is read from it and from the index.
  const moved = await moveHead(
    git,
    { commit: to.head, branch: to.branch },
    'harness: back to a checkpoint',
    user.value,
  );
  if (!moved.ok) return moved;
  const index = await setIndex(git, `${to.commit}^2^{tree}`);
  if (!index.ok) return index;
  const rules = await restoreExcludes(git, to);
  if (!rules.ok) return rules;
  const hidden = await dropHiddenRules(git, to);
  if (!hidden.ok) return hidden;
  const files = await restoreFiles(git, to, keep);
  if (!files.ok) return files;
  const pending = await dropPending(git, to);
  if (!pending.ok) return pending;
  const pipes = await dropPipes(git, to);
  if (!pipes.ok) return pipes;
  await refreshIndex(git);
  return ok({ head: to.head });
}

/** A folder made since with a .gitignore that hides all of it, itself included: without that file its content is seen, and removed. */
async function dropHiddenRules(git: Git, to: Snapshot): Promise<Result<null>> {
  const [ignored, read] = await Promise.all([ignoredPaths(git), readCommits(git, ['-n1', to.commit])]);
  if (!ignored.ok) return ignored;
  if (!read.ok) return read;
  const sinceMs = Date.parse(read.value[0]?.at ?? '');
  for (const entry of ignored.value) {
    const path = entry.replace(/\/$/, '');
    if (path === entry || isOurs(git, path) || isStateCopy(path) || isInstalledFolder(path)) continue;
    const file = join(git.root, path, '.gitignore');
    if ((factsOf(file)?.ctimeMs ?? 0) >= sinceMs) git.io.remove(file);
  }
  return ok(null);
}

async function restoreFiles(git: Git, to: Snapshot, keep: readonly string[]): Promise<Result<null>> {
  let last: { expected: ObjectId; found: ObjectId } = { expected: to.tree, found: '' };
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const view = await rawView(git);
    if (!view.ok) return view;
    const written = await withWorkTree(git, view.value, 'absorb', (work) => oneRound(git, work, to.tree, keep));
    if (!written.ok) return written;
    if (written.value === null) continue;
    const found = await treeOf(git);
    if (!found.ok) return found;
    if (found.value === written.value) return ok(null);
    last = { expected: written.value, found: found.value };
  }
  return err(failure('restore-incomplete', last));
}

/** Gives null when only the ignore rules were brought back, else the tree the work tree was made equal to. */
async function oneRound(
  git: Git,
  work: WorkTree,
  tree: ObjectId,
  keep: readonly string[],
): Promise<Result<ObjectId | null>> {
  const wanted = await treeWith(git, work, tree, keep);
  if (!wanted.ok) return wanted;
  // Files that only the agent's rules un-ignore must stay, so nothing is removed before the checkpoint's rules apply again.
  const rules = await restoreRules(git, work, wanted.value);
  if (!rules.ok) return rules;
  if (rules.value > 0) return ok(null);
  await moveInner(git, work.nested);
  const written = await git.run(['read-tree', '--reset', '-u', wanted.value], { env: work.env });
  return written.ok ? wanted : written;
}

/** The checkpoint's tree with the kept paths as they are now. */
async function treeWith(git: Git, work: WorkTree, tree: ObjectId, keep: readonly string[]): Promise<Result<ObjectId>> {
  if (keep.length === 0) return ok(tree);
  const now = await git.run(['--literal-pathspecs', 'ls-files', '-z', '-s', '--', ...keep], { env: work.env });
  if (!now.ok) return now;
  return withIndex(git, null, async (index) => {
    const env = { ...work.view.env, ...index };
    for (const args of [
      ['read-tree', tree],
      ['--literal-pathspecs', 'rm', '-r', '-f', '-q', '--cached', '--ignore-unmatch', '--', ...keep],
    ]) {
      const done = await git.run(args, { env });
      if (!done.ok) return done;
    }
    const kept = await git.run(['update-index', '-z', '--index-info'], { env, stdin: now.value });
    if (!kept.ok) return kept;
    const made = await git.run(['write-tree'], { env });
    return made.ok ? ok(made.value.trim()) : made;
  });
}

/** Brings every .gitignore back to what it was; says how many differed. */
async function restoreRules(git: Git, work: WorkTree, tree: ObjectId): Promise<Result<number>> {
  const differ = await git.run(['diff-tree', '-r', '-z', '--no-renames', '--name-status', work.tree, tree], work);
  if (!differ.ok) return differ;
  const back: string[] = [];
  const gone: string[] = [];
  const parts = zeroSplit(differ.value);
  for (let i = 0; i + 1 < parts.length; i += 2) {
    const [status, path] = [parts[i] ?? '', parts[i + 1] ?? ''];
    if (/(^|\/)\.gitignore$/.test(path)) (status === 'D' ? gone : back).push(path);
  }
  for (const path of gone) git.io.remove(join(git.root, path));
  if (back.length > 0) {
    const written = await withIndex(git, null, async (index) => {
      const env = { ...work.view.env, ...index };
      const read = await git.run(['read-tree', tree], { env });
      if (!read.ok) return read;
      return git.run(['checkout-index', '-f', '-q', '-z', '--stdin'], { env, stdin: `${back.join('\0')}\0` });
    });
    if (!written.ok) return written;
  }
  return ok(gone.length + back.length);
}

/** Rules outside the tree that held at the checkpoint hold again; later ones of the user stay. */
async function restoreExcludes(git: Git, to: Snapshot): Promise<Result<null>> {
  const view = await rawView(git);
  if (!view.ok) return view;
  const message = await git.run(['log', '-n1', '--format=%B', `${to.commit}^2`, '--']);
  if (!message.ok) return message;
  const now = ignoreRules(git).split('\n');
  const missing = message.value
    .split('\n')
    .slice(1)
    .filter((line) => line.trim() !== '' && !now.includes(line));
  if (missing.length > 0) git.io.append(excludeFile(git), `\n${missing.join('\n')}\n`);
  return ok(null);
}

/** Ends a merge or rebase that was not under way at the checkpoint. */
async function dropPending(git: Git, to: Snapshot): Promise<Result<null>> {
  const now = pendingNow(git);
  if (now.length === 0) return ok(null);
  const read = await readCommits(git, ['-n1', to.commit]);
  if (!read.ok) return read;
  const before = (read.value[0]?.trailers['Harness-Pending'] ?? '').split(' ');
  for (const name of PENDING) if (now.includes(name) && !before.includes(name)) git.io.remove(join(git.gitDir, name));
  return ok(null);
}

async function dropPipes(git: Git, to: Snapshot): Promise<Result<null>> {
  const [view, read] = await Promise.all([rawView(git), readCommits(git, ['-n1', to.commit])]);
  if (!view.ok) return view;
  if (!read.ok) return read;
  await removePipes(git, view.value, Date.parse(read.value[0]?.at ?? ''));
  return ok(null);
}
