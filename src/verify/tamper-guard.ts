// The tamper guard of an agent session: files that only the harness may write while the session runs. Their contents are
// saved before the session starts; afterwards every difference is restored and reported, except what a file's rule allows.
//
// Opening and closing are idempotent across crashes: an open guard is never taken again (the agent may have written
// since), and findings are durable before the first file is restored. A process that finds a guard open after a crash
// settles it first: the harness's own files are restored, so nothing an agent wrote there is trusted; the guard stays open.
//
// Git's own files are watched in the same way (tamper-guard/git-guard.ts), and settled after every turn: git runs between turns, too.
import { Buffer } from 'node:buffer';
import { join, resolve } from 'node:path';
import { statsOf } from '../host/paths.ts';
import { err, ok, type Result } from '../model/result.ts';
import type { Problem } from '../model/verdict.ts';
import { readRegular } from '../host/files.ts';
import type { Io } from '../host/io.ts';
import type { GitPlaces } from './tamper-guard/git-files.ts';
import {
  compareGitFiles,
  keepGitFiles,
  putGitFilesBack,
  withOwnWrite,
  type OwnGitWrite,
} from './tamper-guard/git-guard.ts';
import { currentState, linkOf, parentMoved, restore, same, type FileBefore } from './tamper-guard/guarded-file.ts';
import {
  bytesBefore,
  closedPath,
  earlierFindings,
  earlierPath,
  findingsPath,
  findingsSchema,
  manifestPath,
  manifestSchema,
  MAX_BYTES,
  readJson,
  unreadable,
  type GuardedEntry,
  type GitGuard,
  type GuardManifest,
  type StoredTamperReport,
} from './tamper-guard/storage.ts';

export type GuardedFile = {
  /** Repository-relative or absolute. A file that does not exist must not exist afterwards either. */
  readonly path: string;
  /** restored: any difference is undone · appendable: text added at the end stays · claimed: changes are reported, not undone */
  readonly rule: 'restored' | 'appendable' | 'claimed';
  readonly problem: 'harness-file-edited' | 'config-edited';
  /** The agent cannot write it: a difference is a person's doing, and no problem. */
  readonly isClosed?: true;
};

export type TamperReport = {
  /** What was restored; `params.file` and `params.change` (edited, removed, added, replaced) say which and how. */
  readonly problems: readonly Problem[];
  /** Text added at the end of appendable files; it stays there. */
  readonly appended: readonly { readonly path: string; readonly text: string }[];
  /** Claimed files before and after, as UTF-8; null: no such file. */
  readonly claims: readonly { readonly path: string; readonly before: string | null; readonly after: string | null }[];
  /** Copies of what the agent wrote over restored files. */
  readonly kept: readonly { readonly path: string; readonly copy: string }[];
  /** The same of what people wrote over files that the agent cannot write. */
  readonly edits: readonly { readonly path: string; readonly copy: string }[];
};

/**
 * Saves the files in the private folder `into` (absolute, out of the agent's reach, one per session). Durable on return;
 * only then may the session start. A guard that is already open is left as it is. `beside`: folders of guards still open
 * for sessions in the same work tree: files they guard are taken from their copies, since their agents may have written
 * by now. Fails with `state-unreadable`.
 */
