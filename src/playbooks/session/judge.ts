// Judges a piece of work: whether its checks hold, and what they are worth.
import type { Run } from '../../engine/types.ts';
import type { Actions, Checkpoint, StrengthOutcome } from '../../model/action.ts';
import type { Config } from '../../model/config.ts';
import type { Problem, Verdict } from '../../model/verdict.ts';
import { sessionChecks, strengthAction } from './checks.ts';
import type { ItemFacts } from './facts.ts';

export type Judgement = {
  readonly verdict: Verdict;
  /** null: the checks do not hold, so what they are worth was not asked. */
  readonly strength: StrengthOutcome | null;
  /** Why it does not hold; empty where it does. What is in doubt is in `strength`. */
  readonly problems: readonly Problem[];
};

export async function judge(
  step: Run<Actions>,
  input: { readonly facts: ItemFacts; readonly checkpoint: Checkpoint; readonly session: number },
  config: Config,
): Promise<Judgement> {
  const { facts, session } = input;
  const checks = sessionChecks(facts, config);
  const found: Verdict = await step.do('check', { kind: 'check', purpose: 'feature', session, checks });
  const { questions, verdict } = questionsIn(found, facts);
  const problems = [...verdict.problems, ...verdict.tampering.filter(isNotAmong(verdict.problems))];
  if (!verdict.holds || problems.length > 0) return { verdict, strength: null, problems };
  const proved = await step.do('strength', strengthAction(input, config, verdict));
  const strength = { ...proved, doubts: [...questions, ...proved.doubts] };
  return { verdict, strength, problems: strength.problems };
}

/** If the item may change tests, the user decides whether older tests may be missing. */
export function questionsIn(
  verdict: Verdict,
  { mayChangeTests }: Pick<ItemFacts, 'mayChangeTests'>,
): { readonly verdict: Verdict; readonly questions: readonly Problem[] } {
  const questions = mayChangeTests ? verdict.problems.filter(({ code }) => code === 'tests-missing') : [];
  const problems = verdict.problems.filter((p) => !questions.includes(p));
  if (questions.length === 0 || problems.length > 0) return { verdict, questions: [] };
  return { verdict: { ...verdict, holds: true, problems, regressions: [] }, questions };
}

const isNotAmong =
  (known: readonly Problem[]) =>
  (one: Problem): boolean =>
    !known.some((p) => JSON.stringify(p) === JSON.stringify(one));
