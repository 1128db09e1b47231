// The actions of the features machine that are questions or procedure calls, in one form each.
import type { ActionOf, Run } from '../../engine/types.ts';
import type { Actions, StrengthOutcome } from '../../model/action.ts';
import type { Config } from '../../model/config.ts';
import type { Failure, Params } from '../../model/failure.ts';
import { escalation } from '../../model/gate.ts';
import type { Json } from '../../model/json.ts';
import type { Verdict } from '../../model/verdict.ts';
import type { ItemFacts, Overspent, RefusedSubject, Rejection } from './facts.ts';

/** A procedure as an action. Its name is its key: a session calls each once. */
export const call = (procedure: string, input: object): ActionOf<Actions, 'procedure'> => ({
  kind: 'procedure',
  key: procedure,
  procedure,
  input: input as Json,
});

/** Escalation 1: split, manual, skip, abort; and one more try, for whoever has seen why. */
export const askStuck = (facts: ItemFacts, sessions: number): ActionOf<Actions, 'ask'> =>
  facts.failed.length > 0 ? askRepeated(facts, sessions) : askUnfinished(facts, sessions);

const named = ({ id, title }: ItemFacts, more: Params = {}): Params => ({ item: id, title, ...more });

const askUnfinished = (facts: ItemFacts, sessions: number): ActionOf<Actions, 'ask'> =>
  escalation('feature-stuck', `stuck-${facts.id}`, facts.id, { params: named(facts, { sessions }) });

/** Escalation 4: the agent says that it is done, and it never is. */
const askRepeated = (facts: ItemFacts, attempts: number): ActionOf<Actions, 'ask'> =>
  escalation('repeated-failures', `stuck-${facts.id}`, facts.id, {
    params: named(facts, { attempts }),
    problems: facts.failed,
  });

/** Escalations 2, 3 and 5: the work does not hold, broke what did, or did not mend what was broken before it. */
export const askRefused = (
  facts: ItemFacts,
  subject: RefusedSubject,
  { problems, regressions, evidence }: Rejection,
): ActionOf<Actions, 'ask'> =>
  escalation(subject, `refused-${facts.id}`, facts.id, {
    params: named(facts, { count: regressions.length, check: problems[0]?.params['check'] ?? '' }),
    problems,
    evidence: evidence === null ? [] : [evidence],
  });

/** Escalation 10: split, proceed, skip. Each flag brings its own figures: steps and max, files, lines. */
export const askOversized = (facts: ItemFacts): ActionOf<Actions, 'ask'> =>
  escalation('large-feature', `oversized-${facts.id}`, facts.id, {
    params: named(facts, Object.assign({}, ...facts.oversized.map((flag) => flag.params)) as Params),
  });

/** The checks hold, but what they prove is in doubt: land or reject. */
export const askDoubtful = (
  facts: ItemFacts,
  { doubts, evidence }: StrengthOutcome,
  verdict: Verdict,
): ActionOf<Actions, 'ask'> =>
  escalation('doubtful-proof', `doubtful-${facts.id}`, facts.id, {
    params: named(facts, { count: doubts.length }),
    problems: doubts,
    // A behaviour that was there before is often honest; a test that says nothing, or says less than before, seldom is.
    recommended: doubts.every((d) => d.code === 'guarded-file-changed' || d.code === 'source-unchanged')
      ? 'land'
      : 'reject',
    evidence: [evidence, ...(verdict.evidence === null ? [] : [verdict.evidence])],
  });

/** Escalation 6: the environment needs a person; or it is tried once more. `tries`: how often this life was asked already. */
export const askReset = (
  item: string,
  { params: { command = '', tail = '' } }: Failure,
  tries: number,
): ActionOf<Actions, 'ask'> => escalation('reset-failed', `reset-${tries}`, item, { params: { item, command, tail } });

/** Escalation 7: as much again, pause, abort. `raises`: how often this life was asked already. */
export const askOverspent = (
  item: string,
  { scope, spentUsd, limitUsd, baseUsd }: Overspent,
  raises: number,
): ActionOf<Actions, 'ask'> =>
  escalation('budget-exceeded', `budget-${scope}-${raises}`, item, {
    params: { item, scope: `budget-${scope}`, spentUsd, limitUsd, baseUsd },
  });

export type BudgetFacts = { readonly failure: Failure | null; readonly over: Overspent | null };

/** `session`: one whose own cost counts against the budget of a session; 0: none. */
export const budgetInput = (item: string, config: Config, session: number): Json => ({
  file: `${config.paths.stateDir}/costs.yaml`,
  item,
  session,
  costs: config.costs,
});

/** A survey as a step of a procedure, with the facts it is known to answer. */
export async function ask<T>(run: Run<Actions>, survey: string, input: Json): Promise<T> {
  const { facts } = await run.do(survey, { kind: 'survey', survey, input });
  return facts as unknown as T;
}
