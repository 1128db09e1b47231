// The landing commits that name a bundle: from the history, or from an exported file. Each is read from bytes that hash to its
// id.
import type { Buffer } from 'node:buffer';
import { ok, type Result } from '../../model/result.ts';
import { EVIDENCE_TRAILER } from '../../repos/message.ts';
import { carriersOf } from '../../repos/evidence.ts';
import type { Git, ObjectId } from '../../repos/git.ts';
import { objectIdOf, readEach, readObjects } from '../../repos/objects.ts';
import type { FoundLanding } from '../../verify/chain.ts';

/** The ref of an exported file: a commit with the landing commit as a file, its tree and its parent's. */
export const EXPORT_REF = 'refs/harness/export';
export const LANDING_FILE = 'landing.commit';

/** `elsewhere`: in no history that counts here, but known from a remote branch or a tag. */
export type Landings = { readonly here: readonly FoundLanding[]; readonly elsewhere: readonly FoundLanding[] };

/** Commits whose bytes do not hash to their id are left out. */
export async function landingsIn(git: Git): Promise<Result<Landings>> {
  const ids = await carriersOf(git, EVIDENCE_TRAILER);
  if (!ids.ok) return ids;
  const read = async (commits: readonly ObjectId[]): Promise<readonly FoundLanding[]> => {
    const objects = await readEach(git, commits);
    return commits.flatMap((id, n) => {
      const bytes = objects[n]?.bytes;
      return bytes === undefined || objectIdOf('commit', bytes, id) !== id ? [] : [landingOf(id, bytes)];
    });
  };
  return ok({ here: await read(ids.value.here), elsewhere: await read(ids.value.elsewhere) });
}

/** The landing commit of an exported file; empty if it has none. */
export async function exportedLanding(git: Git, like: ObjectId): Promise<Result<Landings>> {
  const read = await readObjects(git, [`${EXPORT_REF}:${LANDING_FILE}`]);
  if (!read.ok) return read;
  const bytes = read.value[0]?.bytes;
  const here = bytes === undefined ? [] : [landingOf(objectIdOf('commit', bytes, like), bytes)];
  return ok({ here, elsewhere: [] });
}

/** A commit from its bytes: its trees and its trailers. */
export function landingOf(commit: ObjectId, bytes: Buffer): FoundLanding {
  const text = bytes.toString('utf8');
  const end = text.indexOf('\n\n');
  const head = text.slice(0, end < 0 ? text.length : end).split('\n');
  const named = (name: string): string[] =>
    head.flatMap((line) => (line.startsWith(`${name} `) ? [line.slice(name.length + 1)] : []));
  const trailers = Object.fromEntries(
    [...text.slice(end < 0 ? text.length : end).matchAll(/^(Harness-[A-Za-z]+): (.*)$/gm)].map(
      ([, name = '', value = '']) => [name, value],
    ),
  );
  return { commit, tree: named('tree')[0] ?? '', parents: named('parent'), trailers };
}
