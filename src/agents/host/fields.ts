// Owns the promise that a schema at a boundary of processes names each field of its type: one that it forgets would be dropped in silence.
import type { z } from 'zod';

/** A schema for each field of `T`, those that may be left out too: `z.object({ ... } satisfies Fields<T>)`. */
export type Fields<T> = { readonly [name in keyof Required<T>]: z.ZodType };
