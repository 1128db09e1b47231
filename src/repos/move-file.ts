// A file of a branch of a remote gets another path: one commit, made once however often it is asked for.
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
};

/** `commit` null: the file is there already. Fails with `forge-file-missing` where it is at neither path. */
export const moveOnRemote = (git: Git, ask: MoveOnRemoteAsk): Promise<Result<{ readonly commit: ObjectId | null }>> =>
  commitOnRemote(git, ask, async (tip) => {
    const { from, to, branch, subject, trailers } = ask;
    const listed = await filesOfTree(git, tip, [from, to]);
    if (!listed.ok) return listed;
    const file = listed.value.find(({ path }) => path === from);
    if (file !== undefined) {
      const entry = { mode: file.mode, id: file.id };
      return ok({
        entries: new Map([
          [from, null],
          [to, entry],
        ]),
        subject,
        trailers,
      });
    }
    return listed.value.some(({ path }) => path === to)
      ? ok({ commit: null })
      : err(failure('forge-file-missing', { file: from, branch }, { at: { file: from } }));
  });
