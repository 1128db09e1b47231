// The files of a local forge: one JSON file for each pull request, issue and checked commit. Pure.
import { z } from 'zod';
import { failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';

/** The ref of the remote with the files. */
export const FORGE_REF = 'refs/harness/forge';

const comment = z.object({ id: z.number(), author: z.string(), body: z.string(), at: z.string() });
const common = {
  schema: z.literal(1),
  number: z.number().int().positive(),
  title: z.string(),
  body: z.string(),
  labels: z.array(z.string()).readonly(),
  comments: z.array(comment).readonly(),
  opened: z.string(),
  /** Its last change; left out: it was only opened, or changed by an older version. */
  updated: z.string().optional(),
};
export const pullRecord = z.object({
  ...common,
  state: z.enum(['open', 'closed', 'merged']),
  draft: z.boolean(),
  head: z.string(),
  base: z.string(),
  /** Of the head branch: when it was opened, and in the end when it was merged or closed. */
  sha: z.string(),
  /** What the base got by the merge. */
  commit: z.string().nullable(),
});
export type PullRecord = z.output<typeof pullRecord>;

export const issueRecord = z.object({
  ...common,
  state: z.enum(['open', 'closed']),
  events: z.array(z.object({ what: z.enum(['closed', 'reopened']), at: z.string(), by: z.string() })).readonly(),
});
export type IssueRecord = z.output<typeof issueRecord>;

export const checkRecord = z.object({
  schema: z.literal(1),
  sha: z.string(),
  /** A result of another command says nothing of this one. */
  command: z.string(),
  passed: z.boolean(),
  exit: z.number().nullable(),
  ms: z.number(),
  output: z.string(),
  at: z.string(),
});

export const FOLDERS = { pulls: 'pulls', issues: 'issues', checks: 'checks' } as const;
export const fileOf = (folder: keyof typeof FOLDERS, name: number | string): string =>
  `${FOLDERS[folder]}/${name}.json`;
export const textOf = (record: object): string => `${JSON.stringify(record, null, 2)}\n`;

/** Fails with `forge-record-unreadable`: a record that is not understood is never replaced. */
export function readRecord<T>(file: string, text: string, shape: z.ZodType<T>): Result<T> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return err(failure('forge-record-unreadable', { file, ref: FORGE_REF, words: 'not JSON' }));
  }
  const read = shape.safeParse(value);
  if (read.success) return ok(read.data);
  const [issue] = read.error.issues;
  const words = `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`;
  return err(failure('forge-record-unreadable', { file, ref: FORGE_REF, words }));
}
