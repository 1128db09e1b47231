// A tamper guard of a repository that was moved or copied since: its paths are made those of this work tree, so that nothing is read from
// the other one or put back there.
import { join, relative } from 'node:path';
import type { Io } from '../../host/io.ts';
import { isBelow } from '../../host/paths.ts';
import { ok, type Result } from '../../model/result.ts';
import { manifestPath, manifestSchema, readJson } from './storage.ts';

/** `rootOf`: where the work tree is that was there. Only with no process of the session alive. Repeatable. Fails with `state-unreadable`. */
export function moveTamperGuard(
  io: Io,
  { into, rootOf }: { readonly into: string; readonly rootOf: (was: string) => string },
): Result<null> {
  const read = readJson(manifestPath(into), manifestSchema);
  if (!read.ok) return read;
  const manifest = read.value;
  const root = manifest === null ? null : rootOf(manifest.root);
  if (manifest === null || root === null || manifest.root === root) return ok(null);
  const files = manifest.files.map((file) =>
    isBelow(file.target, manifest.root) ? { ...file, target: join(root, relative(manifest.root, file.target)) } : file,
  );
  io.replace(manifestPath(into), `${JSON.stringify({ ...manifest, root, files })}\n`);
  return ok(null);
}
