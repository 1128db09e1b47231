// `land: pull-request`: the accepting commit becomes a branch of its own with a pull request, and its item waits until others have merged it.
import type { Run } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import type { Config } from '../../model/config.ts';
import type { ItemChange } from '../../model/item.ts';
import { proposalBranch, proposalKey } from '../../model/proposal.ts';
import type { EndingHooks, Proposing } from './ending-hooks.ts';

type R = Run<Actions>;

/** Before a session: the branch here is as the base branch of the remote, so that a pull request has the work of its item alone. */
export async function followIfProposing(run: R, item: string, { land }: Config): Promise<void> {
  if (land === 'pull-request') await run.do('follow', { kind: 'follow-base', item });
}

/** Empty where work lands on the current branch. */
export const proposingOf = ({ land }: Config): Pick<EndingHooks, 'proposes'> =>
  land === 'pull-request' ? { proposes: PROPOSING } : {};

/** The date of the list changes with each landing: in a pull request it would conflict with every other one. */
export const landedAt = ({ land }: Config, at: string): ItemChange => ({
  type: 'landed',
  ...(land === 'pull-request' ? {} : { at }),
});

const PROPOSING: Proposing = {
  branch: ({ id }) => proposalBranch(id),
  async deliver(run, { facts: { id: item, title } }, { commit }) {
    const asked = { item, branch: proposalBranch(item), mark: proposalKey(item), commit, title, body: '' };
    const proposed = await run.do('propose', { kind: 'propose', ...asked, isAwaited: true });
    if (proposed.failure !== undefined) return { is: 'held', failure: proposed.failure, problems: [] };
    const { number, url, isMerged } = proposed;
    if (!isMerged) return { is: 'proposed', number, url };
    await run.do('follow', { kind: 'follow-base', item });
    await run.do('drop-wip', { kind: 'drop-wip', item });
    return { is: 'merged', commit };
  },
};
