// The start of a session: what the work tree was then.
import { z } from 'zod';
import type { ItemId } from './item.ts';

export type CheckpointAsk = {
  readonly session: number;
  readonly item: ItemId | null;
  readonly why: string;
  /** A past state: this commit, with nothing uncommitted. Left out: the work tree as it is. */
  readonly of?: string;
};
export const checkpointSchema = z.object({
  id: z.string(),
  /** Private ref under refs/harness/checkpoints/ that holds the whole tree, untracked files included. */
  ref: z.string(),
  /** The commit behind the ref. */
  commit: z.string(),
  tree: z.string(),
  /** HEAD and branch when it was taken. */
  head: z.string(),
  branch: z.string(),
});
export type Checkpoint = z.output<typeof checkpointSchema>;
