// Files that the harness is about to write: whether somebody edited them since the work was verified. Such an edit would be overwritten.
import { Buffer } from 'node:buffer';
import { join } from 'node:path';
import { readRegular } from '../host/files.ts';
import { ok, type Result } from '../model/result.ts';
import type { Git, ObjectId } from './git.ts';
import { readObjects } from './objects.ts';

const LARGEST_BYTES = 64 * 1024 * 1024;

/**
 * Of these paths, which differ from what was verified, those that are neither what the harness writes (it may have died after that) nor what
 * one of the commits has (the tamper guard restored it, or a user committed it).
 */
export async function editedSince(
  git: Git,
  paths: readonly string[],
  { files, commits }: { readonly files: { readonly [path: string]: string }; readonly commits: readonly ObjectId[] },
): Promise<Result<readonly string[]>> {
  const edited: string[] = [];
  for (const path of paths) {
    const now = readRegular(join(git.root, path), LARGEST_BYTES);
    if (now.kind === 'file' && now.bytes.equals(Buffer.from(files[path] ?? ''))) continue;
    const known = await readObjects(
      git,
      commits.map((commit) => `${commit}:${path}`),
    );
    if (!known.ok) return known;
    const bytes = now.kind === 'file' ? now.bytes : null;
    const isKnown = known.value.some((one) =>
      one === null ? now.kind === 'absent' : bytes?.equals(one.bytes) === true,
    );
    if (!isKnown) edited.push(path);
  }
  return ok(edited);
}
