// The open questions as `status` and the summary of a run have them: what is asked, where the item waits, and the command that answers.
import { z } from 'zod';
import type { Catalogue } from '../../host/catalogue.ts';
import { itemTitle, type Gate } from '../../model/gate.ts';
import type { ItemId } from '../../model/item.ts';

export const openQuestion = z.object({
  id: z.string(),
  item: z.string().nullable().describe('null: the question is about no item'),
  title: z.string().optional().describe('of the item; left out: the question is about none, or it has none'),
  slot: z.number().nullable().describe('the lane that the item waits in; null: in none, its work is parked'),
  subject: z.string(),
  header: z.string(),
  question: z.string().describe('what is asked'),
  options: z.array(z.object({ id: z.string(), label: z.string() })).readonly(),
  recommended: z.string(),
  since: z.string(),
  answer: z.string().describe('the command that answers as recommended; another option in its place answers otherwise'),
});
type OpenQuestion = z.output<typeof openQuestion>;

export function openQuestionsOf(
  gates: readonly Gate[],
  waiting: readonly { readonly item: ItemId; readonly lane: number }[],
  catalogue: Catalogue,
): readonly OpenQuestion[] {
  return gates.map((gate) => {
    const { header, question, options } = catalogue.gate(gate);
    const title = itemTitle(gate);
    return {
      id: gate.id,
      item: gate.item,
      ...(title === null ? {} : { title }),
      slot: waiting.find(({ item }) => item === gate.item)?.lane ?? null,
      subject: gate.subject,
      header,
      question,
      options: options.map(({ id, label }) => ({ id, label })),
      recommended: gate.recommended,
      since: gate.since,
      answer: `harness answer ${gate.id} ${gate.recommended}`,
    };
  });
}
