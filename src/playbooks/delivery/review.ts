// review ↔ fix: a reviewer judges the work, what blocks is fixed and proved again, until nothing blocks or the passes are used up. Then a user decides,
// and sees how the number of findings went.
import { openingSay } from '../../engine/definitions.ts';
import type { Run } from '../../engine/types.ts';
import type { Actions, Checkpoint } from '../../model/action.ts';
import type { Config } from '../../model/config.ts';
import type { Failure } from '../../model/failure.ts';
import { askedAs } from '../../model/gate.ts';
import type { Problem } from '../../model/verdict.ts';
import type { ClosingSession } from '../session/endings.ts';
import type { Acceptance, HeldWork, Reproved } from '../session/item/kind.ts';
import { shownChecks } from '../session/verdicts.ts';
import { reviewer } from './briefs.ts';
import { blockingIn, curveOf, decide, type JudgedFinding, type Pass } from './convergence.ts';
import { fixed } from './fix.ts';
import { asProblem, judgedBy } from './judged.ts';
import { REVIEW_BUDGET } from './questions.ts';
import { keepRecord } from './record.ts';
import { readReview } from './review-answer.ts';

type R = Run<Actions>;

export async function review(
  run: R,
  closing: ClosingSession,
  first: HeldWork,
  config: Config,
): Promise<Acceptance<Reproved>> {
  const { facts, checkpoint } = closing;
  const since = facts.partial?.base ?? checkpoint.commit;
  const passes: Pass[] = [];
  let held = first;
  let before: Checkpoint | null = null;
  let most = config.agent.maxReviewPasses;
  const accepted = async (open: readonly JudgedFinding[]): Promise<Acceptance<Reproved>> => {
    await keepRecord(run, facts.id, passes, open);
    return { is: 'accepted', verdict: held.verdict, strength: held.strength };
  };
  for (let pass = 1; ; pass += 1) {
    const step = run.scope(`pass-${pass}`);
    const output = shownChecks(held.verdict);
    const opening = openingSay(reviewer, { item: facts.id, since, output, pass, most });
    const judging = { closing, role: 'reviewer', pass, opening, read: readReview, before };
    const judged = await judgedBy(step.scope('review'), judging, config);
    if (judged.is === 'none') return saved(judged.failure, judged.problems);
    const findings = [...judged.findings];
    passes.push({ findings });
    const open = blockingIn({ findings });
    const decision = decide(passes, most);
    if (decision === 'converged') return accepted([]);
    if (decision === 'budget-ended') {
      const answer = await askBudget(step, closing, passes, open);
      if (answer === 'merge') return accepted(open);
      if (answer !== 'continue') return saved(null, open.map(asProblem));
      most += config.agent.maxReviewPasses;
    }
    const result = await fixed(step.scope('fix'), { closing, held, findings: open, pass }, config);
    if (result.is === 'failed') return saved(result.failure, [...open.map(asProblem), ...result.problems]);
    const { verdict, strength } = result;
    [held, before] = [{ ...held, verdict, strength }, result.before];
  }
}

async function askBudget(
  run: R,
  { facts: { id, title } }: ClosingSession,
  passes: readonly Pass[],
  open: readonly JudgedFinding[],
): Promise<string> {
  const { option } = await run.do('ask', {
    kind: 'ask',
    gate: 'escalation',
    ...askedAs('delivery-review', REVIEW_BUDGET),
    item: id,
    params: { item: id, title, passes: passes.length, count: open.length, curve: curveOf(passes) },
    problems: open.map(asProblem),
    evidence: [],
  });
  return option;
}

/** The work stays, and the next session of the plan continues it. */
const saved = (failure: Failure | null, problems: readonly Problem[]): Acceptance<Reproved> => ({
  is: 'decided',
  decision: { do: 'save', why: failure === null ? 'review' : 'error', failure, problems },
});
