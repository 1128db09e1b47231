// The part of a tamper guard that watches git's own files: keeps what they were, finds what differs, puts it back. What was there instead is
// kept beside, since a user's own change cannot be distinguished from an agent's.
import { Buffer } from 'node:buffer';
import {
  chmodSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isFolder } from '../../host/paths.ts';
import { readRegular, sha256 } from '../../host/files.ts';
import type { Io } from '../../host/io.ts';
import { failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import {
  bytesOf,
  differencesOf,
  gitSnapshotSchema,
  PACKED,
  readGitFiles,
  shownName,
  type GitDifference,
  type GitFile,
  type GitPlaces,
  type GitSnapshot,
} from './git-files.ts';
import { clearParents, linkOf } from './guarded-file.ts';
import { withReplaced } from './packed-refs.ts';
import { MAX_BYTES, readJson, unreadable, type GitGuard, type StoredTamperReport } from './storage.ts';

type GitBack = NonNullable<StoredTamperReport['gitBack']>;
type GitFindings = Pick<StoredTamperReport, 'problems' | 'kept'> & { readonly back: GitBack };

/** Keeps the files as they are now in `store`, a folder of its own. Durable on return. */
export function keepGitFiles(io: Io, places: GitPlaces, store: string): GitGuard {
  return keepSnapshot(io, places, store, readGitFiles(places));
}

function keepSnapshot(io: Io, { root, gitDir, commonDir }: GitPlaces, store: string, snapshot: GitSnapshot): GitGuard {
  const text = `${JSON.stringify(snapshot)}\n`;
  const hash = sha256(text);
  const copy = join(store, `${hash}.json`);
  // Almost always the same as before the last session. Its time says that it is in use.
  if (existsSync(copy)) utimesSync(copy, new Date(), new Date());
  else io.replace(copy, text);
  return { root, gitDir, commonDir, copy, sha256: hash };
}

function snapshotOf({ copy, sha256: hash }: GitGuard): Result<GitSnapshot> {
  const file = readRegular(copy, MAX_BYTES);
  if (file.kind !== 'file' || sha256(file.bytes) !== hash)
    return err(unreadable(copy, 'the stored copy does not match its hash'));
  const read = readJson(copy, gitSnapshotSchema);
  if (!read.ok) return read;
  return read.value === null ? err(unreadable(copy, 'absent')) : ok(read.value);
}

/** Where a path of another place of this repository is now. */
export type NewPlaceOf = (path: string) => string;

/** The guard of a repository that was moved or copied. Without it the files of the original would be compared, and put back there. */
export function moveGitGuard(io: Io, guard: GitGuard, now: NewPlaceOf): Result<GitGuard> {
  const { root, gitDir, commonDir, copy } = guard;
  const read = snapshotOf({ ...guard, copy: now(copy) });
  if (!read.ok) return read;
  const { files, modules, outside, ...rest } = read.value;
  const snapshot: GitSnapshot = {
    ...rest,
    files: files.map((file) => ({
      ...file,
      path: now(file.path),
      base: now(file.base),
      content: isPointer(file) ? movedPointer(file.content, now) : file.content,
    })),
    modules: modules.map(now),
    outside: outside.map(now),
  };
  const places = { root: now(root), gitDir: now(gitDir), commonDir: now(commonDir) };
  return ok(keepSnapshot(io, places, dirname(now(copy)), snapshot));
}

/** A file that names a folder: of a linked work tree, and of its git folder. */
const isPointer = ({ path, kind }: GitFile): boolean =>
  kind === 'file' && ['.git', 'gitdir', 'commondir'].includes(basename(path));

function movedPointer(content: string, now: NewPlaceOf): string {
  const text = Buffer.from(content, 'base64').toString('utf8');
  const moved = text.replace(/^((?:gitdir: )?)(\/.*?)(\s*)$/, (_, mark: string, path: string, end: string) =>
    [mark, now(path), end].join(''),
  );
  return Buffer.from(moved).toString('base64');
}

/** `into`: the guard's folder. Texts that differ are kept there, nothing is put back yet. Fails with `state-unreadable`. */
export function compareGitFiles(io: Io, guard: GitGuard, into: string): Result<GitFindings> {
  const before = snapshotOf(guard);
  if (!before.ok) return before;
  const found = differencesOf(before.value, readGitFiles(guard, before.value.outside));
  if (found.length === 0) return ok({ problems: [], kept: [], back: [] });
  const kept = found.flatMap(({ path }) => {
    const name = shownName(guard, path);
    const now = readRegular(path, MAX_BYTES);
    if (now.kind !== 'file') return [];
    const copy = join(asideOf(into), `${sha256(now.bytes).slice(0, 8)}-${flat(name)}`);
    if (!existsSync(copy)) io.replace(copy, now.bytes);
    return [{ path: name, copy }];
  });
  const ids = found.map(({ path }) => shownName(guard, path)).sort();
  const params = {
    count: ids.length,
    file: `${ids.slice(0, MOST_NAMED).join(', ')}${ids.length > MOST_NAMED ? ', …' : ''}`,
    ...(kept.length === 0 ? {} : { kept: shownName(guard, asideOf(into)) }),
  };
  return ok({
    problems: [{ code: 'git-files-edited', params, ids }],
    kept,
    back: found.map(({ path, base }) => ({ path, base })),
  });
}

const MOST_NAMED = 5;
const asideOf = (into: string): string => join(into, 'edited', 'git');
const flat = (name: string): string => name.replaceAll('/', '_');

/** Idempotent. Fails with `state-unreadable`, or with `git-busy` where a git holds the lock of the packed refs. */
export function putGitFilesBack(io: Io, guard: GitGuard, back: GitBack, into: string): Result<null> {
  if (back.length === 0) return ok(null);
  const before = snapshotOf(guard);
  if (!before.ok) return before;
  const then = new Map(before.value.files.map((file) => [file.path, file]));
  for (const { path, base } of back) {
    const was = then.get(path) ?? null;
    const done =
      path === join(base, PACKED) ? putRefsBack(io, path, was) : putBack(io, { path, base, before: was }, into);
    if (!done.ok) return done;
  }
  return ok(null);
}

function putBack(io: Io, { path, base, before }: GitDifference, into: string): Result<null> {
  clearParents(base, path);
  setFolderAside(path, into);
  if (before === null) io.remove(path, 'for-good');
  else if (before.kind === 'link') {
    if (linkOf(path) === before.content) return ok(null);
    io.remove(path);
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(before.content, path);
  } else if (before.kind === 'file') {
    const now = readRegular(path, MAX_BYTES);
    if (now.kind === 'other') io.remove(path);
    if (now.kind !== 'file' || !now.bytes.equals(bytesOf(before))) io.replace(path, bytesOf(before));
    chmodSync(path, before.mode);
  }
  return ok(null);
}

/** A folder in the place of a file, or a submodule that was not there, may hold work: it is moved, never removed. */
function setFolderAside(path: string, into: string): void {
  if (!isFolder(path)) return;
  mkdirSync(asideOf(into), { recursive: true });
  let copy = join(asideOf(into), flat(path));
  while (existsSync(copy)) copy = `${copy}+`;
  renameSync(path, copy);
}

function putRefsBack(io: Io, path: string, before: GitFile | null): Result<null> {
  const now = readRegular(path, MAX_BYTES);
  const text = now.kind === 'file' ? now.bytes.toString('utf8') : '';
  const wanted = withReplaced(text, before === null ? [] : before.content.split('\n'));
  if (wanted === text) return ok(null);
  const lock = `${path}.lock`;
  try {
    closeSync(openSync(lock, 'wx', 0o644));
  } catch {
    return err(failure('git-busy', { command: 'git pack-refs', words: lock }));
  }
  try {
    io.replace(path, wanted);
  } finally {
    rmSync(lock, { force: true });
  }
  return ok(null);
}

/** What the harness itself wrote while the guard was open. `before` null: there was no such file. */
export type OwnGitWrite = { readonly path: string; readonly before: Buffer | null; readonly after: Buffer };

/**
 * What the harness wrote is what is put back from now on, unless somebody else had changed the file before. Returns the guard for the
 * manifest. Fails with `state-unreadable`.
 */
export function withOwnWrite(io: Io, guard: GitGuard, { path, before, after }: OwnGitWrite): Result<GitGuard> {
  const snapshot = snapshotOf(guard);
  if (!snapshot.ok) return snapshot;
  const { files } = snapshot.value;
  const known = files.find((file) => file.path === path);
  const isAsKnown = known === undefined ? before === null : before !== null && bytesOf(known).equals(before);
  if (!isAsKnown || (known !== undefined && known.kind !== 'file')) return ok(guard);
  const mode = known?.mode ?? lstatSync(path).mode & 0o7777;
  const written: GitFile = { path, base: guard.commonDir, kind: 'file', content: after.toString('base64'), mode };
  const others = files.filter((file) => file !== known);
  return ok(keepSnapshot(io, guard, dirname(guard.copy), { ...snapshot.value, files: [...others, written] }));
}
