// The git that a local forge works with: its records on a ref of the remote, its merges by plumbing beside the user's work tree.
import { ok, type Result } from '../../model/result.ts';
import type { ForgeGit } from '../../forge/local/git.ts';
import { FORGE_REF } from '../../forge/local/records.ts';
import { commitTreeObject } from '../../repos/checkpoint.ts';
import type { Git, ObjectId } from '../../repos/git.ts';
import { setRef } from '../../repos/head.ts';
import { mergeBranch } from '../../repos/pick.ts';
import { readObjects } from '../../repos/objects.ts';
import { isWithin } from '../../repos/remote.ts';
import { fetchRefs, moveRemoteRefs } from '../../repos/remote-refs.ts';
import { asUser } from '../../repos/settings.ts';
import { withEntries } from '../../repos/tree-paths.ts';
import { filesOfTree } from '../../repos/tree-walk.ts';

/** `shown`: the address without a password. */
export async function localForgeGit(
  git: Git,
  { remote, url, shown }: { readonly remote: string; readonly url: string; readonly shown: string },
): Promise<Result<ForgeGit>> {
  const user = await asUser(git);
  if (!user.ok) return user;
  const empty = await git.run(['hash-object', '-w', '-t', 'tree', '--stdin'], { stdin: '' });
  if (!empty.ok) return empty;
  return ok({
    url: shown,
    author: user.value['GIT_AUTHOR_NAME'] ?? '',
    async refs(refs) {
      const found = await fetchRefs(git, { remote, url, refs });
      const tip = found.ok ? found.value.get(FORGE_REF) : undefined;
      if (tip === undefined) return found;
      // Kept here, so that git keeps the records and the next look fetches only what is new.
      const kept = await setRef(git, FORGE_REF, tip);
      return kept.ok ? found : kept;
    },
    async files(commit, folder) {
      const listed = await filesOfTree(git, commit, [folder]);
      if (!listed.ok) return listed;
      const read = await readObjects(
        git,
        listed.value.map(({ id }) => id),
      );
      if (!read.ok) return read;
      const texts = listed.value.map(
        ({ path }, n) => [path.slice(folder.length + 1), read.value[n]?.bytes.toString('utf8') ?? ''] as const,
      );
      return ok(new Map(texts));
    },
    record: (parent, files, message) => record(git, { parent, files, message, empty: empty.value.trim() }),
    push: (moves) => moveRemoteRefs(git, { remote, url, moves }),
    isWithin: (commit, tip) => isWithin(git, commit, tip),
    merged: (ask) => mergeBranch(git, ask),
  });
}

async function record(
  git: Git,
  ask: {
    readonly parent: ObjectId | null;
    readonly files: ReadonlyMap<string, string>;
    readonly message: string;
    readonly empty: ObjectId;
  },
): Promise<Result<ObjectId>> {
  const entries = new Map<string, { readonly mode: string; readonly id: ObjectId }>();
  for (const [path, text] of ask.files) {
    const blob = await git.run(['hash-object', '-w', '--stdin'], { stdin: text });
    if (!blob.ok) return blob;
    entries.set(path, { mode: '100644', id: blob.value.trim() });
  }
  const before = ask.parent === null ? ok([null]) : await readObjects(git, [`${ask.parent}^{tree}`]);
  if (!before.ok) return before;
  const tree = await withEntries(git, before.value[0]?.id ?? ask.empty, entries);
  if (!tree.ok) return tree;
  const user = await asUser(git);
  if (!user.ok) return user;
  return commitTreeObject(git, user.value, tree.value, ask.parent === null ? [] : [ask.parent], ask.message);
}
