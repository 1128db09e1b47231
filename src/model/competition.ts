// Several agents attempted one item: what became of each attempt, and who chose among those that hold. Kept with the evidence of the session.
import { z } from 'zod';

/** What a judge scores, 0 to 10 each: a small difference, clear code, good tests, nothing beyond what was asked. */
export const RUBRIC = ['size', 'clarity', 'tests', 'scope'] as const;
export const scoresSchema = z.object({ size: z.number(), clarity: z.number(), tests: z.number(), scope: z.number() });
export type Scores = z.output<typeof scoresSchema>;

/** A candidate, counted from 1, as a judge scored it. */
export const scoredSchema = z.object({ number: z.number(), scores: scoresSchema, why: z.string() });
export type Scored = z.output<typeof scoredSchema>;

/** only: one attempt held · judge: by the scores · first: the judge gave no answer that can be read · none: no attempt held. */
const HOW = ['only', 'judge', 'first', 'none'] as const;

const competitionFacts = z.object({
  item: z.string(),
  how: z.enum(HOW),
  /** The session of the judge; null: none was asked. */
  judge: z.number().nullable(),
  attempts: z
    .array(
      z.object({
        number: z.number(),
        session: z.number(),
        became: z.enum(['won', 'lost', 'failed']),
        /** Kebab-case. */
        reason: z.string(),
        /** The private ref that keeps it; null: it changed nothing. */
        attempt: z.string().nullable(),
        tree: z.string(),
        scores: scoresSchema.nullable(),
        why: z.string(),
      }),
    )
    .readonly(),
});
export type CompetitionFacts = z.output<typeof competitionFacts>;

/** `competition.json` of a folder of evidence. */
export const keptCompetition = competitionFacts.extend({
  schema: z.literal(1),
  kind: z.literal('harness.competition'),
  /** The session that lands. */
  session: z.number(),
  /** ISO 8601. */
  at: z.string(),
  /** By the number of the attempt. */
  agents: z.array(z.object({ number: z.number(), provider: z.string(), model: z.string().nullable() })).readonly(),
});
export type KeptCompetition = z.output<typeof keptCompetition>;

/** null: none of this version. */
export function readCompetition(text: string): KeptCompetition | null {
  try {
    return keptCompetition.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/** The best sum; of equals the first. */
export const bestOf = (scored: readonly Scored[]): number | null =>
  scored.toSorted((a, b) => sumOf(b) - sumOf(a) || a.number - b.number)[0]?.number ?? null;

const sumOf = ({ scores }: Scored): number => RUBRIC.reduce((sum, name) => sum + scores[name], 0);
