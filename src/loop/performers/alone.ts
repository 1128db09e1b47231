// With several lanes, actions that change the branch or files that lanes share are performed one after another.
import type { Performer } from '../../engine/types.ts';
import type { RunContext } from '../run-context.ts';

export const alone = <A, O>({ lanes }: Pick<RunContext, 'lanes'>, performer: Performer<A, O>): Performer<A, O> =>
  lanes === null
    ? performer
    : { ...performer, perform: (action, context) => lanes.alone(() => performer.perform(action, context)) };
