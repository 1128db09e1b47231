// The tamper window around an agent session: while it is open, certain files are the harness's alone. What they hold is
// kept before the session begins; afterwards every difference is put back and reported, except what a file's rule allows.
//
// Both ends may be repeated after a crash: an open window is never taken a second time (the agent may have written
// since), and what was found is durable before the first file is put back. A life that finds a window open settles it
// first: the harness's own files are as they were, so that nothing an agent wrote there is believed; the window stays open.
import type { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, readlinkSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { z } from 'zod';
import { failure } from '../model/failure.ts';
import { parseJsonFile } from '../model/own-files.ts';
import { err, ok, type Result } from '../model/result.ts';
import type { Problem } from '../model/verdict.ts';
import type { Io } from '../host/io.ts';
import { readRegular } from '../host/regular.ts';

export type WindowFile = {
  /** Repository-relative or absolute. It need not exist: then it must not exist afterwards. */
  readonly path: string;
  /** restored: any difference is put back · appendable: text added at the end stays · claimed: changes are handed back, not put back */
  readonly rule: 'restored' | 'appendable' | 'claimed';
  readonly problem: 'harness-file-edited' | 'config-edited';
};

export type WindowFindings = {
  /** What was put back, `params.file` and `params.change` (edited, removed, added, replaced) say which and how. */
  readonly problems: readonly Problem[];
  /** Text added at the end of appendable files, which stays there. */
  readonly appended: readonly { readonly path: string; readonly text: string }[];
  /** Claimed files before and after, as UTF-8; null: there was none. */
  readonly claims: readonly { readonly path: string; readonly before: string | null; readonly after: string | null }[];
  /** Copies of what the agent had written in place of files that were put back. */
  readonly kept: readonly { readonly path: string; readonly copy: string }[];
};

/** Harness files are small; more than this at once is no honest edit. */
const MAX_BYTES = 64 * 1024 * 1024;

const entrySchema = z.strictObject({
  path: z.string(),
  rule: z.enum(['restored', 'appendable', 'claimed']),
  problem: z.enum(['harness-file-edited', 'config-edited']),
  /** Where a symbolic link at `path` points, as written; null: no link. */
  link: z.string().nullable(),
  /** The file itself, behind links. */
  target: z.string(),
  /** A folder on the way below the root was a link already: then links on the way prove nothing. */
  throughLink: z.boolean(),
  sha256: z.string().nullable(),
  mode: z.int(),
  copy: z.string().nullable(),
});
const manifestSchema = z.strictObject({ schema: z.literal(1), root: z.string(), files: z.array(entrySchema) });
type Entry = z.infer<typeof entrySchema>;
type Manifest = z.infer<typeof manifestSchema>;

const findingsSchema = z.strictObject({
  schema: z.literal(1),
  problems: z.array(
    z.strictObject({
      code: z.enum(['harness-file-edited', 'config-edited']),
      params: z.record(z.string(), z.union([z.string(), z.number()])),
    }),
  ),
  appended: z.array(z.strictObject({ path: z.string(), text: z.string() })),
  claims: z.array(z.strictObject({ path: z.string(), before: z.string().nullable(), after: z.string().nullable() })),
  kept: z.array(z.strictObject({ path: z.string(), copy: z.string() })),
  putBack: z.array(z.string()),
});

/**
 * Keeps the files in the private folder `into` (absolute, outside the agent's reach, one per session). Durable on
 * return: only then may the session begin. A window found open is left as it is. `beside`: folders of windows that stand open for
 * sessions at work there: what is put back then is what they kept, since their agents may have written by now. Fails with `state-unreadable`.
 */
export function openWindow(
  io: Io,
  window: {
    readonly root: string;
    readonly files: readonly WindowFile[];
    readonly into: string;
    readonly beside?: readonly string[];
  },
): Result<'opened' | 'was-open'> {
  const known = readJson(manifestPath(window.into), manifestSchema);
  if (!known.ok) return known;
  if (known.value !== null) return ok('was-open');
  io.remove(window.into);
  const files: Entry[] = [];
  const copies: { path: string; text: Uint8Array | string }[] = [];
  const kept = keptBeside(window.beside ?? []);
  if (!kept.ok) return kept;
  for (const [index, file] of window.files.entries()) {
    const known = file.rule === 'restored' ? kept.value.get(file.path) : undefined;
    if (known !== undefined) {
      const copy = known.bytes === null ? null : join('before', String(index));
      if (known.bytes !== null && copy !== null) copies.push({ path: join(window.into, copy), text: known.bytes });
      files.push({ ...known.entry, copy });
      continue;
    }
    const path = resolve(window.root, file.path);
    const link = linkOf(path);
    const target = link === null ? path : realTarget(path);
    const now = readRegular(target, MAX_BYTES);
    if (now.kind === 'other') return err(unreadable(path, now.why));
    const before = now.kind === 'file' ? { bytes: now.bytes, copy: join('before', String(index)) } : null;
    if (before !== null) copies.push({ path: join(window.into, before.copy), text: before.bytes });
    files.push({
      path: file.path,
      rule: file.rule,
      problem: file.problem,
      link,
      target,
      throughLink: parentMoved(window.root, path),
      sha256: before === null ? null : sha256(before.bytes),
      mode: now.kind === 'file' ? now.mode : 0o644,
      copy: before?.copy ?? null,
    });
  }
  const manifest: Manifest = { schema: 1, root: window.root, files };
  // The manifest last: where it stands, every copy does.
  io.replaceAll([...copies, { path: manifestPath(window.into), text: `${JSON.stringify(manifest)}\n` }]);
  return ok('opened');
}

type Kept = { readonly entry: Entry; readonly bytes: Buffer | null };
/** By path: what is put back at the end of the windows that stand open there. */
function keptBeside(windows: readonly string[]): Result<ReadonlyMap<string, Kept>> {
  const all = new Map<string, Kept>();
  for (const into of windows) {
    if (!isWindowOpen(into)) continue;
    const manifest = readJson(manifestPath(into), manifestSchema);
    if (!manifest.ok) return manifest;
    for (const entry of manifest.value?.files ?? []) {
      if (entry.rule !== 'restored' || all.has(entry.path)) continue;
      const bytes = bytesBefore(into, entry);
      if (!bytes.ok) return bytes;
      all.set(entry.path, { entry, bytes: bytes.value });
    }
  }
  return ok(all);
}

/** Whether a window was ever opened in this folder: then closing it has an answer. */
export const hasWindow = (into: string): boolean =>
  lstatSync(manifestPath(into), { throwIfNoEntry: false }) !== undefined;

/** Whether a window stands open in this folder: an agent may have written since, and its files are not put back yet. */
export const isWindowOpen = (into: string): boolean =>
  hasWindow(into) && lstatSync(closedPath(into), { throwIfNoEntry: false }) === undefined;

/**
 * The files of this kind in an open window as they were when it was opened, as UTF-8; null: there was none. Fails with
 * `state-unreadable`.
 */
export function keptTexts(
  into: string,
  kind: WindowFile['problem'],
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
 * Puts back what nobody may have changed in a window that a dead life left open, and leaves it open: what was found is
 * told when it is closed. Call it when no process of the session lives. Repeatable. Fails with `state-unreadable`.
 */
export function settleWindow(io: Io, { into }: { readonly into: string }): Result<null> {
  if (!isWindowOpen(into)) return ok(null);
  if (lstatSync(findingsPath(into), { throwIfNoEntry: false }) !== undefined) return asNull(closeWindow(io, { into }));
  const manifest = readJson(manifestPath(into), manifestSchema);
  if (!manifest.ok || manifest.value === null) return asNull(manifest);
  const { root, files } = manifest.value;
  const earlier = earlierFindings(into);
  if (!earlier.ok) return earlier;
  const found = look(io, into, root, files, ({ rule }) => rule === 'restored');
  if (found.putBack.length === 0) return ok(null);
  io.replace(earlierPath(into), `${JSON.stringify(joined(earlier.value, found))}\n`);
  return putAllBack(io, into, root, files, found.putBack);
}

/**
 * Compares, puts back, reports. Call it when no process of the session lives. Repeated, it answers the same and
 * finishes what was not put back; the folder is the caller's to remove. Fails with `state-unreadable`.
 */
export function closeWindow(io: Io, window: { readonly into: string }): Result<WindowFindings> {
  const manifest = readJson(manifestPath(window.into), manifestSchema);
  if (!manifest.ok) return manifest;
  if (manifest.value === null) return err(unreadable(manifestPath(window.into), 'there is no open window'));
  const stored = readJson(findingsPath(window.into), findingsSchema);
  if (!stored.ok) return stored;
  const earlier = earlierFindings(window.into);
  if (!earlier.ok) return earlier;
  const { root, files } = manifest.value;
  const findings = stored.value ?? joined(earlier.value, look(io, window.into, root, files));
  if (stored.value === null) io.replace(findingsPath(window.into), `${JSON.stringify(findings)}\n`);
  // Once everything is back, the files are the harness's to write again.
  if (isWindowOpen(window.into)) {
    const back = putAllBack(io, window.into, root, files, findings.putBack);
    if (!back.ok) return back;
    io.replace(closedPath(window.into), '{}\n');
  }
  const { problems, appended, claims, kept } = findings;
  return ok({ problems, appended, claims, kept });
}

type Findings = z.infer<typeof findingsSchema>;
const NONE: Findings = { schema: 1, problems: [], appended: [], claims: [], kept: [], putBack: [] };

const asNull = (result: Result<unknown>): Result<null> => (result.ok ? ok(null) : result);

function earlierFindings(into: string): Result<Findings> {
  const earlier = readJson(earlierPath(into), findingsSchema);
  return earlier.ok ? ok(earlier.value ?? NONE) : earlier;
}

/** What was put back before is told once, and need not be put back again. */
function joined(earlier: Findings, found: Findings): Findings {
  const told = new Set(found.problems.map((problem) => JSON.stringify(problem)));
  const problems = [...earlier.problems.filter((problem) => !told.has(JSON.stringify(problem))), ...found.problems];
  return { ...found, problems, kept: [...earlier.kept, ...found.kept] };
}

function putAllBack(
  io: Io,
  into: string,
  root: string,
  files: readonly Entry[],
  paths: readonly string[],
): Result<null> {
  for (const entry of files) {
    if (!paths.includes(entry.path)) continue;
    const before = bytesBefore(into, entry);
    if (!before.ok) return before;
    putBack(io, root, entry, before.value);
  }
  return ok(null);
}

function look(
  io: Io,
  into: string,
  root: string,
  files: readonly Entry[],
  isWanted: (entry: Entry) => boolean = () => true,
): Findings {
  const found: Findings = { schema: 1, problems: [], appended: [], claims: [], kept: [], putBack: [] };
  for (const [index, entry] of files.entries()) {
    if (!isWanted(entry)) continue;
    const path = resolve(root, entry.path);
    const before = entry.copy === null ? null : readRegular(join(into, entry.copy), MAX_BYTES);
    const old = before?.kind === 'file' ? before.bytes : null;
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
      found.kept.push({ path: entry.path, copy });
    }
    const change = !isPlain ? 'replaced' : old === null ? 'added' : bytes === null ? 'removed' : 'edited';
    found.problems.push({ code: entry.problem, params: { file: entry.path, change } });
    found.putBack.push(entry.path);
    if (entry.rule === 'claimed') found.claims.push({ path: entry.path, before: text(old), after: null });
  }
  return found;
}

/** Repeatable: what stands right is left alone. */
function putBack(io: Io, root: string, entry: Entry, old: Buffer | null): void {
  const path = resolve(root, entry.path);
  if (!entry.throughLink) clearParents(root, path);
  if (linkOf(path) !== entry.link) {
    rmSync(path, { recursive: true, force: true });
    if (entry.link !== null) {
      mkdirSync(dirname(path), { recursive: true });
      symlinkSync(entry.link, path);
    }
  }
  const now = readRegular(entry.target, MAX_BYTES);
  if (old === null) {
    // Once the window is closed nobody looks any more: what an agent added may not come back after a loss of power.
    io.remove(entry.target, 'for-good');
    return;
  }
  if (now.kind === 'file' && same(old, now.bytes) && now.mode === entry.mode) return;
  if (now.kind === 'other') io.remove(entry.target);
  io.replace(entry.target, old);
  chmodSync(entry.target, entry.mode);
}

/** A folder on the way that was made a link or a file is no way of ours. Only below the root. */
function clearParents(root: string, path: string): void {
  for (const parent of parentsOf(root, path)) {
    const stat = lstatSync(parent, { throwIfNoEntry: false });
    if (stat !== undefined && !stat.isDirectory()) rmSync(parent, { force: true });
  }
}

const parentMoved = (root: string, path: string): boolean =>
  parentsOf(root, path).some((parent) => {
    const stat = lstatSync(parent, { throwIfNoEntry: false });
    return stat !== undefined && !stat.isDirectory();
  });

function parentsOf(root: string, path: string): string[] {
  const below = relative(root, dirname(path));
  if (below === '' || below.startsWith('..') || isAbsolute(below)) return [];
  const names = below.split(sep);
  return names.map((_name, i) => join(root, ...names.slice(0, i + 1)));
}

function linkOf(path: string): string | null {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat?.isSymbolicLink() ? readlinkSync(path) : null;
}

/** Where a link leads; a link that leads nowhere names its target all the same. */
function realTarget(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(dirname(path), readlinkSync(path));
  }
}

