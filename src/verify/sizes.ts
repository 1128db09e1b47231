// Length and growth of the files of a project: `.harness/file_sizes.json`, warnings, and counting lines without reading unchanged
// files again.
import type { Buffer } from 'node:buffer';
import { join } from 'node:path';
import { z } from 'zod';
import { parseJsonFile } from '../model/own-files.ts';
import { ok, type Result } from '../model/result.ts';
import { readRegular, readText } from '../host/files.ts';
import type { Io } from '../host/io.ts';

/** `session_added`: the session in which the file was first seen; 0: it existed before the first record. */
export type FileSize = { readonly lines: number; readonly session_added: number };
export type FileSizes = { readonly session: number; readonly files: { readonly [path: string]: FileSize } };

export type SizeWarning =
  | { readonly kind: 'too-long'; readonly file: string; readonly lines: number; readonly max: number }
  | { readonly kind: 'growing'; readonly file: string; readonly grown: number; readonly sessions: number };

/** More lines per session than this, on average since the last record, is growing fast. */
export const FAST_GROWTH_LINES = 50;

/** The next record. Deleted files are left out; new files belong to this session. */
export function nextSizes(
  previous: FileSizes | null,
  session: number,
  lines: { readonly [path: string]: number },
): FileSizes {
  const known = new Map(Object.entries(previous?.files ?? {}));
  const files = Object.entries(lines)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, count]): [string, FileSize] => [
      path,
      { lines: count, session_added: known.get(path)?.session_added ?? (previous === null ? 0 : session) },
    ]);
  return { session, files: Object.fromEntries(files) };
}

/**
 * Long files, and files that grew fast since the previous record. The form keeps one size per file, so growth is
 * counted between two records; a new file has not grown, it is only long or not.
 */
export function sizeWarnings(previous: FileSizes | null, now: FileSizes, maxLines: number): readonly SizeWarning[] {
  const known = new Map(Object.entries(previous?.files ?? {}));
  const sessions = Math.max(1, now.session - (previous?.session ?? now.session));
  return Object.entries(now.files).flatMap(([file, { lines }]): SizeWarning[] => {
    const before = known.get(file)?.lines;
    const grown = before === undefined ? 0 : lines - before;
    return [
      ...(lines > maxLines ? [{ kind: 'too-long', file, lines, max: maxLines } as const] : []),
      ...(grown / sessions > FAST_GROWTH_LINES ? [{ kind: 'growing', file, grown, sessions } as const] : []),
    ];
  });
}

/** Line counts by file, with a stamp that changes with the content: a git blob id, or mtime and size. */
export type LineCounts = { readonly [path: string]: { readonly stamp: string; readonly lines: number | null } };

/** Files of more bytes than this are data, not source. */
const MAX_BYTES = 8 * 1024 * 1024;

/** Counts lines of the given files under `root`; a file with a known stamp is not read. Lines are null for binary files. */
export function countLines(
  root: string,
  files: readonly { readonly path: string; readonly stamp: string }[],
  known: LineCounts,
  read: (path: string) => Buffer | null = bytesOf,
): LineCounts {
  const before = new Map(Object.entries(known));
  return Object.fromEntries(
    files.map(({ path, stamp }) => {
      const old = before.get(path);
      if (old?.stamp === stamp) return [path, old];
      const content = read(join(root, path));
      return [path, { stamp, lines: content === null ? null : linesIn(content) }];
    }),
  );
}

/** The text files among them, for `nextSizes`. */
export const linesOf = (counts: LineCounts): { readonly [path: string]: number } =>
  Object.fromEntries(Object.entries(counts).flatMap(([path, { lines }]) => (lines === null ? [] : [[path, lines]])));

/** Lines as an editor counts them: the last needs no newline. null: a NUL byte near the start, so it is binary. */
export function linesIn(content: Buffer): number | null {
  if (content.subarray(0, 8_000).includes(0)) return null;
  let lines = 0;
  for (let at = content.indexOf(10); at >= 0; at = content.indexOf(10, at + 1)) lines++;
  return content.length > 0 && content.at(-1) !== 10 ? lines + 1 : lines;
}

function bytesOf(path: string): Buffer | null {
  const file = readRegular(path, MAX_BYTES);
  return file.kind === 'file' ? file.bytes : null;
}

const schema = z.strictObject({
  session: z.int().min(0),
  files: z.record(z.string(), z.strictObject({ lines: z.int().min(0), session_added: z.int().min(0) })),
});

/** null: no record yet. Fails with `state-unreadable` if the file does not match its schema. */
export function readSizes(path: string): Result<FileSizes | null> {
  const text = readText(path);
  if (!text.ok) return text;
  return text.value === null ? ok(null) : parseJsonFile(text.value, path, schema);
}

export function writeSizes(io: Io, path: string, sizes: FileSizes, how?: 'may-be-lost'): void {
  io.replace(path, `${JSON.stringify(sizes, null, 2)}\n`, how);
}
