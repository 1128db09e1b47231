// Proposals of items, in `proposed/`. Written when a pull request is opened, and when it was looked at; removed when it is merged. One that cannot be
// read proposes nothing: the pull request is found again when the item is.
import { proposalSchema, type LandingProposal } from '../model/proposal.ts';
import { itemFiles } from './item-files.ts';

export const {
  keep: keepProposal,
  drop: dropProposal,
  of: proposalOf,
  all: proposalsIn,
} = itemFiles<LandingProposal>('proposed', proposalSchema);
