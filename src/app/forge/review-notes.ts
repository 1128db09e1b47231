// What reviewers of a pull request want changed, as problems for the next session: comments of those who may change the repository, and a conflict
// with the base branch. Pure.
import { keyOf } from '../../forge/marker.ts';
import type { Comment, Pull } from '../../forge/port.ts';
import type { LandingProposal } from '../../model/proposal.ts';
import type { Problem } from '../../model/verdict.ts';

export type ReviewNotes = Pick<LandingProposal, 'findings' | 'seen'>;

const MOST_WORDS = 2_000;

/** Those of before, and the new ones. Comments of the harness itself carry a key; what others say, who are anyone, is for people. */
export function reviewNotes(
  { findings, seen }: ReviewNotes,
  pull: Pick<Pull, 'state' | 'mergeable' | 'head' | 'number'>,
  comments: readonly Comment[],
): ReviewNotes {
  const known = new Set(seen);
  const fresh = comments.filter(({ id, body, isTrusted }) => isTrusted && !known.has(id) && keyOf(body) === null);
  const conflict = `conflict ${pull.head.sha}`;
  const isConflict = pull.state === 'open' && pull.mergeable === 'no' && !known.has(conflict);
  return {
    findings: [
      ...findings,
      ...fresh.flatMap((comment) => asProblem(comment) ?? []),
      ...(isConflict ? [conflictOf(pull.number)] : []),
    ],
    seen: [...seen, ...fresh.map(({ id }) => id), ...(isConflict ? [conflict] : [])],
  };
}

/** null: it asks for nothing. */
function asProblem({ author, path, line, body, verdict }: Comment): Problem | null {
  const words = body.trim().slice(0, MOST_WORDS).toWellFormed();
  if (verdict === 'approved' || (words === '' && verdict === null)) return null;
  return {
    code: 'review-comment',
    params: { author, place: path === null ? '' : line === null ? path : `${path}:${line}`, words },
  };
}

const conflictOf = (number: number): Problem => ({
  code: 'merge-refused',
  params: { words: `pull request ${number} conflicts with the base branch` },
});