export function openTamperGuard(
  io: Io,
  guard: {
    readonly root: string;
    readonly files: readonly GuardedFile[];
    readonly into: string;
    readonly beside?: readonly string[];
    /** Git's own files are watched too; `store`: the folder in which what they were is kept. */
    readonly git?: { readonly places: GitPlaces; readonly store: string };
  },
): Result<'opened' | 'was-open'> {
  const known = readJson(manifestPath(guard.into), manifestSchema);
  if (!known.ok) return known;
  if (known.value !== null) return ok('was-open');
  io.remove(guard.into);
  const files: GuardedEntry[] = [];
  // One file for all copies: it is waited for until it is on the disk.
  const copies: Buffer[] = [];
  let size = 0;
  const kept = keptBeside(guard.beside ?? []);
  if (!kept.ok) return kept;
  for (const file of guard.files) {
    const beside = file.rule === 'restored' ? kept.value.files.get(file.path) : undefined;
    const one = beside === undefined ? currentState(guard.root, file) : ok(beside);
    if (!one.ok) return one;
    const { entry, bytes } = one.value;
    if (bytes === null) {
      files.push({ ...entry, copy: null });
      continue;
    }
    files.push({ ...entry, copy: COPIES, part: { from: size, size: bytes.length } });
    copies.push(bytes);
    size += bytes.length;
  }
  const git =
    guard.git === undefined ? undefined : (kept.value.git ?? keepGitFiles(io, guard.git.places, guard.git.store));
  const manifest: GuardManifest = { schema: 1, root: guard.root, files, ...(git === undefined ? {} : { git }) };
  // The manifest last: if it exists, every copy does.
  io.replaceAll([
    { path: join(guard.into, COPIES), text: Buffer.concat(copies) },
    { path: manifestPath(guard.into), text: `${JSON.stringify(manifest)}\n` },
  ]);
  return ok('opened');
}

/** In a guard's folder: the copies of its files, one after the other. */
const COPIES = 'before';

/** By path: what the open guards in `folders` will restore when they close. */
function keptBeside(
  folders: readonly string[],
): Result<{ readonly files: ReadonlyMap<string, FileBefore>; readonly git: GitGuard | undefined }> {
  const all = new Map<string, FileBefore>();
  let git: GitGuard | undefined;
  for (const into of folders) {
    if (!isTamperGuardOpen(into)) continue;
    const manifest = readJson(manifestPath(into), manifestSchema);
    if (!manifest.ok) return manifest;
    git ??= manifest.value?.git;
    for (const entry of manifest.value?.files ?? []) {
      if (entry.rule !== 'restored' || all.has(entry.path)) continue;
      const bytes = bytesBefore(into, entry);
      if (!bytes.ok) return bytes;
      all.set(entry.path, { entry, bytes: bytes.value });
    }
  }
  return ok({ files: all, git });
}

/** True if a guard was ever opened in this folder, so that closing it has a result. */
export const hasTamperGuard = (into: string): boolean => statsOf(manifestPath(into)) !== null;

/** True if the guard in this folder is open: an agent may have written since, and its files are not restored yet. */
export const isTamperGuardOpen = (into: string): boolean => hasTamperGuard(into) && statsOf(closedPath(into)) === null;

/**
 * The files of this kind in an open guard as they were when it was opened, as UTF-8; null: no such file. Fails with
 * `state-unreadable`.
 */
export function keptTexts(
  into: string,
  kind: GuardedFile['problem'],
): Result<readonly { readonly path: string; readonly text: string | null }[]> {
  const manifest = readJson(manifestPath(into), manifestSchema);
  if (!manifest.ok) return manifest;
  const kept: { path: string; text: string | null }[] = [];
  for (const entry of manifest.value?.files ?? []) {
    if (entry.problem !== kind) continue;
    const before = bytesBefore(into, entry);
    if (!before.ok) return before;
    kept.push({ path: entry.path, text: text(before.value) });
  }
  return ok(kept);
}

/**
 * Restores the `restored` files of a guard left open by a crash and git's own files, and leaves it open: the findings are reported when it
 * is closed. Call it when no process of the session is alive, except with `only`. Idempotent. Fails with `state-unreadable`.
 */
