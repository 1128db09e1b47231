// A landing that is a pull request: it counts once the pull request is merged. Until then its item waits, unless a reviewer asked for something.
import { z } from 'zod';
import type { ItemId } from './item.ts';
import { refPart } from './ref-part.ts';
import { problemsSchema } from './verdict.ts';

export const proposalSchema = z.object({
  schema: z.literal(1),
  item: z.string(),
  number: z.number(),
  url: z.string(),
  branch: z.string(),
  /** The proved commit, which the branch is at. */
  commit: z.string(),
  state: z.enum(['open', 'closed']),
  /** What reviewers asked for since the last session: the next one answers it. */
  findings: problemsSchema,
  /** What was read of it: ids of comments, and other facts. */
  seen: z.array(z.string()).readonly(),
});
export type LandingProposal = z.output<typeof proposalSchema>;

/** No session on the item begins: others have to merge it, or say what is wrong. */
export const isAwaited = ({ findings }: Pick<LandingProposal, 'findings'>): boolean => findings.length === 0;

export const proposalBranch = (item: ItemId): string => `harness/${refPart(item)}`;
/** By which the pull request of an item is recognized. */
export const proposalKey = (item: ItemId): string => `item ${item}`;
