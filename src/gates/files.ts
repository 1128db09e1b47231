// The gate store's files: what is in each (their paths: paths.ts), and the one write that only the first of many processes can do.
import { randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { codeOf } from '../host/error-code.ts';
import { syncFolder, type Io } from '../host/io.ts';
import { failure } from '../model/failure.ts';
import { parseJsonFile, unfit } from '../model/own-files.ts';
import { PROBLEM_CODES } from '../model/verdict.ts';
import { err, ok, type Result } from '../model/result.ts';

const SCHEMA = 1;

const problemFile = z.object({
  code: z.enum(PROBLEM_CODES),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
  ids: z.array(z.string()).exactOptional(),
});
export const gateFile = z.object({
  schema: z.literal(SCHEMA),
  id: z.string().regex(/^g-[1-9]\d*$/),
  key: z.string(),
  epoch: z.int(),
  since: z.string(),
  policy: z.union([z.literal('wait'), z.object({ answer: z.string(), at: z.string() })]),
  gate: z.enum(['escalation', 'checkpoint', 'question']),
  subject: z.string(),
  item: z.string().nullable(),
  workspace: z.string().exactOptional(),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
  problems: z.array(problemFile).exactOptional(),
  options: z.array(z.object({ id: z.string(), danger: z.boolean().exactOptional() })),
  recommended: z.string(),
  evidence: z.array(z.string()),
  paper: z.string().exactOptional(),
  session: z.int().exactOptional(),
  title: z.string().exactOptional(),
});
export const closedFile = z.discriminatedUnion('how', [
  z.object({
    schema: z.literal(SCHEMA),
    gate: z.string(),
    how: z.literal('answered'),
    option: z.string(),
    note: z.string(),
    by: z.string(),
    at: z.string(),
  }),
  z.object({
    schema: z.literal(SCHEMA),
    gate: z.string(),
    how: z.literal('withdrawn'),
    why: z.string(),
    /** The gate that asks the same again in a later epoch; '' where nothing does. */
    next: z.string(),
    at: z.string(),
  }),
]);
export const pointerFile = z.object({ schema: z.literal(SCHEMA), key: z.string(), epoch: z.int(), gate: z.string() });
export const usedFile = z.object({ schema: z.literal(SCHEMA), gate: z.string() });
export const lastFile = z.object({ schema: z.literal(SCHEMA), last: z.int() });
export type Closed = z.infer<typeof closedFile>;

/** What is in a file; null where there is none. A damaged file is `state-unreadable`, never ignored. */
export function readRecord<T>(path: string, schema: z.ZodType<T>): Result<T | null> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return ok(null);
    return err(failure('file-unreadable', { file: path, code: codeOf(error) }, { at: { file: path } }));
  }
  const value = parseJsonFile(text, path, z.unknown());
  if (!value.ok) return value;
  const found = z.object({ schema: z.int() }).safeParse(value.value);
  if (found.success && found.data.schema > SCHEMA)
    return err(
      failure('state-newer', { file: path, found: found.data.schema, supported: SCHEMA }, { at: { file: path } }),
    );
  const read = schema.safeParse(value.value);
  if (read.success) return ok(read.data);
  return err(unfit(path, read.error));
}

export const recordText = (value: object): string => `${JSON.stringify({ schema: SCHEMA, ...value }, null, 2)}\n`;

/**
 * Makes a file as a whole, or not at all if another process was first: true for exactly one of any number of processes.
 * Durable on return.
 */
export async function claim(io: Io, path: string, text: string, claims: string): Promise<boolean> {
  // A name that the next run removes it by, if this process is killed before it can (stale-files.ts).
  const mine = join(claims, `${randomUUID()}.${process.pid}.tmp`);
  io.replace(mine, text);
  const first = await io.effect(`claim ${basename(path)}`, async () => {
    mkdirSync(dirname(path), { recursive: true });
    try {
      linkSync(mine, path);
    } catch (error) {
      if (isCode(error, 'EEXIST')) return false;
      throw error;
    }
    // The folder, and the one it was perhaps just made in.
    for (const folder of [dirname(path), dirname(dirname(path))]) syncFolder(folder);
    return true;
  });
  io.remove(mine);
  return first;
}

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;
