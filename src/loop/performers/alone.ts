// With several lanes, actions that change the branch or files that lanes share are performed one after another.
import type { ActionOf, Performer } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import type { CommitOutcome } from '../../model/landing-action.ts';
import type { RunContext } from '../run-context.ts';

type Context = Pick<RunContext, 'lanes'>;

export const alone = <A, O>({ lanes }: Context, performer: Performer<A, O>): Performer<A, O> =>
  lanes === null
    ? performer
    : { ...performer, perform: (action, context) => lanes.alone(() => performer.perform(action, context)) };

type Commits = Performer<ActionOf<Actions, 'commit'>, CommitOutcome>;

/**
 * Work that others overtook while it was proved is brought onto their commits and proved again: from then on it has the turn, so that this happens
 * once and not once for each lane.
 */
export function landingAlone({ lanes }: Context, commits: Commits): Commits {
  if (lanes === null) return commits;
  return {
    ...commits,
    async perform(ask, context) {
      const { item, style } = ask;
      if (style !== 'accept' || item === null) return lanes.alone(() => commits.perform(ask, context));
      const made = await lanes.landing(item, () => commits.perform(ask, context));
      if ('refused' in made && made.refused?.code === 'branch-moved') await lanes.takeTurn(item);
      else lanes.endTurn(item);
      return made;
    },
  };
}
