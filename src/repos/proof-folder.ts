// The folder of a proof workspace: exactly the files of a tree, as a clean clone has them, and a git folder of its own. It belongs to the
// harness, lies outside of the repository, and is reused: only what differs from the tree before is written.
import { Buffer } from 'node:buffer';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isFolder, statsOf } from '../host/paths.ts';
import { readRegular } from '../host/files.ts';
import { ok, type Result } from '../model/result.ts';
import { type Git, type ObjectId, zeroSplit } from './git.ts';
import { readHead } from './head.ts';
import { GITLINK } from './listing.ts';
import { removeOthers, removeUnreadable, writeDifferences } from './proof-files.ts';
import { listRefs } from './ref-files.ts';
import { isSafeFolder, makeSafeFolder } from './safe-dirs.ts';
import { withPathsOf } from './tree-paths.ts';
import { filesOfTree } from './tree-walk.ts';
import { copyIndex, type GitView, rawView, withIndex } from './view.ts';

/** Paths taken from another tree; those it does not have are left out. */
export type Over = { readonly tree: ObjectId; readonly paths: readonly string[] };

export type ProofFolder = {
  /** The work tree, absolute. */
  readonly root: string;
  /** What git wrote into it last; outside of it, so that no test can write it. */
  readonly index: string;
};

/** `n`: the number of the workspace; each is used by one proof at a time. */
export const proofFolder = (pool: string, n: number): ProofFolder => ({
  root: join(pool, `proof-${n}`),
  index: join(pool, `proof-${n}.index`),
});

/**
 * Makes the folder equal to the tree, with the paths of `over` as another tree has them. Everything else in it is removed, what git ignores
 * too, except `installed`: folders of installed packages, relative to the root. `head`: what its HEAD is; null: that of the repository. Safe to
 * repeat after a crash.
 */
export async function checkOutInto(
  git: Git,
  folder: ProofFolder,
  {
    tree,
    over,
    installed,
    head,
  }: {
    readonly tree: ObjectId;
    readonly over: Over | null;
    readonly installed: readonly string[];
    readonly head?: ObjectId | null;
  },
): Promise<Result<null>> {
  const view = await rawView(git);
  if (!view.ok) return view;
  const wanted =
    over === null || over.paths.length === 0 ? ok(tree) : await withPathsOf(git, tree, over.tree, over.paths);
  if (!wanted.ok) return wanted;
  let written = await write(git, view.value, folder, wanted.value, installed);
  if (!written.ok) {
    // Left by a crash, or broken by a test: written again from nothing.
    removeProofFolder(folder);
    written = await write(git, view.value, folder, wanted.value, installed);
  }
  if (!written.ok) return written;
  const inner = await writeSubmodules(git, view.value, folder);
  if (!inner.ok) return inner;
  return git.isPrivate ? ok(null) : writeGitFolder(git, folder, head ?? null);
}

export function removeProofFolder({ root, index }: ProofFolder): void {
  for (const path of [root, index, `${index}.lock`, `${index}.new`]) rmSync(path, { recursive: true, force: true });
}

async function write(
  git: Git,
  view: GitView,
  folder: ProofFolder,
  tree: ObjectId,
  installed: readonly string[],
): Promise<Result<unknown>> {
  const { root, index } = folder;
  mkdirSync(root, { recursive: true, mode: 0o700 });
  rmSync(`${index}.lock`, { force: true });
  const files = await filesOfTree(git, tree);
  if (!files.ok) return files;
  // First: git would take files behind a link for those of the tree.
  removeOthers(root, files.value, installed);
  const done = await writeDifferences(git, folder, files.value);
  if (!done.ok || done.value) return done;
  const env = { ...view.env, GIT_INDEX_FILE: index, GIT_WORK_TREE: root };
  return git.run(['-C', root, 'read-tree', '--reset', '-u', tree], { env });
}

/** What is in the folder beside the files of the tree, folders with a slash. */
export async function untrackedIn(git: Git, { root, index }: ProofFolder): Promise<Result<readonly string[]>> {
  const view = await rawView(git);
  if (!view.ok) return view;
  const listed = await git.run(['-C', root, 'ls-files', '-z', '-o', '--directory'], {
    env: { ...view.value.env, GIT_INDEX_FILE: index, GIT_WORK_TREE: root },
  });
  return listed.ok ? ok(zeroSplit(listed.value)) : listed;
}

