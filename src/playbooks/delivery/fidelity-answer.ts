// What the fidelity-checker answers: JSON with a score of drift and findings, in a fenced block or alone. Forgiving in what is around it, strict in its
// shape: what does not fit is asked for again.
import { z } from 'zod';

const LONGEST = 2_000;
const word = z.string().trim().min(1).max(LONGEST);

export const driftFinding = z.object({
  /** What the specification says. */
  claim: word,
  /** Where the product departs from it; '' where it is missing altogether. */
  path: z.string().max(LONGEST).default(''),
  quote: z.string().max(LONGEST).default(''),
});
export const driftAnswer = z.object({
  /** 0: as specified; 100: another product. */
  score: z.number().min(0).max(100),
  findings: z.array(driftFinding).max(200).readonly().default([]),
});
export type DriftAnswer = z.output<typeof driftAnswer>;

export type DriftReading =
  | { readonly is: 'read'; readonly answer: DriftAnswer }
  /** `why`: for the role, which is asked again. */
  | { readonly is: 'unread'; readonly why: string };

/** The last block that fits counts: an example may come first. */
export function readDrift(text: string): DriftReading {
  let why = 'there is no JSON in it';
  for (const candidate of blocksOf(text).toReversed()) {
    const value = parsed(candidate);
    if (value === undefined) continue;
    const found = driftAnswer.safeParse(value);
    if (found.success) return consistent(found.data);
    const [issue] = found.error.issues;
    why = issue === undefined ? why : `${issue.path.join('.') || 'the answer'}: ${issue.message}`;
  }
  return { is: 'unread', why };
}

/** A score without a finding cannot be looked into. */
function consistent(answer: DriftAnswer): DriftReading {
  return answer.score > 0 && answer.findings.length === 0
    ? { is: 'unread', why: 'a score above 0 needs findings' }
    : { is: 'read', answer };
}

function blocksOf(text: string): readonly string[] {
  const fenced = [...text.matchAll(/(`{3,}|~{3,})[^\n]*\n([\s\S]*?)\n\s*\1/g)].map(([, , inside = '']) => inside);
  const [from, to] = [text.indexOf('{'), text.lastIndexOf('}')];
  return [...(from >= 0 && to > from ? [text.slice(from, to + 1)] : []), ...fenced];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
