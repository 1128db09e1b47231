// What a judge answers who compares attempts at one feature: one JSON object with scores and one sentence for each. Forgiving in its form, strict in
// what counts: without whole scores for every candidate there is no answer.
import { z } from 'zod';
import type { Scored } from '../../model/competition.ts';
import { lastJson } from './answers.ts';

const MOST = 10;
const score = z.coerce.number().min(0).max(MOST);
const entry = z.looseObject({
  number: z.coerce.number(),
  scores: z.looseObject({ size: score, clarity: score, tests: score, scope: score }),
  why: z
    .unknown()
    .optional()
    .transform((value) => (typeof value === 'string' ? value.replace(/\s+/g, ' ').trim().slice(0, 300) : '')),
});
const answer = z.looseObject({ candidates: z.array(entry) });

/** null: it cannot be read, or does not score every candidate once. */
export function readScores(said: string, candidates: readonly number[]): readonly Scored[] | null {
  const read = answer.safeParse(lastJson(said));
  if (!read.success) return null;
  const scored = candidates.flatMap((number): readonly Scored[] => {
    const own = read.data.candidates.filter((one) => one.number === number);
    const [only] = own;
    if (only === undefined || own.length > 1) return [];
    const { size, clarity, tests, scope } = only.scores;
    return [{ number, scores: { size, clarity, tests, scope }, why: only.why }];
  });
  return scored.length === candidates.length ? scored : null;
}
