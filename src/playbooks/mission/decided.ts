// What was decided about assertions of a feature that were unclear, by an architect or by a user. The sessions of the feature that follow read it.
import { z } from 'zod';
import { defineEdit, defineSurvey, editCall, type ReadContext } from '../../engine/definitions.ts';
import type { Run } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import { ok } from '../../model/result.ts';
import type { Problem } from '../../model/verdict.ts';
import { decidedFile } from './paths.ts';
import { plain, quote, section } from '../session/quote.ts';

const decision = z.object({
  by: z.enum(['architect', 'user']),
  /** What was unclear. */
  asked: z.string(),
  answer: z.string(),
  /** The session that it was found in. */
  session: z.number(),
});
export type SettledAssertion = z.output<typeof decision>;

const file = z.object({ schema: z.literal(1), decisions: z.array(decision).readonly() });

export async function decisionsOf(
  { view }: Pick<ReadContext, 'view'>,
  item: string,
): Promise<readonly SettledAssertion[]> {
  const text = await view.read(decidedFile(item));
  try {
    const read = file.safeParse(JSON.parse(text ?? ''));
    return read.success ? read.data.decisions : [];
  } catch {
    return []; // only the harness writes it, as a whole
  }
}

export const decided = defineSurvey({
  id: 'mission.decided',
  input: z.object({ item: z.string() }),
  facts: z.object({ decisions: z.array(decision).readonly() }),
  read: async (context, { item }) => ({ decisions: await decisionsOf(context, item) }),
});

/** What was found in one session is decided once. */
const decidedEdit = defineEdit({
  id: 'mission.decide',
  input: z.object({ item: z.string(), decision }),
  async texts(context, { item, decision: one }) {
    const before = (await decisionsOf(context, item)).filter(({ session }) => session !== one.session);
    const decisions = [...before, one].slice(-MOST_KEPT);
    return ok({ [decidedFile(item)]: `${JSON.stringify({ schema: 1, decisions }, null, 2)}\n` });
  },
});
const MOST_KEPT = 20;

export const keepDecision = async (run: Run<Actions>, item: string, one: SettledAssertion): Promise<void> => {
  await run.do('decided', { kind: 'write', edit: editCall(decidedEdit, { item, decision: one }), lines: [] });
};

/** What is unclear, in one line. */
export const askedText = (unclear: readonly Problem[]): string =>
  unclear
    .map(({ params }) => `${String(params['claim'])}: ${String(params['why'])}`)
    .join('; ')
    .slice(0, 1_000)
    .toWellFormed();

export const decidedSection = (decisions: readonly SettledAssertion[]): string =>
  section(
    '## What Was Decided',
    decisions.map(
      ({ by, asked, answer }) =>
        `- Unclear was ${quote(asked, 200)}. The ${plain(by, 5)} decided: ${quote(answer, 400)}`,
    ),
  );
