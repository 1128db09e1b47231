// What has changed in the work tree since it was verified: what a user changed stays theirs, and anything else is no reason to commit.
import { ok, type Result } from '../model/result.ts';
import type { Git, ObjectId } from './git.ts';
import { pathsBetween } from './history.ts';
import { editedSince } from './own-edits.ts';
import { hasConversions, readSettings } from './settings.ts';

type VerifiedAsk = {
  readonly expected: ObjectId;
  readonly files: { readonly [path: string]: string };
  readonly from?: ObjectId;
  readonly users?: readonly string[];
};
/** Files that stay in the work tree as they are. */
export type Stays = { readonly stay: readonly string[] };

/** `refused`: the files that differ, of which nothing is known. */
export async function sinceVerified(
  git: Git,
  { expected, files, from, users }: VerifiedAsk,
  { tree, head }: { readonly tree: ObjectId; readonly head: ObjectId },
): Promise<Result<Stays | { readonly refused: readonly string[] }>> {
  if (tree === expected) return ok({ stay: [] });
  const differ = await pathsBetween(git, expected, tree);
  if (!differ.ok) return differ;
  const others = differ.value.filter((path) => !Object.hasOwn(files, path));
  const isMoved = from !== undefined && from !== head;
  const canStay = users !== undefined && !isMoved && others.every((path) => users.includes(path));
  if (others.length > 0 && !canStay) return ok({ refused: others });
  const own = differ.value.filter((path) => !others.includes(path));
  const edited = await ownEdits(git, own, { files, commits: [from ?? head, head] });
  if (!edited.ok) return edited;
  return ok(edited.value.length > 0 ? { refused: edited.value } : { stay: others });
}

/** Where git converts files, what is committed says nothing about the bytes of a file. */
async function ownEdits(
  git: Git,
  paths: readonly string[],
  about: Parameters<typeof editedSince>[2],
): Promise<Result<readonly string[]>> {
  const settings = await readSettings(git);
  if (!settings.ok) return settings;
  return hasConversions(git, settings.value) ? ok([]) : editedSince(git, paths, about);
}
