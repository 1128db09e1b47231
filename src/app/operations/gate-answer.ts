// A question as programs get it; its sentences are made here for all of them.
import { z } from 'zod';
import type { GateRecord } from '../../gates/store.ts';
import type { Catalogue } from '../../host/catalogue.ts';
import { gateAnswerSchema, itemTitle } from '../../model/gate.ts';

export const gateShape = z.object({
  id: z.string(),
  kind: z.enum(['escalation', 'checkpoint', 'question']),
  item: z.string().nullable(),
  title: z.string().optional().describe('of the item; left out: the question is about none, or it has none'),
  subject: z.string(),
  header: z.string(),
  question: z.string(),
  options: z
    .array(z.object({ id: z.string(), label: z.string(), description: z.string(), danger: z.boolean() }))
    .readonly(),
  input: z.null(),
  recommended: z.string(),
  evidence: z.array(z.string()).readonly(),
  policy: z
    .union([z.literal('wait'), z.object({ answer: z.string(), at: z.string() })])
    .describe('wait: for a person; else what is taken at that time if there is no answer'),
  since: z.string(),
  state: z.enum(['open', 'answered', 'withdrawn']),
  answer: gateAnswerSchema.nullable(),
});

export function gateAnswerOf({ gate, closed }: GateRecord, catalogue: Catalogue): z.output<typeof gateShape> {
  const { header, question, options } = catalogue.gate(gate);
  const title = itemTitle(gate);
  const danger = new Set(gate.options.filter((o) => o.danger === true).map((o) => o.id));
  return {
    id: gate.id,
    kind: gate.gate,
    item: gate.item,
    ...(title === null ? {} : { title }),
    subject: gate.subject,
    header,
    question,
    options: options.map((o) => ({ ...o, danger: danger.has(o.id) })),
    input: null,
    recommended: gate.recommended,
    evidence: gate.evidence,
    policy: gate.policy,
    since: gate.since,
    state: closed === null ? 'open' : closed.how,
    answer:
      closed?.how === 'answered' ? { option: closed.option, note: closed.note, by: closed.by, at: closed.at } : null,
  };
}
