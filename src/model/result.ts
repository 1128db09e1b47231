// Expected failure is a value: a function that can fail for other reasons than a bug returns a Result.
import type { Failure } from './failure.ts';

export type Result<T, F = Failure> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: F };

export const ok = <T>(value: T): { readonly ok: true; readonly value: T } => ({ ok: true, value });
export const err = <F>(failure: F): { readonly ok: false; readonly failure: F } => ({ ok: false, failure });