export function settleTamperGuard(
  io: Io,
  { into, only }: { readonly into: string; readonly only?: 'git' },
): Result<null> {
  if (!isTamperGuardOpen(into)) return ok(null);
  if (statsOf(findingsPath(into)) !== null) return asNull(closeTamperGuard(io, { into }));
  const manifest = readJson(manifestPath(into), manifestSchema);
  if (!manifest.ok || manifest.value === null) return asNull(manifest);
  const found = compare(io, into, manifest.value, ({ rule }) => only === undefined && rule === 'restored');
  if (!found.ok) return found;
  const { putBack, gitBack = [] } = found.value;
  if (putBack.length === 0 && gitBack.length === 0) return ok(null);
  const earlier = earlierFindings(into);
  if (!earlier.ok) return earlier;
  io.replace(earlierPath(into), `${JSON.stringify(merged(earlier.value, found.value))}\n`);
  return restoreAll(io, into, manifest.value, found.value);
}

/** The harness itself changed one of git's own files while the guard was open. Fails with `state-unreadable`. */
export function acceptOwnGitWrite(io: Io, into: string, write: OwnGitWrite): Result<null> {
  if (!isTamperGuardOpen(into)) return ok(null);
  const manifest = readJson(manifestPath(into), manifestSchema);
  if (!manifest.ok || manifest.value?.git === undefined) return asNull(manifest);
  const git = withOwnWrite(io, manifest.value.git, write);
  if (git.ok) io.replace(manifestPath(into), `${JSON.stringify({ ...manifest.value, git: git.value })}\n`);
  return asNull(git);
}

/**
 * Compares, restores, reports. Call it when no process of the session is alive. Called again, it returns the same report
 * and finishes the restoring; the caller removes the folder. Fails with `state-unreadable`.
 */
export function closeTamperGuard(io: Io, guard: { readonly into: string }): Result<TamperReport> {
  const manifest = readJson(manifestPath(guard.into), manifestSchema);
  if (!manifest.ok) return manifest;
  if (manifest.value === null) return err(unreadable(manifestPath(guard.into), 'no tamper guard is open'));
  const stored = readJson(findingsPath(guard.into), findingsSchema);
  if (!stored.ok) return stored;
  const earlier = earlierFindings(guard.into);
  if (!earlier.ok) return earlier;
  const found = stored.value === null ? compare(io, guard.into, manifest.value) : ok(stored.value);
  if (!found.ok) return found;
  const findings = stored.value ?? merged(earlier.value, found.value);
  const report = { path: findingsPath(guard.into), text: `${JSON.stringify(withoutCopies(findings))}\n` };
  const { putBack, gitBack = [] } = findings;
  if (stored.value === null && putBack.length + gitBack.length === 0) {
    // Nothing happens between the two: they are one write. Cut in between, the findings are there and the guard is open.
    io.replaceAll([report, { path: closedPath(guard.into), text: '{}\n' }]);
  } else if (stored.value === null) io.replace(report.path, report.text);
  // A closed guard is not restored again: from then on the harness may write these files.
  if (isTamperGuardOpen(guard.into)) {
    const back = restoreAll(io, guard.into, manifest.value, findings);
    if (!back.ok) return back;
    io.replace(closedPath(guard.into), '{}\n');
  }
  const { problems, appended, kept, edits = [] } = findings;
  const claims = withCopies(findings.claims, guard.into, manifest.value);
  return claims.ok ? ok({ problems, appended, claims: claims.value, kept, edits }) : claims;
}

/** As it is stored: a list of megabytes is not written once more for every session. */
const withoutCopies = (report: StoredTamperReport): StoredTamperReport => ({
  ...report,
  claims: report.claims.map(({ path, after }) => ({ path, after })),
});

function withCopies(
  claims: StoredTamperReport['claims'],
  into: string,
  { files }: GuardManifest,
): Result<TamperReport['claims']> {
  const whole: { path: string; before: string | null; after: string | null }[] = [];
  for (const { path, before, after } of claims) {
    const entry = files.find((one) => one.path === path);
    const copy = before === undefined && entry !== undefined ? bytesBefore(into, entry) : ok(null);
    if (!copy.ok) return copy;
    whole.push({ path, before: before ?? text(copy.value), after });
  }
  return ok(whole);
}

