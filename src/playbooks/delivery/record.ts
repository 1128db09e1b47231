// What the reviews of a plan came to, kept from the review to its pull request and through sessions in between.
import { z } from 'zod';
import { defineEdit, defineSurvey, editCall, readFacts } from '../../engine/definitions.ts';
import type { Run } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import { ok } from '../../model/result.ts';
import { curveOf, followUps, judgedFinding, passSchema, type JudgedFinding, type Pass } from './convergence.ts';
import { recordFile } from './paths.ts';

const recordSchema = z.object({
  schema: z.literal(1),
  /** Of the session that proposes it. */
  passes: z.array(passSchema).readonly(),
  /** Findings that a user let pass. */
  accepted: z.array(judgedFinding).readonly(),
});
export type ReviewRecord = {
  readonly followUps: readonly JudgedFinding[];
  readonly accepted: readonly JudgedFinding[];
  readonly curve: string;
};

const writeRecord = defineEdit({
  id: 'delivery.record',
  input: z.object({
    item: z.string(),
    passes: z.array(passSchema).readonly(),
    accepted: z.array(judgedFinding).readonly(),
  }),
  texts: (_context, { item, passes, accepted }) =>
    Promise.resolve(ok({ [recordFile(item)]: `${JSON.stringify({ schema: 1, passes, accepted }, null, 2)}\n` })),
});

const readRecord = defineSurvey({
  id: 'delivery.read-record',
  input: z.object({ item: z.string() }),
  facts: recordSchema.omit({ schema: true }),
  async read({ view }, { item }) {
    const text = await view.read(recordFile(item));
    const read = text === null ? null : recordSchema.safeParse(parsed(text));
    return read?.success === true
      ? { passes: read.data.passes, accepted: read.data.accepted }
      : { passes: [], accepted: [] };
  },
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // only the harness writes it; it informs the pull request and decides nothing
  }
}

export async function keepRecord(
  run: Run<Actions>,
  item: string,
  passes: readonly Pass[],
  accepted: readonly JudgedFinding[],
): Promise<void> {
  await run.do('record-review', { kind: 'write', edit: editCall(writeRecord, { item, passes, accepted }), lines: [] });
}

export async function recordOf(run: Run<Actions>, item: string): Promise<ReviewRecord> {
  const { passes, accepted } = await readFacts(run, readRecord, { item });
  return { followUps: followUps(passes), accepted, curve: curveOf(passes) };
}
