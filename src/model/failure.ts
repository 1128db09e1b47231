// Failures as data. A room says what went wrong by reason and parameters; the catalogue (host/sentences) makes the
// sentence, the driver reads the policy, the command line maps the reason to an exit code.
import { REASONS, type Policy, type Reason } from './reasons.ts';

/** Where a mistake stands: a file, and as much of line (1-based), column (1-based) and key path as is known. */
export type Place = { readonly file: string; readonly line?: number; readonly column?: number; readonly key?: string };

export type Params = { readonly [name: string]: string | number };

/** Of a list of files in a sentence so many are named. */
const MOST_NAMED = 10;
/** How many files, and the first of them by name: `{count}` and `{files}` of many sentences. */
export const filesNamed = (files: readonly string[]): { readonly count: number; readonly files: string } => ({
  count: files.length,
  files: files.slice(0, MOST_NAMED).join(', '),
});

export type Failure = {
  readonly reason: Reason;
  readonly policy: Policy;
  readonly params: Params;
  readonly at?: Place;
  /** Several mistakes found in one go, each with a place of its own. */
  readonly causes?: readonly Failure[];
};

export function failure(
  reason: Reason,
  params: Params = {},
  more: { at?: Place; causes?: readonly Failure[] } = {},
): Failure {
  return { reason, policy: REASONS[reason], params, ...more };
}

/** A failure met where only a value can be answered (an edit that finds the file unreadable); whoever performs reads `failure`. */
export class Impossible extends Error {
  override readonly name = 'Impossible';
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.reason);
    this.failure = failure;
  }
}
