// What a case is: something wrong that the harness is given, and the one answer it must give to it.
import type { Stage } from './stage.ts';

export type BadInput = {
  /** What is wrong, in words. */
  readonly name: string;
  /** Files as they stand for this case. */
  readonly files?: { readonly [path: string]: string | Uint8Array };
  /** What else has to be done to make it wrong. */
  readonly arrange?: (stage: Stage) => void | Promise<unknown>;
  /** `{around}`: the folder around the repository. */
  readonly call: readonly string[];
  readonly exit: number;
  /** The reason of the failure; or, in an answer on stdout, of the problems that a check found, with commas. */
  readonly code: string;
  readonly isProblem?: true;
  /** It is no failure but how the item came out, in the answer of the run on stdout; `code` is its reason. */
  readonly result?: 'partial' | 'failed';
  /**
   * Where the mistake is: `FILE` or `FILE:LINE:COLUMN`, then a blank and the key. Files below the repository by
   * their path in it, others behind `{around}/`. Left out: it is in no file.
   */
  readonly at?: string;
  /** What must be read, in the words as in the JSON. */
  readonly says: readonly string[];
  /** As which reader it is asked: both, or for what takes long only as a program, where another case shows the words. */
  readonly readers?: readonly Reader[];
  /** The session began: its log entry is kept for the next landing, nothing else is changed. */
  readonly isLogged?: true;
};
export type Reader = 'person' | 'program';
