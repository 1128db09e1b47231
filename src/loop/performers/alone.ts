// With several lanes, actions that change the branch or files that lanes share are performed one after another.
import type { ActionOf, Performer } from '../../engine/types.ts';
import type { Actions, CommitOutcome } from '../../model/action.ts';
import type { RunContext } from '../run-context.ts';

type Context = Pick<RunContext, 'lanes'>;

export const alone = <A, O>({ lanes }: Context, performer: Performer<A, O>): Performer<A, O> =>
  lanes === null
    ? performer
    : { ...performer, perform: (action, context) => lanes.alone(() => performer.perform(action, context)) };

type Commits = Performer<ActionOf<Actions, 'commit'>, CommitOutcome>;

export const landingAlone = ({ lanes }: Context, commits: Commits): Commits =>
  lanes === null
    ? commits
    : {
        ...commits,
        perform: (ask, context) =>
          ask.style === 'accept'
            ? lanes.landing(ask.item, () => commits.perform(ask, context))
            : lanes.alone(() => commits.perform(ask, context)),
      };
