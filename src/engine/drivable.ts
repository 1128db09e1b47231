// A machine with its types closed over, so that the loop can hold machines of all playbooks in one hand.
import { drive, type DriveDeps, type DriveEnd } from './driver.ts';
import type { ActionMap, Machine } from './types.ts';

export type Drivable<M extends ActionMap> = { readonly name: string; drive(deps: DriveDeps<M>): Promise<DriveEnd> };

export const drivable = <F, A extends { readonly stage: string }, Mem, M extends ActionMap>(
  machine: Machine<F, A, Mem, M>,
  initial: () => F,
): Drivable<M> => ({ name: machine.name, drive: (deps) => drive(machine, initial, deps) });
