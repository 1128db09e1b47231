// A landing in the user's own work tree: the files are there already, branch and index move. With the old index, `git commit` of the user on
// the new branch would take the landing back.
// I1 from before the branch moves until the new index is in place, the user's `index.lock` is held, and a note says whose it is.
// I2 killed anywhere, the next start puts the index in place, or finds that the branch never moved.
import { randomUUID } from 'node:crypto';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod/mini';
import { readText } from '../host/files.ts';
import { ok, type Result } from '../model/result.ts';
import type { Git, ObjectId } from './git.ts';
import { moveRefs, readHead } from './head.ts';
import { holdsIndex, lockIndex, releaseIndex } from './index-lock.ts';
import { indexAsHead, resetPaths } from './index.ts';
import { copyIndex, withIndex } from './view.ts';

/** `refs`: what moves with the branch, as lines of `git update-ref --stdin`. `paths`: what the index gets of the commit; null: all of it. */
type Move = {
  /** null: HEAD is detached. */
  readonly branch: string | null;
  readonly from: ObjectId;
  readonly to: ObjectId;
  readonly refs: readonly string[];
  readonly paths: readonly string[] | null;
  readonly why: string;
  readonly env: { readonly [name: string]: string };
};

const noteSchema = z.object({
  schema: z.literal(1),
  to: z.string(),
  paths: z.nullable(z.readonly(z.array(z.string()))),
  /** What our `index.lock` contains. */
  token: z.string(),
});
type Note = z.infer<typeof noteSchema>;

const noteOf = (git: Git): string => join(git.privateDir, 'landing.json');

/** Fails as git, where a ref is not what it was too, or with `git-busy` (the user's index is locked): then nothing has moved. */
export async function moveWithIndex(git: Git, move: Move): Promise<Result<null>> {
  const { branch, from, to, refs, paths, why, env } = move;
  const about: Note = { schema: 1, to, paths, token: `harness ${randomUUID()}` };
  git.io.replace(noteOf(git), `${JSON.stringify(about)}\n`);
  const locked = await lockIndex(git, about.token);
  if (!locked.ok) {
    releaseIndex(git, about.token, noteOf(git));
    return locked;
  }
  const ref = branch === null ? 'HEAD' : `refs/heads/${branch}`;
  const moved = await moveRefs(git, [`update ${ref} ${to} ${from}`, ...refs], { message: why, env });
  // Where it failed, git may have moved the branch all the same.
  const settled = await settle(git, about);
  return moved.ok ? settled : moved;
}

/** For a landing that a crash cut, with no process of the harness at work; before locks without an owner are swept. Repeatable. */
export async function completeLanding(git: Git): Promise<Result<null>> {
  const text = readText(noteOf(git));
  if (!text.ok || text.value === null) return text.ok ? ok(null) : text;
  const about = noteIn(text.value);
  if (about !== null) return settle(git, about);
  git.io.remove(noteOf(git));
  return ok(null);
}

function noteIn(text: string): Note | null {
  try {
    return noteSchema.parse(JSON.parse(text));
  } catch {
    return null; // only this program writes it, as a whole
  }
}

/** Only where HEAD is the commit: otherwise it never was, or the user has committed since. */
async function settle(git: Git, about: Note): Promise<Result<null>> {
  const head = await readHead(git);
  if (!head.ok) return head;
  if (head.value.commit === about.to) {
    const locked = holdsIndex(git, about.token) ? ok(null) : await lockIndex(git, about.token);
    if (!locked.ok) return locked;
    const put = await putIndex(git, about);
    if (!put.ok) return put;
  }
  releaseIndex(git, about.token, noteOf(git));
  return ok(null);
}

function putIndex(git: Git, { to, paths }: Note): Promise<Result<null>> {
  const index = join(git.gitDir, 'index');
  return withIndex(git, null, async (own): Promise<Result<null>> => {
    copyIndex(index, own.GIT_INDEX_FILE);
    const made = paths === null ? await indexAsHead(git, own) : await resetPaths(git, to, paths, own);
    if (!made.ok) return made;
    await git.io.effect('put the index in place', async () => {
      renameSync(own.GIT_INDEX_FILE, index);
    });
    return ok(null);
  });
}
