// A commit on top of a branch of a remote, beside the user's work tree and branches: by compare-and-swap, tried again where others were first.
import { failure } from '../model/failure.ts';
import { err, ok, type Result } from '../model/result.ts';
import { commitTreeObject } from './checkpoint.ts';
import type { Git, ObjectId } from './git.ts';
import { writeMessage, type Trailers } from './message.ts';
import type { RemoteBranch } from './remote.ts';
import { fetchRefs, moveRemoteRefs } from './remote-refs.ts';
import { asUser } from './settings.ts';
import { withEntries } from './tree-paths.ts';

/** What the commit changes: path → file, or null where it is removed. */
export type RemoteChange = {
  readonly entries: Parameters<typeof withEntries>[2];
  readonly subject: string;
  readonly trailers: Trailers;
};

const MOST_ROUNDS = 5;

/** `look`: what is to be committed on top of this commit, or the answer where nothing is: the commit of an earlier call, null: none. */
export async function commitOnRemote(
  git: Git,
  { remote, url, branch }: RemoteBranch,
  look: (tip: ObjectId) => Promise<Result<RemoteChange | { readonly commit: ObjectId | null }>>,
): Promise<Result<{ readonly commit: ObjectId | null }>> {
  const ref = `refs/heads/${branch}`;
  for (let round = 1; ; round += 1) {
    const refs = await fetchRefs(git, { remote, url, refs: [ref] });
    if (!refs.ok) return refs;
    const tip = refs.value.get(ref);
    if (tip === undefined) return err(failure('forge-base-missing', { remote, branch }));
    const found = await look(tip);
    if (!found.ok) return found;
    if ('commit' in found.value) return ok(found.value);
    const made = await commitOn(git, tip, found.value);
    if (!made.ok) return made;
    const moved = await moveRemoteRefs(git, { remote, url, moves: [{ ref, from: tip, to: made.value }] });
    if (!moved.ok) return moved;
    if (moved.value === 'moved') return ok({ commit: made.value });
    if (round === MOST_ROUNDS) return err(failure('forge-busy', { url }));
  }
}

async function commitOn(
  git: Git,
  base: ObjectId,
  { entries, subject, trailers }: RemoteChange,
): Promise<Result<ObjectId>> {
  const found = await git.run(['rev-parse', '--verify', '-q', `${base}^{tree}`]);
  if (!found.ok) return found;
  const tree = await withEntries(git, found.value.trim(), entries);
  if (!tree.ok) return tree;
  const user = await asUser(git);
  if (!user.ok) return user;
  return commitTreeObject(git, user.value, tree.value, [base], writeMessage(subject, '', trailers));
}
