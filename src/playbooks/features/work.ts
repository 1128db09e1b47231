// One session as a straight line: the agent works, the harness proves; what does not hold goes back into the session.
import type { Run } from '../../engine/types.ts';
import type { Actions, Checkpoint, Say, TurnOutcome, WrapUp } from '../../model/action.ts';
import type { Config } from '../../model/config.ts';
import type { Problem, Verdict } from '../../model/verdict.ts';
import { ask } from '../session/asks.ts';
import { converse, type Heard } from '../session/conversation.ts';
import { isUnsoundStill, sessionChecks, strengthAction } from '../session/checks.ts';
import { orientationOf } from './entries.ts';
import type { CutReason, ItemFacts, RefusedSubject, Work } from '../session/facts.ts';

export type WorkInput = {
  readonly facts: ItemFacts;
  readonly firstTask: readonly Problem[];
  readonly checkpoint: Checkpoint;
  readonly session: number;
};

export const roleOf = (facts: Pick<ItemFacts, 'partial'>): 'coding' | 'continuation' =>
  facts.partial === null ? 'coding' : 'continuation';

export async function work(run: Run<Actions>, input: WorkInput, config: Config): Promise<Work> {
  const { facts, checkpoint, session } = input;
  const role = roleOf(facts);
  const opening: Say = { kind: 'open', brief: role, input: orientationOf(input, config) };
  const who = { role, session, attempt: facts.attempt, item: facts.id, title: facts.title, output: '' };
  const tell = converse(run, { who, opening, config });
  let say: Say = opening;
  for (let fixes = 0; ; fixes += 1) {
    const { said, step, outage }: Heard = await tell(say);
    const { text } = said;
    if (outage?.next === 'fail') return { end: 'agent-failed', failure: outage.failure, text };
    if (outage?.next === 'pause') return { end: 'unfinished', why: 'error', failure: outage.failure, text };
    if (outage?.next === 'hand-over') return { end: 'unfinished', why: 'provider_limit', text };
    if (outage) return { end: 'unfinished', why: 'timeout', text };
    if (said.end !== 'end-turn') return cut(said, text);

    const claimed = { backlog: config.paths.backlog, before: checkpoint.ref, item: facts.id };
    const claim = await ask<{ problems: readonly Problem[] }>(step, 'claim', claimed);
    if (claim.problems.length > 0 && claim.problems.every((p) => p.code === 'nothing-claimed')) {
      return { end: 'unfinished', why: wrappedUp(said) ?? 'incomplete', text };
    }
    let { problems } = claim;
    let verdict: Verdict | null = null;
    if (problems.length === 0) {
      const checks = sessionChecks(facts, config);
      const found: Verdict = await step.do('check', { kind: 'check', purpose: 'feature', session, checks });
      const { questions, ...rest } = questionsIn(found, facts);
      verdict = rest.verdict;
      problems = [...verdict.problems, ...verdict.tampering.filter(isNotAmong(verdict.problems))];
      if (verdict.holds && problems.length === 0) {
        const proved = await step.do('strength', strengthAction(input, config, verdict));
        const strength = { ...proved, doubts: [...questions, ...proved.doubts] };
        problems = strength.problems;
        if (problems.length === 0 && strength.doubts.length === 0) return { end: 'holds', verdict, strength, text };
        if (problems.length === 0) {
          // Whoever is asked may take days: until then nobody works here, and what was done is judged as it stands.
          const { tampering } = await step.do('close', { kind: 'close', session });
          return tampering.length === 0
            ? { end: 'doubtful', verdict, strength, text }
            : rejected(tampering, { evidence: verdict.evidence, regressions: [] }, text);
        }
      }
    }
    const found = { regressions: verdict?.regressions ?? [], evidence: verdict?.evidence ?? null };
    // A regression is rolled back at once (reference 000, Rollback Granularity, Scenario 3), and so is touching what is
    // not the agent's; a failing test may be mended while the session lasts (Scenario 2).
    // Nor can the tree before another turn be kept while a repository lies inside.
    const isNested = problems.some(({ code }) => code === 'nested-repository');
    const isTampered = (verdict?.tampering.length ?? 0) > 0;
    const isFinal = found.regressions.length > 0 || isTampered || isNested;
    // Nor has an agent that was told to wrap up room for another turn.
    if (isFinal || wrappedUp(said) !== null || fixes >= config.verification.fixTurns) {
      const subject = subjectOf(found.regressions, facts.isUnsound === true && isUnsoundStill(problems, config));
      const isAsked = !isTampered && (subject === 'sanity-failed' || Object.hasOwn(config.gates.policies, subject));
      const refused = rejected(problems, found, text);
      return isAsked ? closed(step, refused, subject, session) : refused;
    }
    await step.do('revert-claim', { kind: 'restore', checkpoint, paths: [config.paths.backlog] });
    const again: Problem = { code: 'claim-taken-back', params: { item: facts.id, file: config.paths.backlog } };
    say = { kind: 'problems', problems: [...problems, again], note: '' };
  }
}