/** Submodules at the recorded commits, from the objects that the repository has of them; one that was never fetched stays empty. */
async function writeSubmodules(git: Git, view: GitView, { root, index }: ProofFolder): Promise<Result<unknown>> {
  if (!existsSync(join(root, '.gitmodules'))) return ok(null);
  const listed = await git.run(['ls-files', '-z', '-s'], {
    env: { ...view.env, GIT_INDEX_FILE: index, GIT_WORK_TREE: root },
  });
  if (!listed.ok) return listed;
  for (const entry of zeroSplit(listed.value)) {
    const [, mode, commit = '', path = ''] = /^(\d+) ([0-9a-f]+) \d\t(.*)$/s.exec(entry) ?? [];
    if (mode !== GITLINK) continue;
    const into = join(root, path);
    // Git cleans no folder of a submodule.
    rmSync(into, { recursive: true, force: true });
    mkdirSync(into, { recursive: true });
    // Without a git folder of its own git would look in the repository around it.
    if (!existsSync(join(git.root, path, '.git'))) continue;
    const found = await git.run(
      ['-C', join(git.root, path), 'rev-parse', '--path-format=absolute', '--git-path', 'objects'],
      {
        env: { GIT_DIR: null, GIT_WORK_TREE: null, GIT_COMMON_DIR: null },
      },
    );
    if (!found.ok) continue;
    const objects = { GIT_OBJECT_DIRECTORY: found.value.trim() };
    const there = await git.run(['cat-file', '-e', `${commit}^{tree}`], { env: { ...view.env, ...objects } });
    if (!there.ok) continue;
    const done = await withIndex(git, null, async (own) => {
      const env = { ...view.env, ...own, ...objects, GIT_WORK_TREE: into };
      return git.run(['-C', into, 'read-tree', '--reset', '-u', commit], { env });
    });
    if (!done.ok) return done;
  }
  return ok(null);
}

/** Its history for tests that read it: branches and tags, the objects borrowed, nothing of the harness, nothing that git would run. */
async function writeGitFolder(git: Git, { root, index }: ProofFolder, at: ObjectId | null): Promise<Result<null>> {
  const head = await readHead(git);
  if (!head.ok) return head;
  const commit = at ?? head.value.commit ?? '';
  const refs = await listRefs(git, ['refs/heads', 'refs/tags']);
  if (!refs.ok) return refs;
  const format = commit.length === 64 ? '1\n[extensions]\n\tobjectFormat = sha256' : '0';
  const folder = join(root, '.git');
  const content: Content = {
    config: `[core]\n\tbare = false\n\trepositoryFormatVersion = ${format}\n`,
    HEAD: `${commit}\n`,
    'packed-refs': refs.value,
    objects: { info: { alternates: `${join(git.commonDir, 'objects')}\n` } },
    refs: {},
  };
  try {
    writeExactly(folder, content);
  } catch {
    // A test took away the rights to something in it.
    rmSync(folder, { recursive: true, force: true });
    writeExactly(folder, content);
  }
  copyIndex(index, join(folder, 'index'));
  return ok(null);
}

/** A text for each file, and what each folder holds. */
type Content = { readonly [name: string]: string | Content };

/** Makes a folder hold these files and nothing else. What is there already, from the last time, stays as it is, which takes less time. */
function writeExactly(folder: string, content: Content): void {
  if (!isFolder(folder)) {
    rmSync(folder, { force: true });
    mkdirSync(folder, { recursive: true });
  }
  removeUnreadable(folder);
  for (const name of readdirSync(folder))
    if (!Object.hasOwn(content, name)) rmSync(join(folder, name), { recursive: true, force: true });
  for (const [name, is] of Object.entries(content)) {
    const path = join(folder, name);
    if (typeof is !== 'string') {
      writeExactly(path, is);
      continue;
    }
    const found = readRegular(path, MOST_COMPARED_BYTES);
    if (found.kind === 'file' && found.bytes.equals(Buffer.from(is))) continue;
    if (found.kind !== 'absent') rmSync(path, { recursive: true, force: true });
    writeFileSync(path, is);
  }
}
/** A longer file is written again. */
const MOST_COMPARED_BYTES = 1024 * 1024;

/** Writes a file below the root, or removes it (null). A link on the way, which may lead elsewhere, gives way. */
export function writeInFolder(root: string, path: string, text: string | null): void {
  const folder = dirname(path);
  if (text === null && !isSafeFolder(root, folder)) return;
  makeSafeFolder(root, folder);
  const file = join(root, path);
  const mode = statsOf(file)?.mode;
  rmSync(file, { recursive: true, force: true });
  if (text !== null) writeFileSync(file, text, { mode: (mode ?? 0o644) & 0o777 });
}
