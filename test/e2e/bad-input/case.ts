// What a case is: something wrong that the harness is given, and the one answer it must give to it.
import type { Stage } from './stage.ts';

export type BadInput = {
  /** What is wrong, in words. */
  readonly name: string;
  /** Files as they stand for this case. */
  readonly files?: { readonly [path: string]: string | Uint8Array };
  /** What else has to be done to make it wrong. */
  readonly arrange?: (stage: Stage) => void;
  readonly call: readonly string[];
  readonly exit: number;
  /** The reason of the failure; with `problem` the reason is one that a check gives, in an answer on stdout. */
  readonly code: string;
  readonly isProblem?: true;
  /** Where the mistake stands: `FILE`, `FILE:LINE:COLUMN`, and the key behind a blank. Left out: it is in no file. */
  readonly at?: string;
  /** What a person must read there. */
  readonly says: readonly string[];
  /** The session began: what it was is written into the log, nothing else is changed. */
  readonly isLogged?: true;
};