function subjectOf(regressions: readonly string[], isUnsound: boolean): RefusedSubject {
  if (regressions.length > 0) return 'regression';
  return isUnsound ? 'sanity-failed' : 'verification-failed';
}

/** Where the item may change tests, it is for a person to say whether older ones may be gone. */
export function questionsIn(
  verdict: Verdict,
  { mayChangeTests }: Pick<ItemFacts, 'mayChangeTests'>,
): { readonly verdict: Verdict; readonly questions: readonly Problem[] } {
  const questions = mayChangeTests ? verdict.problems.filter(({ code }) => code === 'tests-missing') : [];
  const problems = verdict.problems.filter((p) => !questions.includes(p));
  if (questions.length === 0 || problems.length > 0) return { verdict, questions: [] };
  return { verdict: { ...verdict, holds: true, problems, regressions: [] }, questions };
}

/** Whoever is asked may take days: until then nobody works here. */
async function closed(step: Run<Actions>, refused: Rejected, subject: RefusedSubject, session: number): Promise<Work> {
  const { tampering } = await step.do('close', { kind: 'close', session });
  return tampering.length === 0
    ? { ...refused, ask: subject }
    : rejected(tampering, { evidence: refused.evidence, regressions: [] }, refused.text);
}

type Rejected = Extract<Work, { end: 'rejected' }>;
const rejected = (
  problems: readonly Problem[],
  found: { readonly regressions: readonly string[]; readonly evidence: string | null },
  text: string,
): Rejected => ({ end: 'rejected', reason: problems[0]?.code ?? 'rejected', problems, ...found, text });

const isNotAmong =
  (known: readonly Problem[]) =>
  (one: Problem): boolean =>
    !known.some((p) => JSON.stringify(p) === JSON.stringify(one));

const WRAPPED_UP: { readonly [W in WrapUp]: CutReason } = {
  'context-limit': 'context_limit',
  stuck: 'stuck',
  'budget-limit': 'budget',
  'quota-limit': 'provider_limit',
};
const wrappedUp = ({ wrapUp }: TurnOutcome): CutReason | null => (wrapUp === null ? null : WRAPPED_UP[wrapUp]);

function cut({ end }: TurnOutcome, text: string): Work {
  const unfinished = (why: CutReason): Work => ({ end: 'unfinished', why, text });
  switch (end) {
    case 'output-limit':
      return { end: 'rejected', reason: 'output-limit', problems: [], regressions: [], evidence: null, text };
    case 'context-limit':
    case 'stuck':
    case 'budget-limit':
    case 'quota-limit':
      return unfinished(WRAPPED_UP[end]);
    case 'agent-failed':
      return unfinished('context_limit');
    case 'wall-limit':
      return unfinished('timeout');
    default:
      return unfinished('user_pause');
  }
}
