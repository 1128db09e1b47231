// A file of a branch of a remote gets another path: one commit, made once however often it is asked for.
import { basename, dirname } from 'node:path/posix';
import { failure } from '../model/failure.ts';
import { err, ok, type Result } from '../model/result.ts';
import { commitOnRemote } from './commit-on-remote.ts';
import type { Git, ObjectId } from './git.ts';
import type { Trailers } from './message.ts';
import type { RemoteBranch } from './remote.ts';
import { filesOfTree } from './tree-walk.ts';

export type MoveOnRemoteAsk = RemoteBranch & {
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly trailers: Trailers;
  /** Files of both folders whose names begin so are the same file, which users renamed. */
  readonly alike?: string;
};

/**
 * `commit` null: the file is there already, or, where its names may differ, a user has removed it. Fails with `forge-file-missing` where it is at
 * neither path and has no other name.
 */
export const moveOnRemote = (git: Git, ask: MoveOnRemoteAsk): Promise<Result<{ readonly commit: ObjectId | null }>> =>
  commitOnRemote(git, ask, async (tip) => {
    const { from, to, branch, subject, trailers, alike } = ask;
    const [source, target] = [dirname(from), dirname(to)];
    const listed = await filesOfTree(git, tip, alike === undefined ? [from, to] : [source, target]);
    if (!listed.ok) return listed;
    const isAt = (path: string, folder: string): boolean =>
      alike !== undefined && dirname(path) === folder && basename(path).startsWith(alike);
    const named = listed.value.find(({ path }) => path === from);
    const isMoved = listed.value.some(({ path }) => path === to || isAt(path, target));
    if (named === undefined && isMoved) return ok({ commit: null });
    const file = named ?? listed.value.find(({ path }) => isAt(path, source));
    if (file === undefined)
      return alike === undefined
        ? err(failure('forge-file-missing', { file: from, branch }, { at: { file: from } }))
        : ok({ commit: null });
    const path = file === named ? to : `${target}/${basename(file.path)}`;
    const entry = { mode: file.mode, id: file.id };
    return ok({
      entries: new Map([
        [file.path, null],
        [path, entry],
      ]),
      subject,
      trailers,
    });
  });
