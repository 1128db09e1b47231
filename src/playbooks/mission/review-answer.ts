// What a role that judges answers: one JSON object with a verdict for each assertion, and issues that no assertion covers. Forgiving in its form,
// strict in what counts: an assertion without a verdict, and a pass without a quote, do not pass.
import { z } from 'zod';
import { entryOf } from '../../model/entry.ts';
import type { AssertionVerdict } from '../../model/review.ts';
import type { Problem } from '../../model/verdict.ts';
import { lastJson } from './answers.ts';

type ReviewVerdict = AssertionVerdict['verdict'];

export const issueSchema = z.object({
  title: z.string(),
  why: z.string(),
  path: z.string(),
  severity: z.enum(['high', 'medium', 'low']),
});
export type ReviewIssue = z.output<typeof issueSchema>;

export type ReviewAnswer = {
  readonly assertions: readonly AssertionVerdict[];
  readonly issues: readonly ReviewIssue[];
};

const text = z
  .unknown()
  .optional()
  .transform((value) => (typeof value === 'string' ? value.replace(/\s+/g, ' ').trim().slice(0, 1_000) : ''));
const SAID: { readonly [word: string]: ReviewVerdict } = {
  pass: 'pass',
  passed: 'pass',
  ok: 'pass',
  true: 'pass',
  holds: 'pass',
  fail: 'fail',
  failed: 'fail',
  false: 'fail',
  unclear: 'unclear',
  ambiguous: 'unclear',
};
const verdict = z.unknown().transform((value, context): ReviewVerdict => {
  const word = String(value).trim().toLowerCase();
  const known = entryOf(SAID, word);
  if (known !== undefined) return known;
  context.addIssue({ code: 'custom', message: 'a verdict is pass, fail or unclear' });
  return z.NEVER;
});
const answer = z.looseObject({
  assertions: z.array(z.looseObject({ id: z.string(), verdict, path: text, quote: text, why: text })),
  issues: z
    .array(
      z.looseObject({
        title: text,
        why: text,
        path: text,
        severity: z
          .unknown()
          .optional()
          .transform((value) => severityOf(String(value).toLowerCase())),
      }),
    )
    .catch([]),
});

const severityOf = (word: string): ReviewIssue['severity'] =>
  word === 'high' || word === 'critical' ? 'high' : word === 'low' || word === 'info' ? 'low' : 'medium';

/** At most this many issues of one review count. */
const MOST_ISSUES = 10;

/** null: there is no such object in the text. */
export function readReview(said: string): ReviewAnswer | null {
  const read = answer.safeParse(lastJson(said));
  if (!read.success) return null;
  const assertions = read.data.assertions.map(({ id, verdict: given, path, quote, why }) => ({
    id: id.trim(),
    verdict: given,
    path,
    quote,
    why,
  }));
  const issues = read.data.issues
    .map(({ title, why, path, severity }) => ({ title, why, path, severity }))
    .filter(({ title }) => title !== '');
  return { assertions, issues: issues.slice(0, MOST_ISSUES) };
}

/**
 * Why the work does not pass; empty: every claim has a verdict of pass, with a quote that was found. `quoted`: the claims whose quote was found.
 */
export function problemsOf(
  role: string,
  claims: readonly string[],
  { assertions }: ReviewAnswer,
  quoted: ReadonlySet<string>,
): readonly Problem[] {
  return claims.flatMap((claim): readonly Problem[] => {
    const all = assertions.filter(({ id }) => id === claim);
    // Where it contradicts itself, the worse verdict counts.
    const one = all.find((v) => v.verdict === 'fail') ?? all.find((v) => v.verdict === 'unclear') ?? all[0];
    if (one === undefined) return [{ code: 'review-unanswered', params: { role, claim, why: 'assertion-missing' } }];
    const { path, quote, why } = one;
    switch (one.verdict) {
      case 'fail':
        return [{ code: 'review-finding', params: { role, claim, why: why || 'no reason was given', quote } }];
      case 'unclear':
        return [{ code: 'review-unclear', params: { role, claim, why: why || 'no reason was given' } }];
      case 'pass':
        return quoted.has(claim) ? [] : [{ code: 'review-unquoted', params: { role, claim, path, quote } }];
    }
  });
}
