// A file of a branch of a remote gets another path: one commit beside the user's work tree and branches, made once however often it is asked for.
import { failure } from '../model/failure.ts';
import { err, ok, type Result } from '../model/result.ts';
import { commitTreeObject } from './checkpoint.ts';
import type { Git, ObjectId } from './git.ts';
import { writeMessage } from './message.ts';
import { fetchRefs, moveRemoteRefs } from './remote-refs.ts';
import { asUser } from './settings.ts';
import { withEntries } from './tree-paths.ts';
import { filesOfTree } from './tree-walk.ts';

export type MoveOnRemoteAsk = {
  readonly remote: string;
  readonly url: string;
  readonly branch: string;
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly trailers: { readonly [name: string]: string };
};

const MOST_ROUNDS = 5;

/** `commit` null: the file is there already. Fails with `forge-file-missing` where it is at neither path. */
export async function moveOnRemote(
  git: Git,
  ask: MoveOnRemoteAsk,
): Promise<Result<{ readonly commit: ObjectId | null }>> {
  const { remote, url, branch, from, to } = ask;
  const ref = `refs/heads/${branch}`;
  for (let round = 1; ; round += 1) {
    const refs = await fetchRefs(git, { remote, url, refs: [ref] });
    if (!refs.ok) return refs;
    const base = refs.value.get(ref);
    if (base === undefined) return err(failure('forge-base-missing', { remote, branch }));
    const listed = await filesOfTree(git, base, [from, to]);
    if (!listed.ok) return listed;
    const file = listed.value.find(({ path }) => path === from);
    const isThere = listed.value.some(({ path }) => path === to);
    if (file === undefined)
      return isThere
        ? ok({ commit: null })
        : err(failure('forge-file-missing', { file: from, branch }, { at: { file: from } }));
    const made = await commitMove(git, base, ask, { mode: file.mode, id: file.id });
    if (!made.ok) return made;
    const moved = await moveRemoteRefs(git, { remote, url, moves: [{ ref, from: base, to: made.value }] });
    if (!moved.ok) return moved;
    if (moved.value === 'moved') return ok({ commit: made.value });
    if (round === MOST_ROUNDS) return err(failure('forge-busy', { url }));
  }
}

async function commitMove(
  git: Git,
  base: ObjectId,
  { from, to, subject, trailers }: MoveOnRemoteAsk,
  entry: { readonly mode: string; readonly id: ObjectId },
): Promise<Result<ObjectId>> {
  const found = await git.run(['rev-parse', '--verify', '-q', `${base}^{tree}`]);
  if (!found.ok) return found;
  const entries = new Map([
    [from, null],
    [to, entry],
  ]);
  const tree = await withEntries(git, found.value.trim(), entries);
  if (!tree.ok) return tree;
  const user = await asUser(git);
  if (!user.ok) return user;
  return commitTreeObject(git, user.value, tree.value, [base], writeMessage(subject, '', trailers));
}
