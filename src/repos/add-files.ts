// Files are added to a branch of a remote: one commit on the commit that was looked at, made once however often it is asked for.
import { Buffer } from 'node:buffer';
import { failure } from '../model/failure.ts';
import { err, ok, type Result } from '../model/result.ts';
import { commitOnRemote } from './commit-on-remote.ts';
import type { Git, ObjectId } from './git.ts';
import { writeObjects } from './loose-objects.ts';
import { readCommits, type Trailers } from './message.ts';
import type { RemoteBranch } from './remote.ts';

export type AddOnRemoteAsk = RemoteBranch & {
  /** The commit that the files are added to. */
  readonly base: ObjectId;
  readonly files: { readonly [path: string]: string };
  readonly subject: string;
  /** By which the commit is found again. */
  readonly mark: string;
  readonly trailers: Trailers;
};

/** `commit` null: the branch is not at `base`, and nothing was added. */
export const addOnRemote = (git: Git, ask: AddOnRemoteAsk): Promise<Result<{ readonly commit: ObjectId | null }>> =>
  commitOnRemote(git, ask, async (tip) => {
    const { base, files, subject, mark, trailers } = ask;
    if (tip !== base) {
      const since = await readCommits(git, [tip, `^${base}`]);
      if (!since.ok) return since;
      const own = since.value.find((one) => one.trailers['Harness-Token'] === mark);
      return ok({ commit: own?.commit ?? null });
    }
    const blobs = Object.values(files).map((text) => ({ type: 'blob' as const, bytes: Buffer.from(text) }));
    const ids = await writeObjects(git, blobs, base);
    if (ids === null)
      return err(failure('git-failed', { command: 'write a file', exit: 'unknown', words: git.commonDir }));
    const entries = new Map(Object.keys(files).map((path, n) => [path, { mode: '100644', id: ids[n] ?? '' }]));
    return ok({ entries, subject, trailers: { ...trailers, 'Harness-Token': mark } });
  });
