// What the sessions of a plan came to, kept from the review to its pull request and through sessions in between. It informs prompts and the pull
// request; what is done of a plan, its work in progress says (phases.ts).
import { z } from 'zod';
import { defineEdit, defineSurvey, editCall, readFacts, type ReadContext } from '../../engine/definitions.ts';
import type { Run } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import { ok } from '../../model/result.ts';
import { curveOf, followUps, judgedFinding, passSchema, type JudgedFinding } from './convergence.ts';
import { recordFile } from './paths.ts';

/** `tree`: the files that they passed on. */
const e2eSchema = z.object({ result: z.enum(['passed', 'skipped']), tree: z.string() });
/** What a role asked a user for, and the answer. */
const answerSchema = z.object({ role: z.string(), need: z.string(), note: z.string(), at: z.string() });
const textSchema = z.object({ title: z.string(), body: z.string() });

const recordSchema = z.object({
  schema: z.literal(1),
  passes: z.array(passSchema).readonly(),
  /** Findings that a user let pass. */
  accepted: z.array(judgedFinding).readonly(),
  /** Of the pull request, as the preparer wrote it. */
  text: textSchema.optional(),
  e2e: e2eSchema.optional(),
  answers: z.array(answerSchema).readonly().optional(),
});
const contentSchema = recordSchema.omit({ schema: true });
type Content = z.output<typeof contentSchema>;
export type NeedAnswer = z.output<typeof answerSchema>;
export type ReviewRecord = Content & {
  readonly followUps: readonly JudgedFinding[];
  readonly curve: string;
};

const NOTHING: Content = { passes: [], accepted: [] };

async function contentOf({ view }: Pick<ReadContext, 'view'>, item: string): Promise<Content> {
  const text = await view.read(recordFile(item));
  const read = text === null ? null : recordSchema.safeParse(parsed(text));
  if (read?.success !== true) return NOTHING;
  const { schema: _, ...content } = read.data;
  return content;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // only the harness writes it, as a whole
  }
}

/** What users answered to roles of this plan. */
export const answersOf = async (context: Pick<ReadContext, 'view'>, item: string): Promise<readonly NeedAnswer[]> =>
  (await contentOf(context, item)).answers ?? [];

const writeRecord = defineEdit({
  id: 'delivery.record',
  input: z.object({
    item: z.string(),
    /** Left out: as before. */
    change: contentSchema.omit({ answers: true }).partial(),
    answer: answerSchema.optional(),
  }),
  async texts(context, { item, change, answer }) {
    const before = await contentOf(context, item);
    const others = (before.answers ?? []).filter(({ at, need }) => at !== answer?.at || need !== answer.need);
    const answers = answer === undefined ? others : [...others, answer].slice(-MOST_ANSWERS);
    const record = { schema: 1, ...before, ...change, ...(answers.length > 0 ? { answers } : {}) };
    return ok({ [recordFile(item)]: `${JSON.stringify(record, null, 2)}\n` });
  },
});
const MOST_ANSWERS = 20;

const readRecord = defineSurvey({
  id: 'delivery.read-record',
  input: z.object({ item: z.string() }),
  facts: contentSchema,
  read: (context, { item }) => contentOf(context, item),
});

export async function keepRecord(
  run: Run<Actions>,
  item: string,
  change: Partial<Omit<Content, 'answers'>>,
): Promise<void> {
  await run.do('record-review', { kind: 'write', edit: editCall(writeRecord, { item, change }), lines: [] });
}

export async function keepAnswer(run: Run<Actions>, item: string, answer: NeedAnswer): Promise<void> {
  await run.do('record-answer', {
    kind: 'write',
    edit: editCall(writeRecord, { item, change: {}, answer }),
    lines: [],
  });
}

export async function recordOf(run: Run<Actions>, item: string): Promise<ReviewRecord> {
  const content = await readFacts(run, readRecord, { item });
  return { ...content, followUps: followUps(content.passes), curve: curveOf(content.passes) };
}
