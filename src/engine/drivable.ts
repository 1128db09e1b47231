// An item's machine with its type parameters hidden, so that the loop can hold machines of all playbooks.
import type { ItemOutcome } from '../model/action.ts';
import { Bug } from '../model/bug.ts';
import type { Failure } from '../model/failure.ts';
import { drive, type DriveDeps } from './driver.ts';
import type { ActionMap, Machine } from './types.ts';

export type ItemEnd =
  | { readonly end: 'outcome'; readonly outcome: ItemOutcome }
  | { readonly end: 'waiting'; readonly on: readonly string[] }
  | { readonly end: 'stopped' }
  | { readonly end: 'blocked'; readonly failure: Failure };

export type Drivable<M extends ActionMap> = { readonly name: string; drive(deps: DriveDeps<M>): Promise<ItemEnd> };

/** `outcome`: for a position where the machine ended; null: it has not ended. */
export const drivable = <F, A extends { readonly stage: string }, Mem, M extends ActionMap>(
  machine: Machine<F, A, Mem, M>,
  initial: () => F,
  outcome: (at: A) => ItemOutcome | null,
): Drivable<M> => ({
  name: machine.name,
  async drive(deps) {
    const end = await drive(machine, initial, deps);
    if (end.end !== 'verdict') return end;
    const found = outcome(end.state.at);
    if (found === null) throw new Bug(`machine ${machine.name} ended in the stage ${end.state.at.stage}`);
    return { end: 'outcome', outcome: found };
  },
});
