// What can be stored: journal lines, procedure inputs and surveyed facts are made of nothing else.
import { z } from 'zod';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** The value as it is read back from JSON: members that are undefined are gone. */
export const toJson = (value: unknown): Json => JSON.parse(JSON.stringify(value));

export const jsonSchema: z.ZodType<Json> = z.lazy(() =>
  z.union([
    z.null(),
    z.boolean(),
    z.number(),
    z.string(),
    z.array(jsonSchema).readonly(),
    z.record(z.string(), jsonSchema),
  ]),
);
