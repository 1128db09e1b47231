// What the last comparison with the specification found, `.harness/fidelity.json`, for those who show it.
import { z } from 'zod';
import { parsedJson } from '../open/loose-json.ts';

const driftShape = z.object({
  at: z.string(),
  spec: z.string(),
  score: z.number(),
  threshold: z.number(),
  findings: z.array(z.object({ claim: z.string(), path: z.string(), quote: z.string() })).readonly(),
});
export type Drift = Readonly<z.output<typeof driftShape>>;

/** null: there is none, or it cannot be read. */
export const readDrift = (text: string | null): Drift | null =>
  text === null ? null : (driftShape.safeParse(parsedJson(text)).data ?? null);
