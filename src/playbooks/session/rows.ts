// What every machine of this playbook writes its rows with: where it goes, how it ends, what it reads back.
import type { Schema, State } from '../../engine/types.ts';
import type { ItemOutcome } from '../../model/action.ts';
import { NO_USAGE } from '../../model/usage.ts';

export const go = <F, At, Mem>({ file, mem }: Omit<State<F, At, Mem>, 'at'>, at: At): State<F, At, Mem> => ({
  file,
  at,
  mem,
});

export const outcomeOf = (outcome: Partial<ItemOutcome> & Pick<ItemOutcome, 'result' | 'reason'>): ItemOutcome => ({
  failure: null,
  problems: [],
  commit: null,
  evidence: null,
  usage: NO_USAGE,
  gate: null,
  ...outcome,
});

/** A stored position is known by the name of its stage; throws a TypeError for one that nobody knows. */
export const positionAt = <At extends { readonly stage: string }, Mem>(
  stages: readonly At['stage'][],
): Schema<{ at: At; mem: Mem }> => ({
  parse(value) {
    const stored = value as { at: At; mem: Mem };
    if (!stages.includes(stored.at.stage)) throw new TypeError(`unknown stage ${stored.at.stage}`);
    return stored;
  },
});
