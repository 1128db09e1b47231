// Puts the user's unfinished work away before the harness starts, in the user's own stash.
import { ok, type Result } from '../model/result.ts';
import { refPart } from '../model/ref-part.ts';
import { findCheckpoint, takeCheckpoint } from './checkpoint.ts';
import type { Git, ObjectId } from './git.ts';
import { asUser } from './settings.ts';
import { readStatus } from './status.ts';
import { plainView } from './view.ts';

/**
 * `git stash push --include-untracked` under a message of its own; gives the stash commit, null where there was nothing
 * to put away. The same bytes are kept under `refs/harness/stashed/…` first, since a stash stores line endings as git add
 * does. Asked again with the same message after a crash, what was left is stashed too and the first stash,
 * which has everything, is the answer.
 */
export async function stashUserWork(git: Git, message: string): Promise<Result<ObjectId | null>> {
  const before = await stashes(git, message);
  if (!before.ok) return before;
  const status = await readStatus(git, { excluding: ['.harness/', ...git.own] });
  if (!status.ok) return status;
  if (status.value.dirty.length === 0) return ok(before.value.at(-1) ?? null);
  const ref = `refs/harness/stashed/${refPart(message)}`;
  const saved = await findCheckpoint(git, ref);
  if (!saved.ok) return saved;
  if (saved.value === null) {
    const taken = await takeCheckpoint(git, { ref, message });
    if (!taken.ok) return taken;
  }
  const [view, user] = await Promise.all([plainView(git), asUser(git)]);
  if (!view.ok) return view;
  if (!user.ok) return user;
  const put = await git.run(['stash', 'push', '--include-untracked', '-q', '-m', message], {
    env: { ...view.value.env, ...user.value },
  });
  if (!put.ok) return put;
  const after = await stashes(git, message);
  return after.ok ? ok(after.value.at(-1) ?? null) : after;
}

/** Stash commits with this message, newest first. */
async function stashes(git: Git, message: string): Promise<Result<readonly ObjectId[]>> {
  const out = await git.run(['stash', 'list', '-z', '--format=%H %gs']);
  if (!out.ok) return out;
  const words = message.replace(/\s+/g, ' ').trim();
  return ok(
    out.value.split('\0').flatMap((line) => {
      const [, commit = '', subject = ''] = /^(\S+) (?:On [^:]*: )?([^]*)$/.exec(line) ?? [];
      return commit !== '' && subject.trim() === words ? [commit] : [];
    }),
  );
}