const asNull = (result: Result<unknown>): Result<null> => (result.ok ? ok(null) : result);

function restoreAll(
  io: Io,
  into: string,
  { root, files, git }: GuardManifest,
  { putBack, gitBack = [] }: Pick<StoredTamperReport, 'putBack' | 'gitBack'>,
): Result<null> {
  for (const entry of files) {
    if (!putBack.includes(entry.path)) continue;
    const before = bytesBefore(into, entry);
    if (!before.ok) return before;
    restore(io, root, entry, before.value);
  }
  return git === undefined ? ok(null) : putGitFilesBack(io, git, gitBack, into);
}

/** Compares the guarded files with their copies: a difference is to restore, an allowed addition, or a claim. */
function compare(
  io: Io,
  into: string,
  { root, files, git }: GuardManifest,
  isWanted: (entry: GuardedEntry) => boolean = () => true,
): Result<StoredTamperReport> {
  const edits: { path: string; copy: string }[] = [];
  const found: StoredTamperReport = { schema: 1, problems: [], appended: [], claims: [], kept: [], putBack: [], edits };
  for (const [index, entry] of files.entries()) {
    if (!isWanted(entry)) continue;
    const path = resolve(root, entry.path);
    const before = bytesBefore(into, entry);
    if (!before.ok) return before;
    const old = before.value;
    const moved = linkOf(path) !== entry.link || (!entry.throughLink && parentMoved(root, path));
    const now = readRegular(moved ? path : entry.target, MAX_BYTES);
    const bytes = now.kind === 'file' ? now.bytes : null;
    const isPlain = !moved && now.kind !== 'other';
    if (isPlain && entry.rule === 'claimed') {
      found.claims.push({ path: entry.path, before: text(old), after: text(bytes) });
      continue;
    }
    if (isPlain && same(old, bytes)) continue;
    if (isPlain && entry.rule === 'appendable' && bytes !== null && startsWith(bytes, old)) {
      found.appended.push({ path: entry.path, text: bytes.subarray(old?.length ?? 0).toString('utf8') });
      continue;
    }
    if (bytes !== null) {
      const copy = join(into, 'edited', String(index));
      io.replace(copy, bytes);
      (entry.isClosed === true ? edits : found.kept).push({ path: entry.path, copy });
    }
    if (entry.isClosed === true) {
      found.putBack.push(entry.path);
      continue;
    }
    const change = !isPlain ? 'replaced' : old === null ? 'added' : bytes === null ? 'removed' : 'edited';
    found.problems.push({ code: entry.problem, params: { file: entry.path, change } });
    found.putBack.push(entry.path);
    if (entry.rule === 'claimed') found.claims.push({ path: entry.path, before: text(old), after: null });
  }
  const ofGit = git === undefined ? null : compareGitFiles(io, git, into);
  if (ofGit === null) return ok(found);
  if (!ofGit.ok) return ofGit;
  const { problems, kept, back } = ofGit.value;
  return ok({
    ...found,
    problems: [...found.problems, ...problems],
    kept: [...found.kept, ...kept],
    ...(back.length === 0 ? {} : { gitBack: back }),
  });
}

/** Findings of an earlier `settleTamperGuard` are reported once, and are restored already. */
function merged(earlier: StoredTamperReport, found: StoredTamperReport): StoredTamperReport {
  const reported = new Set(found.problems.map((problem) => JSON.stringify(problem)));
  const problems = [...earlier.problems.filter((problem) => !reported.has(JSON.stringify(problem))), ...found.problems];
  const edits = [...(earlier.edits ?? []), ...(found.edits ?? [])];
  return { ...found, problems, kept: [...earlier.kept, ...found.kept], edits };
}

const text = (bytes: Buffer | null): string | null => (bytes === null ? null : bytes.toString('utf8'));
const startsWith = (bytes: Buffer, head: Buffer | null): boolean =>
  head === null || (bytes.length >= head.length && bytes.subarray(0, head.length).equals(head));
