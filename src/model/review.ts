// What a role that judges answered about an item: kept with the evidence of the session, so that it can be found after the landing. The verdict names
// the content that it rests on.
import { z } from 'zod';
import { problemsSchema } from './verdict.ts';

export const REVIEW_VERDICTS = ['pass', 'fail', 'unclear'] as const;

/** The verdict on one assertion. */
export const assertionVerdict = z.object({
  id: z.string(),
  verdict: z.enum(REVIEW_VERDICTS),
  /** Where the quote is: a file of the work tree, or `output`. '': not said. */
  path: z.string(),
  quote: z.string(),
  why: z.string(),
});
export type AssertionVerdict = z.output<typeof assertionVerdict>;

const reviewFacts = z.object({
  item: z.string(),
  role: z.string(),
  /** The session of the role. */
  by: z.number(),
  /** The tree that it saw. */
  tree: z.string(),
  /** What it was asked to judge, as the contract had it. */
  claims: z.array(z.object({ id: z.string(), text: z.string() })).readonly(),
  /** `found`: a pass counts only where its quote is where it is said to be. */
  assertions: z.array(assertionVerdict.extend({ found: z.boolean() })).readonly(),
  /** Why the work does not pass; empty: it passes. */
  problems: problemsSchema,
});
export type ReviewFacts = z.output<typeof reviewFacts>;

/** `review.json` of a folder of evidence. */
export const keptReview = reviewFacts.extend({
  schema: z.literal(1),
  kind: z.literal('harness.review'),
  /** The session whose work was judged. */
  session: z.number(),
  /** ISO 8601. */
  at: z.string(),
  /** The files that it rests on, as they were: what the work changed, the test file, the files that were quoted. null: there was none. */
  files: z.array(z.object({ path: z.string(), id: z.string().nullable() })).readonly(),
});
export type KeptReview = z.output<typeof keptReview>;

export const REVIEW_FILE = 'review.json';
/** The quote is from the output of the checks. */
export const QUOTED_OUTPUT = 'output';

/** null: no review of this version. */
export function readReviewFile(text: string): KeptReview | null {
  try {
    return keptReview.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/** A shorter quote is in most files. */
const LEAST_QUOTED = 8;

/** One of the quotes is there word for word, whatever the white space. */
export function occursIn(text: string, ...quotes: readonly string[]): boolean {
  const plain = (value: string): string => value.replace(/\s+/g, '');
  const whole = plain(text);
  return quotes.map(plain).some((wanted) => wanted.length >= LEAST_QUOTED && whole.includes(wanted));
}

/** `src/a.js:12` and `./src/a.js:12-14` name the file. */
export const quotedFile = (path: string): string => path.replace(/:\d+(?:[-–:]\d+)?$/, '').replace(/^(?:\.\/)+/, '');
