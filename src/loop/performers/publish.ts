// The place where a mirror hooks in: it is told what landed. A landing never waits for it, and nobody listens yet.
import type { ActionOf, Performer } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import type { RunEvents } from '../run-context.ts';
import { repeatable } from './repeatable.ts';

export const publishes = (context: RunEvents): Performer<ActionOf<Actions, 'publish'>, { readonly told: number }> => ({
  async perform({ item, commit }) {
    for (const listener of context.mirrors) await listener({ item, commit });
    return { told: context.mirrors.length };
  },
  probe: repeatable,
});
