// A repository of the harness's own, in a folder that is no git repository: `.harness-engine/git`, with the folder as its
// work tree. Checkpoints, attempts and evidence rest on it as on the user's; the folder never gets a `.git`, and nothing
// in it is anybody's history. Owns the making; where it is found is folders.ts.
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { syncFolder } from '../host/io.ts';
import { ENGINE_FOLDER } from '../model/engine-folder.ts';
import { ok, type Result } from '../model/result.ts';
import { commitTreeObject } from './checkpoint.ts';
import { isUnderWay } from './folders.ts';
import type { Git } from './git.ts';
import { asNull, resolveCommit } from './head.ts';
import { refreshIndex, setIndex } from './index.ts';
import { HARNESS, identityEnvironment } from './settings.ts';
import { treeOf } from './tree.ts';
import { excludeFile, STATE_FOLDER } from './view.ts';

/**
 * What is installed or cached under these names in most projects; without git many have no .gitignore that says so. No
 * name is here that people also give to folders of what they wrote (`build`, `dist`, `vendor`).
 */
const USUALLY_IGNORED = [
  'node_modules/',
  'bower_components/',
  '.pnpm-store/',
  '.venv/',
  'venv/',
  '.tox/',
  '.nox/',
  '__pycache__/',
  '*.pyc',
  '.mypy_cache/',
  '.pytest_cache/',
  '.ruff_cache/',
  '.gradle/',
  '.next/',
  '.nuxt/',
  '.turbo/',
  '.DS_Store',
];
/** `target/` is a build folder only beside one of these. */
const BUILDS_INTO_TARGET = ['Cargo.toml', 'pom.xml', 'build.sbt'];

const BRANCH = 'refs/heads/main';
const MESSAGE = 'harness: what was here\n';

/**
 * Makes it, with one commit of the folder, so that there is something to go back to. If it exists, the folder is committed
 * again before a session begins, so that what differs from HEAD is what the session changed. Does nothing while a session
 * is open, or in a repository of the user. Only under the lock. Repeatable after a crash.
 * Fails as `treeOf`.
 */
export async function makeOwnRepository(git: Git): Promise<Result<null>> {
  if (!git.isPrivate) return ok(null);
  const made = await resolveOwnHead(git);
  if (!made.ok) return made;
  if (made.value === null) layFolders(git);
  else if (isUnderWay(git.root)) return ok(null);
  const tree = await treeOf(git);
  if (!tree.ok) return tree;
  const before = made.value === null ? ok('') : await git.run(['rev-parse', `${made.value}^{tree}`]);
  if (!before.ok || before.value.trim() === tree.value) return asNull(before);
  const index = await setIndex(git, tree.value);
  if (!index.ok) return index;
  await refreshIndex(git);
  const parents = made.value === null ? [] : [made.value];
  const commit = await commitTreeObject(git, identityEnvironment(HARNESS), tree.value, parents, MESSAGE);
  if (!commit.ok) return commit;
  return asNull(await git.run(['update-ref', '-m', 'harness: what was here', BRANCH, commit.value]));
}

function layFolders({ io, root, gitDir, commonDir }: Git): void {
  for (const folder of ['objects', 'refs']) mkdirSync(join(gitDir, folder), { recursive: true });
  syncFolder(gitDir);
  const once = (path: string, text: string): void => {
    if (!existsSync(path)) io.replace(path, text);
  };
  once(join(dirname(gitDir), '.gitignore'), '*\n');
  once(excludeFile({ commonDir }), ignoredIn(root));
  once(join(gitDir, 'config'), '[core]\n\tbare = false\n\trepositoryformatversion = 0\n');
  // Last: by it git knows the folder for a repository.
  once(join(gitDir, 'HEAD'), `ref: ${BRANCH}\n`);
}

/** Null: it is not made, or not to its end. */
const resolveOwnHead = async (git: Git): Promise<Result<string | null>> =>
  existsSync(join(git.gitDir, 'HEAD')) ? resolveCommit(git, 'HEAD') : ok(null);

function ignoredIn(root: string): string {
  const target = BUILDS_INTO_TARGET.some((file) => existsSync(join(root, file))) ? ['/target/'] : [];
  return [`/${STATE_FOLDER}/`, `/${ENGINE_FOLDER}/`, ...USUALLY_IGNORED, ...target, ''].join('\n');
}