function bytesBefore(into: string, entry: Entry): Result<Buffer | null> {
  if (entry.copy === null) return ok(null);
  const kept = readRegular(join(into, entry.copy), MAX_BYTES);
  if (kept.kind === 'file' && sha256(kept.bytes) === entry.sha256) return ok(kept.bytes);
  return err(unreadable(join(into, entry.copy), 'the kept copy is not what was kept'));
}

function readJson<T>(path: string, schema: z.ZodType<T>): Result<T | null> {
  const file = readRegular(path, MAX_BYTES);
  if (file.kind === 'absent') return ok(null);
  if (file.kind === 'other') return err(unreadable(path, file.why));
  return parseJsonFile(file.bytes.toString('utf8'), path, schema);
}

const manifestPath = (into: string): string => join(into, 'window.json');
const findingsPath = (into: string): string => join(into, 'findings.json');
const earlierPath = (into: string): string => join(into, 'earlier.json');
/** Made when a window is closed. */
export const closedPath = (into: string): string => join(into, 'closed.json');
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const text = (bytes: Buffer | null): string | null => (bytes === null ? null : bytes.toString('utf8'));
const same = (a: Buffer | null, b: Buffer | null): boolean => (a === null || b === null ? a === b : a.equals(b));
const startsWith = (bytes: Buffer, head: Buffer | null): boolean =>
  head === null || (bytes.length >= head.length && bytes.subarray(0, head.length).equals(head));
const unreadable = (path: string, why: string) =>
  failure('state-unreadable', { file: path, why }, { at: { file: path } });
