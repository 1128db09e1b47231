// A plan that could not be worked on for a trouble of its own, such as a branch that others edited. The run writes the reason into the index of plans,
// and the plan waits at a question, while others continue.
import { z } from 'zod';
import { defineEdit, defineSurvey, editCall, readFacts } from '../../engine/definitions.ts';
import { changeItem } from '../../engine/list-edits.ts';
import type { Run } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import { inWords, type Failure } from '../../model/failure.ts';
import { askedAs } from '../../model/gate.ts';
import { ok } from '../../model/result.ts';
import { patchEntries } from '../records/edit.ts';
import type { EarlyEnd, ReadyItem } from '../session/item/kind.ts';
import { uncounted } from '../session/retry.ts';
import { refresh } from './index-step.ts';
import { migrate } from './merged.ts';
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

/** Why a plan is not worked on, in the index. */
const mark = defineEdit({
  id: 'delivery.mark',
  input: z.object({ item: z.string(), reason: z.string() }),
  async texts({ view, config }, { item, reason }) {
    const file = config.paths.backlog;
    const text = (await view.read(file)) ?? '';
    return ok({ [file]: patchEntries(text, MEMBER, new Map([[item, { failing: { reason } }]])) });
  },
});

type Named = { readonly id: string; readonly title: string };

/** A trouble in the middle of the work: it is marked, and waits for a user. */
export async function settleTrouble(run: Run<Actions>, plan: Named, failure: Failure): Promise<'retry' | 'skip'> {
  const reason = inWords(failure);
  await run.do('mark', { kind: 'write', edit: editCall(mark, { item: plan.id, reason }), lines: [] });
  return ask(run, plan, reason);
}

/** null: it is worked on, also again. Otherwise how its turn ends. */
export async function askAboutTrouble(run: Run<Actions>, { facts }: ReadyItem): Promise<EarlyEnd | null> {
  const { reason } = await readFacts(run, trouble, { item: facts.id });
  if (reason === null) return null;
  if ((await ask(run, facts, reason)) === 'skip') return { result: 'skipped', reason: 'decided-skip' };
  if (!(await migrate(run.scope('answered'), facts.id, facts.id))) return null;
  await refresh(run.scope('answered'));
  return { result: 'skipped', reason: 'delivery-merged' };
}

async function ask(run: Run<Actions>, { id: item, title }: Named, reason: string): Promise<'retry' | 'skip'> {
  const { option, note, at } = await run.do('ask', {
    kind: 'ask',
    gate: 'escalation',
    ...askedAs('delivery-blocked', BLOCKED),
    item,
    params: { item, title, reason },
    evidence: [],
  });
  await run.do('retry', { kind: 'write', edit: editCall(retry, { items: [item] }), lines: [] });
  if (option !== 'skip') return 'retry';
  const change = { type: 'skipped', reason: note || 'decided at a gate', unblock: false, at } as const;
  await run.do('skip', { kind: 'write', edit: editCall(changeItem, { item, change, base: null }), lines: [] });
  return 'skip';
}
