// The work of a session merged with commits that are newer than its start.
import { z } from 'zod';

/** The ids of trees. */
export const mergedWorkSchema = z.object({
  /** Both together. */
  tree: z.string(),
  /** What the work is compared with: the checkpoint of its start, on top of the newest commit. */
  base: z.string(),
  /** The work by itself, as it is in the work tree. */
  work: z.string(),
});
export type MergedWork = z.output<typeof mergedWorkSchema>;
