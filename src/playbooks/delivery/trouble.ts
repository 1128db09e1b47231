// A plan that could not be worked on for a trouble of its own, such as a branch that others edited. The run writes the reason into the index of plans,
// and the plan waits at a question, while others continue.
import { z } from 'zod';
import { defineEdit, defineSurvey, editCall, readFacts } from '../../engine/definitions.ts';
import { changeItem } from '../../engine/list-edits.ts';
import type { Run } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import { askedAs } from '../../model/gate.ts';
import { ok } from '../../model/result.ts';
import { patchEntries } from '../records/edit.ts';
import type { EarlyEnd, ReadyItem } from '../session/item/kind.ts';
import { uncounted } from '../session/retry.ts';
import { MEMBER } from './plan-index.ts';
import { keptIndex } from './plans.ts';
import { BLOCKED } from './questions.ts';

const trouble = defineSurvey({
  id: 'delivery.trouble',
  input: z.object({ item: z.string() }),
  facts: z.object({ reason: z.string().nullable() }),
  async read(context, { item }) {
    const plan = (await keptIndex(context)).plans.find(({ id }) => id === item);
    return { reason: plan?.failing?.reason ?? null };
  },
});

/** Gives plans back: their trouble is forgotten, and sessions without them count no more. */
export const retry = defineEdit({
  id: 'delivery.retry',
  input: z.object({ items: z.array(z.string()) }),
  async texts(context, { items }) {
    const counted = await uncounted(context, items);
    if (!counted.ok) return counted;
    const file = context.config.paths.backlog;
    const text = await context.view.read(file);
    const known = (await keptIndex(context)).plans.filter(({ id, failing }) => items.includes(id) && failing);
    if (text === null || known.length === 0) return counted;
    const patches = new Map(known.map(({ id }) => [id, { failing: undefined }]));
    return ok({ ...counted.value, [file]: patchEntries(text, MEMBER, patches) });
  },
});

/** null: it is worked on, also again. Otherwise how its turn ends. */
export async function askAboutTrouble(
  run: Run<Actions>,
  { facts: { id: item, title } }: ReadyItem,
): Promise<EarlyEnd | null> {
  const { reason } = await readFacts(run, trouble, { item });
  if (reason === null) return null;
  const answer = await run.do('ask', {
    kind: 'ask',
    gate: 'escalation',
    ...askedAs('delivery-blocked', BLOCKED),
    item,
    params: { item, title, reason },
    evidence: [],
  });
  if (answer.option === 'skip') {
    const { note, at } = answer;
    const change = { type: 'skipped', reason: note || 'decided at a gate', unblock: false, at } as const;
    await run.do('skip', { kind: 'write', edit: editCall(changeItem, { item, change, base: null }), lines: [] });
    return { result: 'skipped', reason: 'decided-skip' };
  }
  await run.do('retry', { kind: 'write', edit: editCall(retry, { items: [item] }), lines: [] });
  return null;
}
