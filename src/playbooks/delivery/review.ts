// review ↔ fix: a reviewer judges the work, then end-to-end tests and a browser where they are configured; what blocks is fixed and proved again, until
// nothing blocks or the passes are used up. Then a user decides, and sees how the number of findings went.
import { openingSay } from '../../engine/definitions.ts';
import type { Run } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import type { Checkpoint } from '../../model/checkpoint.ts';
import type { Config } from '../../model/config.ts';
import type { Failure } from '../../model/failure.ts';
import { askedAs } from '../../model/gate.ts';
import type { Problem } from '../../model/verdict.ts';
import type { ClosingSession } from '../session/ending-hooks.ts';
import type { Acceptance, HeldWork, Reproved } from '../session/item/kind.ts';
import { shownChecks } from '../session/verdicts.ts';
import { reviewer } from './briefs.ts';
import { blockingIn, curveOf, decide, type JudgedFinding, type Pass } from './convergence.ts';
import { endToEnd } from './e2e.ts';
import { fixed } from './fix.ts';
import { atPhase } from './index-step.ts';
import { asProblem, judgedBy, type RoleVerdict } from './judged.ts';
import { isMergedBefore } from './merged.ts';
import { askedPhase, hasReached, reachedText, readReached, type Reached } from './phases.ts';
import { REVIEW_BUDGET } from './questions.ts';
import { keepRecord, recordOf } from './record.ts';
import { readReview } from './review-answer.ts';
import { uiReview } from './ui-review.ts';

type R = Run<Actions>;

export async function review(
  run: R,
  closing: ClosingSession,
  first: HeldWork,
  config: Config,
): Promise<Acceptance<Reproved>> {
  const { id: item } = closing.facts;
  const only = askedPhase(config);
  const from = first.asBefore === true ? readReached(closing.facts.partial?.reached) : null;
  if (only === 'implement') return stopped(run, item, 'implement');
  if (hasReached(from, 'review') && only !== 'review')
    return only === 'preflight' ? stopped(run, item, 'preflight') : acceptance(first);
  const passes: Pass[] = from === null || from.at === 'implement' ? [] : [...(await recordOf(run, item)).passes];
  let held = first;
  let before: Checkpoint | null = null;
  let most = config.agent.maxReviewPasses;
  const left = passes.at(-1);
  // Findings of an earlier session are fixed before anything is reviewed again.
  let given = from?.at === 'findings' && left !== undefined && blockingIn(left).length > 0 ? left : null;
  for (;;) {
    const pass = given === null ? passes.length + 1 : passes.length;
    const step = run.scope(`pass-${pass}`);
    let output = '';
    if (given === null) {
      const reached = passes.length === 0 ? 'implement' : 'fix';
      await atPhase(step, item, { phase: 'review', reached });
      const found = await passOf(step, { closing, held, before, pass, most }, config);
      // Nothing was found out about the work: the next session reviews it again.
      if (found.is === 'none') return saved(found.failure, found.problems, reached);
      passes.push({ findings: [...found.findings] });
      ({ output } = found);
      await keepRecord(step, item, { passes, accepted: [] });
      const open = blockingIn({ findings: found.findings });
      const decision = decide(passes, most);
      if (decision === 'converged')
        return only === 'review' ? stopped(step, item, 'review') : acceptance(held, step, item);
      if (decision === 'budget-ended') {
        const answer = await askBudget(step, closing, passes, open);
        // Questions wait for days: its pull request of before may have been merged.
        if (await isMergedBefore(step.scope('answered'), item, null)) return OVERTAKEN;
        if (answer === 'merge') {
          await keepRecord(step.scope('accepted'), item, { accepted: open });
          return only === 'review' ? stopped(step, item, 'review') : acceptance(held, step, item);
        }
        if (answer !== 'continue') return saved(null, open.map(asProblem), null);
        most += config.agent.maxReviewPasses;
      }
      if (only === 'review') return stopped(step, item, 'findings');
    }
    const open = blockingIn(passes.at(-1) ?? { findings: [] });
    given = null;
    await atPhase(step.scope('to-fix'), item, { phase: 'fix', reached: 'review' });
    const result = await fixed(step.scope('fix'), { closing, held, findings: open, pass, output }, config);
    if (result.is === 'failed') return saved(result.failure, [...open.map(asProblem), ...result.problems], null);
    const { verdict, strength } = result;
    [held, before] = [{ ...held, verdict, strength }, result.before];
    if (only === 'fix') return stopped(step, item, 'fix');
  }
}

type PassAsk = {
  readonly closing: ClosingSession;
  readonly held: HeldWork;
  readonly before: Checkpoint | null;
  readonly pass: number;
  readonly most: number;
};
/** `output`: the end of what the end-to-end tests printed, where they found something. */
type PassResult =
  | { readonly is: 'found'; readonly findings: readonly JudgedFinding[]; readonly output: string }
  | Extract<RoleVerdict, { readonly is: 'none' }>;

/** Tests cost no tokens, and so come before the role that looks at pages. What blocks in one makes the next useless. */
async function passOf(step: R, { closing, held, before, pass, most }: PassAsk, config: Config): Promise<PassResult> {
  const { facts, checkpoint } = closing;
  const since = facts.partial?.base ?? checkpoint.commit;
  const output = shownChecks(held.verdict);
  const opening = openingSay(reviewer, { item: facts.id, since, output, pass, most });
  const judging = { closing, role: 'reviewer', pass, opening, read: readReview, before };
  const judged = await judgedBy(step.scope('review'), judging, config);
  if (judged.is === 'none') return judged;
  const findings = [...judged.findings];
  if (blockingIn({ findings }).length > 0) return { is: 'found', findings, output: '' };
  const tried = await endToEnd(step.scope('e2e'), closing, config);
  if (tried.is === 'failed') return { is: 'found', findings: [...findings, ...tried.findings], output: tried.output };
  const seen = await uiReview(step.scope('ui'), closing, { pass, most }, config);
  if (seen?.is === 'none') return seen;
  return { is: 'found', findings: [...findings, ...(seen?.findings ?? [])], output: '' };
}

/** It lands by its last proof. */
async function acceptance({ verdict, strength }: HeldWork, run?: R, item?: string): Promise<Acceptance<Reproved>> {
  if (run !== undefined && item !== undefined)
    await atPhase(run.scope('done'), item, { phase: 'review', reached: 'review' });
  return { is: 'accepted', verdict, strength };
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

/** The work stays, and the next session of the plan continues it: after what it has reached, or from the start. */
const saved = (
  failure: Failure | null,
  problems: readonly Problem[],
  reached: Reached['at'] | null,
): Acceptance<Reproved> => ({
  is: 'decided',
  decision: {
    do: 'save',
    why: failure === null ? 'review' : 'error',
    failure,
    problems: [...problems],
    ...(reached === null ? {} : { reached: reachedText({ at: reached, proposed: null }) }),
  },
});

/** Its next session sees the merge. */
const OVERTAKEN: Acceptance<Reproved> = { is: 'decided', decision: { do: 'save', why: 'overtaken', failure: null } };

/** The phase that was asked for is done. */
async function stopped(run: R, item: string, at: Reached['at']): Promise<Acceptance<Reproved>> {
  await atPhase(run.scope('stop'), item, { phase: null, reached: at });
  const reached = reachedText({ at, proposed: null });
  return { is: 'decided', decision: { do: 'save', why: 'phase', failure: null, reached } };
}
