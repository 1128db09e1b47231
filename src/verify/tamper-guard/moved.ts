// A tamper guard of a repository that was moved or copied since: its paths are made those of this work tree, so that nothing is read from
// the other one or put back there.
import { join, relative } from 'node:path';
import type { Io } from '../../host/io.ts';
import { isBelow } from '../../host/paths.ts';
import { ok, type Result } from '../../model/result.ts';
import { moveGitGuard, type NewPlaceOf } from './git-guard.ts';
import { manifestPath, manifestSchema, readJson } from './storage.ts';

/**
 * `rootOf`: where the work tree is that was there; `commonDir`: the repository's git folder now. Only with no process of the session alive.
 * Repeatable. Fails with `state-unreadable`.
 */
export function moveTamperGuard(
  io: Io,
  {
    into,
    rootOf,
    commonDir,
  }: { readonly into: string; readonly rootOf: (was: string) => string; readonly commonDir: string },
): Result<null> {
  const read = readJson(manifestPath(into), manifestSchema);
  if (!read.ok) return read;
  const manifest = read.value;
  const root = manifest === null ? null : rootOf(manifest.root);
  if (manifest === null || root === null) return ok(null);
  const { git: was } = manifest;
  // An earlier version moved the files of the work tree alone.
  if (manifest.root === root && (was === undefined || was.commonDir === commonDir)) return ok(null);
  // The folder of git is usually below the work tree, so it goes first.
  const places = [
    ...(was === undefined ? [] : [{ was: was.commonDir, is: commonDir }]),
    { was: manifest.root, is: root },
    ...(was === undefined ? [] : [{ was: was.root, is: root }]),
  ];
  const now: NewPlaceOf = (path) => {
    const place = places.find((one) => isBelow(path, one.was));
    return place === undefined ? path : join(place.is, relative(place.was, path));
  };
  const files = manifest.files.map((file) => ({ ...file, target: now(file.target) }));
  const git = was === undefined ? ok(null) : moveGitGuard(io, was, now);
  if (!git.ok) return git;
  const moved = { ...manifest, root, files, ...(git.value === null ? {} : { git: git.value }) };
  io.replace(manifestPath(into), `${JSON.stringify(moved)}\n`);
  return ok(null);
}
