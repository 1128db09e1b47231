// The item of a session, and what its last session left.
import { z } from 'zod';
import type { Listing, ListRules } from '../../../engine/backlog.ts';
import type { ReadContext } from '../../../engine/definitions.ts';
import { failure, failureSchema, type Failure } from '../../../model/failure.ts';
import { itemFacts, type ItemFacts } from '../facts.ts';
import { leftByLast, stateOf } from '../last.ts';
import { isDone, listOf } from '../surveys.ts';

export const readItem = z.object({ facts: itemFacts.nullable(), failure: failureSchema.nullable() });

export async function factsOf(context: ReadContext, id: string, rules: ListRules): Promise<z.output<typeof readItem>> {
  const list = await listOf(context, rules);
  if (!list.ok) return { facts: null, failure: list.failure };
  const state = await stateOf(context);
  if (!state.ok) return { facts: null, failure: state.failure };
  const subject = list.value.subject(id);
  if (subject === null) return { facts: null, failure: failure('item-unknown', { item: id }) };
  const { maxAttempts } = list.value.items.find((one) => one.id === id) ?? {};
  const { stuck_count: stuck, current_feature: current } = state.value;
  const facts: ItemFacts = {
    id: subject.id,
    title: subject.title,
    category: subject.category,
    testFile: subject.testFile,
    ...(subject.proof ? { proof: subject.proof } : {}),
    mayChangeTests: subject.mayChangeTests,
    ...(await leftByLast(context, state.value, id)),
    oversized: subject.oversized,
    attempt: current !== null && String(current) === id ? stuck + 1 : 1,
    ...(maxAttempts === undefined ? {} : { maxAttempts }),
    ...(subject.failing ? { isFailing: true as const } : {}),
    ...(subject.byHand ? { byHand: subject.byHand } : {}),
  };
  return { facts, failure: null };
}

/** Why no session can start on an item that the user names. */
export function notReady(id: string, { items }: Pick<Listing, 'items'>): Failure {
  const item = items.find((one) => one.id === id);
  if (item === undefined) return failure('item-unknown', { item: id });
  const status = isDone(item) ? 'item-landed' : item.status === 'skipped' ? 'item-skipped' : 'item-blocked';
  return failure('item-not-ready', { item: id, status, blockers: item.blockedBy.join(', ') });
}
