// The files in a guard's private folder: the manifest, the copies and the findings.
import type { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { readRegular } from '../../host/files.ts';
import { failure } from '../../model/failure.ts';
import { parseJsonFile } from '../../model/own-files.ts';
import { err, ok, type Result } from '../../model/result.ts';

/** Harness files are small: a larger one is not a legitimate edit. */
export const MAX_BYTES = 64 * 1024 * 1024;

const entrySchema = z.strictObject({
  path: z.string(),
  rule: z.enum(['restored', 'appendable', 'claimed']),
  problem: z.enum(['harness-file-edited', 'config-edited']),
  /** Target of the symbolic link at `path`, as written; null: no link. */
  link: z.string().nullable(),
  /** The file itself, links resolved. */
  target: z.string(),
  /** A parent folder below the root was already a link: then a link there is no sign of tampering. */
  throughLink: z.boolean(),
  sha256: z.string().nullable(),
  mode: z.int(),
  copy: z.string().nullable(),
  /** Which part of the copy it is, in bytes. Left out by versions that kept a copy of its own for each file. */
  part: z.optional(z.strictObject({ from: z.int(), size: z.int() })),
  isClosed: z.optional(z.literal(true)),
});
/** In a guard's manifest: where what git's own files were is kept. Sessions that found the same share it. */
export const gitGuardSchema = z.strictObject({
  root: z.string(),
  gitDir: z.string(),
  commonDir: z.string(),
  copy: z.string(),
  sha256: z.string(),
});
export type GitGuard = z.infer<typeof gitGuardSchema>;

export const manifestSchema = z.strictObject({
  schema: z.literal(1),
  root: z.string(),
  files: z.array(entrySchema),
  /** Left out by versions that did not watch them. */
  git: z.optional(gitGuardSchema),
});
export type GuardedEntry = z.infer<typeof entrySchema>;
export type GuardManifest = z.infer<typeof manifestSchema>;

export const findingsSchema = z.strictObject({
  schema: z.literal(1),
  problems: z.array(
    z.strictObject({
      code: z.enum(['harness-file-edited', 'config-edited', 'git-files-edited']),
      params: z.record(z.string(), z.union([z.string(), z.number()])),
      ids: z.optional(z.array(z.string())),
    }),
  ),
  appended: z.array(z.strictObject({ path: z.string(), text: z.string() })),
  /** `before` is left out: it is the guard's own copy. Only reports of earlier versions have it. */
  claims: z.array(
    z.strictObject({ path: z.string(), before: z.string().nullable().optional(), after: z.string().nullable() }),
  ),
  kept: z.array(z.strictObject({ path: z.string(), copy: z.string() })),
  putBack: z.array(z.string()),
  /** Copies of what people wrote into files that the agent cannot write. */
  edits: z.optional(z.array(z.strictObject({ path: z.string(), copy: z.string() }))),
  /** The same of git's own files, absolute, with the git folders that they belong to. */
  gitBack: z.optional(z.array(z.strictObject({ path: z.string(), base: z.string() }))),
});

export type StoredTamperReport = z.infer<typeof findingsSchema>;
const NONE: StoredTamperReport = { schema: 1, problems: [], appended: [], claims: [], kept: [], putBack: [] };

export function earlierFindings(into: string): Result<StoredTamperReport> {
  const earlier = readJson(earlierPath(into), findingsSchema);
  return earlier.ok ? ok(earlier.value ?? NONE) : earlier;
}

export function bytesBefore(into: string, entry: GuardedEntry): Result<Buffer | null> {
  if (entry.copy === null) return ok(null);
  const kept = readRegular(join(into, entry.copy), MAX_BYTES, entry.part);
  if (kept.kind === 'file' && sha256(kept.bytes) === entry.sha256) return ok(kept.bytes);
  return err(unreadable(join(into, entry.copy), 'the stored copy does not match its hash'));
}

export function readJson<T>(path: string, schema: z.ZodType<T>): Result<T | null> {
  const file = readRegular(path, MAX_BYTES);
  if (file.kind === 'absent') return ok(null);
  if (file.kind === 'other') return err(unreadable(path, file.why));
  return parseJsonFile(file.bytes.toString('utf8'), path, schema);
}

export const manifestPath = (into: string): string => join(into, 'window.json');
export const findingsPath = (into: string): string => join(into, 'findings.json');
export const earlierPath = (into: string): string => join(into, 'earlier.json');
/** Written when the guard is closed. */
export const closedPath = (into: string): string => join(into, 'closed.json');
export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
export const unreadable = (path: string, why: string) =>
  failure('state-unreadable', { file: path, why }, { at: { file: path } });
