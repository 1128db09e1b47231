// Files are added to a branch of a remote: one commit beside the user's work tree and branches, on the commit that was looked at, made once however
// often it is asked for.
import { Buffer } from 'node:buffer';
import { failure } from '../model/failure.ts';
import { err, ok, type Result } from '../model/result.ts';
import { commitTreeObject } from './checkpoint.ts';
import type { Git, ObjectId } from './git.ts';
import { writeObjects } from './loose-objects.ts';
import { readCommits, writeMessage } from './message.ts';
import { fetchRefs, moveRemoteRefs } from './remote-refs.ts';
import { asUser } from './settings.ts';
import { withEntries } from './tree-paths.ts';

export type AddOnRemoteAsk = {
  readonly remote: string;
  readonly url: string;
  readonly branch: string;
  /** The commit that the files are added to. */
  readonly base: ObjectId;
  readonly files: { readonly [path: string]: string };
  readonly subject: string;
  /** By which the commit is found again. */
  readonly mark: string;
  readonly trailers: { readonly [name: string]: string };
};

/** `commit` null: the branch is not at `base`, and nothing was added. */
export async function addOnRemote(
  git: Git,
  ask: AddOnRemoteAsk,
): Promise<Result<{ readonly commit: ObjectId | null }>> {
  const { remote, url, branch, base } = ask;
  const ref = `refs/heads/${branch}`;
  for (;;) {
    const refs = await fetchRefs(git, { remote, url, refs: [ref] });
    if (!refs.ok) return refs;
    const tip = refs.value.get(ref);
    if (tip === undefined) return err(failure('forge-base-missing', { remote, branch }));
    if (tip !== base) {
      const since = await readCommits(git, [tip, `^${base}`]);
      if (!since.ok) return since;
      const own = since.value.find(({ trailers }) => trailers['Harness-Token'] === ask.mark);
      return ok({ commit: own?.commit ?? null });
    }
    const made = await commitFiles(git, ask);
    if (!made.ok) return made;
    const moved = await moveRemoteRefs(git, { remote, url, moves: [{ ref, from: base, to: made.value }] });
    if (!moved.ok) return moved;
    if (moved.value === 'moved') return ok({ commit: made.value });
  }
}

async function commitFiles(
  git: Git,
  { base, files, subject, mark, trailers }: AddOnRemoteAsk,
): Promise<Result<ObjectId>> {
  const found = await git.run(['rev-parse', '--verify', '-q', `${base}^{tree}`]);
  if (!found.ok) return found;
  const paths = Object.keys(files);
  const blobs = Object.values(files).map((text) => ({ type: 'blob' as const, bytes: Buffer.from(text) }));
  const ids = writeObjects(git, blobs, base);
  if (ids === null)
    return err(failure('git-failed', { command: 'write a file', exit: 'unknown', words: git.commonDir }));
  const entries = new Map(paths.map((path, n) => [path, { mode: '100644', id: ids[n] ?? '' }]));
  const tree = await withEntries(git, found.value.trim(), entries);
  if (!tree.ok) return tree;
  const user = await asUser(git);
  if (!user.ok) return user;
  const message = writeMessage(subject, '', { ...trailers, 'Harness-Token': mark });
  return commitTreeObject(git, user.value, tree.value, [base], message);
}
