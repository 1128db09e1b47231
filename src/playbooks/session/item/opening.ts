// The first turn of a session on an item, for those who look at it before it begins (`run --dry-run`).
import type { Survey } from '../../../engine/definitions.ts';
import type { ItemMachine } from '../../../engine/playbook.ts';
import type { Say } from '../../../model/action.ts';
import { failure, type Failure } from '../../../model/failure.ts';
import { err, ok } from '../../../model/result.ts';

type Named = { readonly id: string; readonly title: string; readonly attempt: number };
type Opening = { readonly role: string; readonly say: Say; readonly testFile: string | null };

/** `of`: what the machine says of the item, by what the survey reads. */
export const openingBy =
  <F extends Named>(
    item: Survey<{ item: string }, { readonly facts: F | null; readonly failure: Failure | null }>,
    of: (facts: F, session: number) => Opening,
  ): ItemMachine['opening'] =>
  async (context, { item: wanted, session }) => {
    const { facts, failure: why } = await item.read(context, { item: wanted });
    if (facts === null || why) return err(why ?? failure('item-unknown', { item: wanted }));
    const { id, attempt, title } = facts;
    const { role, say, testFile } = of(facts, session);
    return ok({ ask: { role, session, turn: 1, attempt, item: id, title, say, resume: null, output: '' }, testFile });
  };
