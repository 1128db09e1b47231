// Failures as data. A module reports a reason and parameters; the catalogue (host/sentences) makes the
// sentence, the driver reads the policy, the command line maps the reason to an exit code.
import { z } from 'zod';
import { shellWord } from './shell-quote.ts';
import { isReason, POLICIES, policyOf, type Reason } from './reasons.ts';

/** Where a mistake is: a file, and as much of line (1-based), column (1-based) and key path as is known. */
const sourceLocationSchema = z.object({
  file: z.string(),
  line: z.number().optional(),
  column: z.number().optional(),
  key: z.string().optional(),
});
export type SourceLocation = z.output<typeof sourceLocationSchema>;

/** Values for the placeholders of a sentence of the catalogue. */
export const paramsSchema = z.record(z.string(), z.union([z.string(), z.number()])).readonly();
export type Params = z.output<typeof paramsSchema>;

/** Number of files of a list that a sentence names. */
const MOST_NAMED = 10;
/** How many files, and the first of them by name: `{count}` and `{files}` of many sentences. */
export const filesNamed = (files: readonly string[]): { readonly count: number; readonly files: string } => ({
  count: files.length,
  files: files.slice(0, MOST_NAMED).join(', '),
});

/** Uncommitted files. `paths`: all of them, and nothing else, as arguments of git. `own`: files that no commit of the harness carries. */
export function dirtyTree(files: readonly string[], own: readonly string[] = []): Failure {
  const rest = ['.', ...own.map((path) => `:!${path}`)];
  const paths = (files.length <= MOST_NAMED ? files : rest).map(shellWord).join(' ');
  return failure('dirty-tree', { ...filesNamed(files), paths });
}

export const failureSchema = z.object({
  reason: z.custom<Reason>(isReason),
  policy: z.enum(POLICIES),
  params: paramsSchema,
  at: sourceLocationSchema.optional(),
  /** Several mistakes found in one go, each with its own location. */
  get causes() {
    return z.array(failureSchema).readonly().optional();
  },
});
export type Failure = z.output<typeof failureSchema>;

export function failure(
  reason: Reason,
  params: Params = {},
  more: { at?: SourceLocation; causes?: readonly Failure[] } = {},
): Failure {
  return { reason, policy: policyOf(reason), params, ...more };
}

/** A failure where no Result can be returned (an edit that finds the file unreadable); the performer reads `failure`. */
export class Impossible extends Error {
  override readonly name = 'Impossible';
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.reason);
    this.failure = failure;
  }
}

/** In a few words, for a list. */
export function inWords({ reason, params }: Pick<Failure, 'reason' | 'params'>): string {
  const about = Object.values(params).filter((value) => value !== '');
  return about.length === 0 ? reason : `${reason} (${about.join(', ')})`.slice(0, 300).toWellFormed();
}
