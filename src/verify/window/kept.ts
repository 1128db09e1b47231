// What a window keeps in its folder: the manifest with the copies, what was found, and how each is read again.
import type { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { readRegular } from '../../host/files.ts';
import { failure } from '../../model/failure.ts';
import { parseJsonFile } from '../../model/own-files.ts';
import { err, ok, type Result } from '../../model/result.ts';

/** Harness files are small; more than this at once is no honest edit. */
export const MAX_BYTES = 64 * 1024 * 1024;

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
export const manifestSchema = z.strictObject({ schema: z.literal(1), root: z.string(), files: z.array(entrySchema) });
export type Entry = z.infer<typeof entrySchema>;
export type Manifest = z.infer<typeof manifestSchema>;

export const findingsSchema = z.strictObject({
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

export type Findings = z.infer<typeof findingsSchema>;
const NONE: Findings = { schema: 1, problems: [], appended: [], claims: [], kept: [], putBack: [] };

export function earlierFindings(into: string): Result<Findings> {
  const earlier = readJson(earlierPath(into), findingsSchema);
  return earlier.ok ? ok(earlier.value ?? NONE) : earlier;
}

export function bytesBefore(into: string, entry: Entry): Result<Buffer | null> {
  if (entry.copy === null) return ok(null);
  const kept = readRegular(join(into, entry.copy), MAX_BYTES);
  if (kept.kind === 'file' && sha256(kept.bytes) === entry.sha256) return ok(kept.bytes);
  return err(unreadable(join(into, entry.copy), 'the kept copy is not what was kept'));
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
/** Made when a window is closed. */
export const closedPath = (into: string): string => join(into, 'closed.json');
export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
export const unreadable = (path: string, why: string) =>
  failure('state-unreadable', { file: path, why }, { at: { file: path } });
