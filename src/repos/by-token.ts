// The commit that a token made: asked for again, an effect finds what it has done.
import { ok, type Result } from '../model/result.ts';
import type { Git, ObjectId } from './git.ts';
import { readHead, resolveCommit } from './head.ts';
import { branchCommits, EVIDENCE_TRAILER, readCommits, type CommitRecord } from './message.ts';

/** The commit a token made on the current branch, or at the tip of another one; null while there is none. */
export async function findByToken(git: Git, token: string, onto?: string): Promise<Result<Found | null>> {
  if (onto !== undefined) return tipByToken(git, token, onto);
  const head = await readHead(git);
  if (!head.ok) return head;
  if (head.value.commit === null) return ok(null);
  const read = await branchCommits(git, head.value.commit);
  if (!read.ok) return read;
  const found = read.value.find(({ trailers }) => trailers['Harness-Token'] === token);
  return ok(found === undefined ? null : foundIn(found));
}

async function tipByToken(git: Git, token: string, branch: string): Promise<Result<Found | null>> {
  const tip = await resolveCommit(git, `refs/heads/${branch}`);
  if (!tip.ok || tip.value === null) return tip.ok ? ok(null) : tip;
  const read = await readCommits(git, ['-n1', tip.value]);
  if (!read.ok) return read;
  const found = read.value.find(({ trailers }) => trailers['Harness-Token'] === token);
  return ok(found === undefined ? null : foundIn(found));
}

const foundIn = ({ commit, tree, trailers }: CommitRecord): Found => ({
  commit,
  tree,
  evidence: trailers[EVIDENCE_TRAILER] ?? '',
});

export type Found = { readonly commit: ObjectId; readonly tree: ObjectId; readonly evidence: string };
