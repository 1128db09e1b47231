// What came of a push.
import type { Failure } from './failure.ts';

export type PushAsk = { readonly commit: string };
export type PushOutcome = {
  readonly pushed: boolean;
  readonly remote: string | null;
  readonly failure: Failure | null;
  /** The diverged remote branch; left out: it has not diverged. */
  readonly theirs?: string;
};
