// Ignored files of an attempt: files ignored only by rules that the agent wrote, which a rollback removes, are added to it; files
// that the checkpoint's own rules ignore stay in place, and those touched since are named.
import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ok, type Result } from '../model/result.ts';
import { type Git, type ObjectId, zeroSplit } from './git.ts';
import { isOurs, isStateCopy } from './listing.ts';
import { factsOf } from './paths.ts';
import { addExactly, type WorkTree } from './tree.ts';
import { withIndex } from './view.ts';

/** More than this, hidden by new rules, is installed or built rather than written. */
const MOST_FILES = 5_000;
const MOST_BYTES = 64 * 1024 * 1024;
/** Of names that are only reported. */
const MOST_NAMED = 50;

export type TreeWithIgnored = {
  /** The tree with the files in it that only the agent's own rules hide. */
  readonly tree: ObjectId;
  /** Ignored by the rules of the base, and touched since: in no tree, left in place. A folder ends with a slash. */
  readonly left: readonly string[];
};

export async function addHiddenByAgent(
  git: Git,
  work: WorkTree,
  base: { readonly commit: ObjectId; readonly tree: ObjectId },
  sinceMs: number,
): Promise<Result<TreeWithIgnored>> {
  const env = work.env;
  const ask = ['ls-files', '-z', '-o', '-i', '--exclude-standard'];
  const folded = await git.run([...ask, '--directory'], { env });
  if (!folded.ok) return folded;
  const left = zeroSplit(folded.value).filter(
    (path) => !isOurs(git, path) && !isStateCopy(path) && isTouched(join(git.root, path), sinceMs),
  );
  const rules = await rulesDiffer(git, base.tree, work.tree);
  if (!rules.ok) return rules;
  const hidesItself = left.some((path) => path.endsWith('/') && isTouched(join(git.root, path, '.gitignore'), sinceMs));
  if ((!rules.value && !hidesItself) || left.length === 0)
    return ok({ tree: work.tree, left: left.slice(0, MOST_NAMED) });
  const all = await git.run(ask, { env });
  if (!all.ok) return all;
  // A repository inside is moved aside as a whole, with what it ignores.
  const whole = work.nested.flatMap(({ path, kind }) => (kind === 'tracked' ? [] : [`${path}/`]));
  const paths = zeroSplit(all.value).filter(
    (path) => !isOurs(git, path) && !isStateCopy(path) && !whole.some((one) => path.startsWith(one)),
  );
  const before = await ignoredBefore(git, work, base.tree, paths);
  if (!before.ok) return before;
  const hidden = paths.filter((path) => !before.value.has(path) && isKeepable(join(git.root, path)));
  const bytes = hidden.reduce((sum, path) => sum + (factsOf(join(git.root, path))?.size ?? 0), 0);
  const kept = hidden.length <= MOST_FILES && bytes <= MOST_BYTES ? hidden : [];
  const named = left.filter(
    (path) => !kept.some((one) => one === path || (path.endsWith('/') && one.startsWith(path))),
  );
  if (kept.length === 0) return ok({ tree: work.tree, left: named.slice(0, MOST_NAMED) });
  const added = await addExactly(git, env, kept);
  if (!added.ok) return added;
  const tree = await git.run(['write-tree'], { env });
  return tree.ok ? ok({ tree: tree.value.trim(), left: named.slice(0, MOST_NAMED) }) : tree;
}

const isKeepable = (path: string): boolean => {
  const facts = factsOf(path);
  return facts !== null && (facts.isFile() || facts.isSymbolicLink());
};

/** Of a folder: the folder itself, not its content. */
const isTouched = (path: string, sinceMs: number): boolean => (factsOf(path)?.ctimeMs ?? 0) >= sinceMs;

async function rulesDiffer(git: Git, from: ObjectId, to: ObjectId): Promise<Result<boolean>> {
  const changed = await git.run(['diff-tree', '-r', '-z', '--no-renames', '--name-only', from, to]);
  if (!changed.ok) return changed;
  return ok(zeroSplit(changed.value).some((path) => /(^|\/)\.gitignore$/.test(path)));
}

/** Which of these the rules of a tree ignore: asked in an empty folder that has its .gitignore files and nothing else. */
async function ignoredBefore(
  git: Git,
  work: WorkTree,
  tree: ObjectId,
  paths: readonly string[],
): Promise<Result<ReadonlySet<string>>> {
  const folder = join(git.privateDir, `rules-${randomUUID()}`);
  mkdirSync(folder, { recursive: true });
  try {
    return await withIndex(git, null, async (index) => {
      const env = { ...work.view.env, ...index };
      const read = await git.run(['read-tree', tree], { env });
      if (!read.ok) return read;
      const named = await git.run(['ls-files', '-z', '-c', '--', '.gitignore', '**/.gitignore'], {
        env: { ...env, GIT_GLOB_PATHSPECS: '1' },
      });
      if (!named.ok) return named;
      const out = await git.run(['checkout-index', '-q', '-z', '--stdin', `--prefix=${folder}/`], {
        env,
        stdin: named.value,
      });
      if (!out.ok) return out;
      const asked = await git.run(['-C', folder, 'check-ignore', '--no-index', '-z', '--stdin'], {
        env: { ...env, GIT_WORK_TREE: folder },
        stdin: paths.map((path) => `${path}\0`).join(''),
        allow: [1],
      });
      return asked.ok ? ok(new Set(zeroSplit(asked.value))) : asked;
    });
  } finally {
    git.io.remove(folder);
  }
}
