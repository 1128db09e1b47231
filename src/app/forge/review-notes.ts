// What is wrong with a pull request, as problems for the next session: comments of those who may change the repository, a conflict with the base branch,
// and checks that failed. Pure.
import { keyOf } from '../../forge/marker.ts';
import type { Checks, Comment, Pull } from '../../forge/port.ts';
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

/**
 * With the checks of what was proposed that failed, each once for a commit. One that has not failed any more was run again: what it said before is
 * dropped, and counts again if it fails again.
 */
export function checkNotes({ findings, seen }: ReviewNotes, { sha, checks }: Checks): ReviewNotes {
  const keyOfCheck = (name: string): string => `check ${sha} ${name}`;
  // Of several of one name the first counts.
  const failed = new Map(
    checks
      .filter(({ state }) => state === 'failed')
      .toReversed()
      .map((one) => [one.name, one]),
  );
  const over = checks.map(({ name }) => name).filter((name) => !failed.has(name));
  const fresh = checks.filter((one) => failed.get(one.name) === one && !seen.includes(keyOfCheck(one.name)));
  const overKeys = over.map(keyOfCheck);
  return {
    findings: [
      ...findings.filter((one) => !isCheck(one) || !over.includes(String(one.params['name']))),
      ...fresh.map(failedCheck),
    ],
    seen: [...seen.filter((one) => !overKeys.includes(one)), ...fresh.map(({ name }) => keyOfCheck(name))],
  };
}

export const isCheck = ({ code }: Problem): boolean => code === 'ci-failed';

const failedCheck = ({ name, summary }: Checks['checks'][number]): Problem => ({
  code: 'ci-failed',
  params: { name, summary: summary.slice(-MOST_WORDS).toWellFormed() },
});

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
