// The tamper window around an agent session: while it is open, certain files are the harness's alone. What they hold is
// kept before the session begins; afterwards every difference is put back and reported, except what a file's rule allows.
//
// Both ends may be repeated after a crash: an open window is never taken a second time (the agent may have written
// since), and what was found is durable before the first file is put back. A life that finds a window open settles it
// first: the harness's own files are as they were, so that nothing an agent wrote there is believed; the window stays open.
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { err, ok, type Result } from '../model/result.ts';
import type { Problem } from '../model/verdict.ts';
import type { Io } from '../host/io.ts';
import { joined, look, text } from './window/differences.ts';
import {
  bytesBefore,
  closedPath,
  earlierFindings,
  earlierPath,
  findingsPath,
  findingsSchema,
  manifestPath,
  manifestSchema,
  readJson,
  unreadable,
  type Entry,
  type Manifest,
} from './window/kept.ts';
import { asItStands, putBack, type Kept } from './window/place.ts';

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
    const beside = file.rule === 'restored' ? kept.value.get(file.path) : undefined;
    const one = beside === undefined ? asItStands(window.root, file) : ok(beside);
    if (!one.ok) return one;
    const { entry, bytes } = one.value;
    const copy = bytes === null ? null : join('before', String(index));
    if (bytes !== null && copy !== null) copies.push({ path: join(window.into, copy), text: bytes });
    files.push({ ...entry, copy });
  }
  const manifest: Manifest = { schema: 1, root: window.root, files };
  // The manifest last: where it stands, every copy does.
  io.replaceAll([...copies, { path: manifestPath(window.into), text: `${JSON.stringify(manifest)}\n` }]);
  return ok('opened');
}

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

const asNull = (result: Result<unknown>): Result<null> => (result.ok ? ok(null) : result);

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
