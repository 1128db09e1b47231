// The questions of a session on one item, each as an action, and the raise of a budget. A procedure asks one with `answerTo`.
import type { ActionOf, Run } from '../../engine/types.ts';
import type { Actions, StrengthOutcome } from '../../model/action.ts';
import { asMuchAgain, figuresOf, MOST_RAISES, type Overspent } from '../../model/budget.ts';
import type { Failure, Params } from '../../model/failure.ts';
import { escalation, type GateAnswer } from '../../model/gate.ts';
import type { Verdict } from '../../model/verdict.ts';
import type { ItemFacts, RefusedSubject, Rejection } from './facts.ts';
import { proofOf, proofParams } from './proof.ts';

export type AskAction = ActionOf<Actions, 'ask'>;

/** Asks, and waits for the answer. */
export const answerTo = (run: Run<Actions>, { key, ...question }: AskAction): Promise<GateAnswer> =>
  run.do(key, question);

const named = ({ id, title }: ItemFacts, more: Params = {}): Params => ({ item: id, title, ...more });

/** Several sessions ended without the item: split, manual, skip, abort; or one more try, for a user who has seen why. */
export const askStuck = (facts: ItemFacts, sessions: number): AskAction =>
  facts.failed.length > 0
    ? // The agent says that it is done, but the checks fail each time.
      escalation('repeated-failures', `stuck-${facts.id}`, facts.id, {
        params: named(facts, { attempts: sessions }),
        problems: facts.failed,
      })
    : escalation('feature-stuck', `stuck-${facts.id}`, facts.id, { params: named(facts, { sessions }) });

/** The work does not hold, broke what held, or did not fix what was broken before it. */
export const askRefused = (
  facts: ItemFacts,
  subject: RefusedSubject,
  { problems, regressions, evidence }: Rejection,
): AskAction =>
  escalation(subject, `refused-${facts.id}`, facts.id, {
    params: named(facts, { count: regressions.length, check: problems[0]?.params['check'] ?? '' }),
    problems,
    evidence: evidence === null ? [] : [evidence],
  });

/** Too large for one session: split, proceed, skip. Each flag brings its own figure, and the most that is recommended. */
export const askOversized = (facts: ItemFacts): AskAction => {
  const figures: Params = Object.fromEntries(
    facts.oversized.flatMap(({ params: { max, ...figure } }) => [
      ...Object.entries(figure),
      ...(max === undefined ? [] : [[MOST['files' in figure ? 'files' : 'lines' in figure ? 'lines' : 'steps'], max]]),
    ]),
  );
  return escalation('large-feature', `oversized-${facts.id}`, facts.id, { params: named(facts, figures) });
};

const MOST = { steps: 'max', files: 'maxFiles', lines: 'maxLines' } as const;

/** The checks hold, but what they prove is in doubt: land or reject. */
export const askDoubtful = (facts: ItemFacts, strength: StrengthOutcome, verdict: Verdict): AskAction => {
  const { doubts, evidence } = strength;
  return escalation('doubtful-proof', `doubtful-${facts.id}`, facts.id, {
    params: named(facts, { count: doubts.length, ...proofParams(proofOf({ verdict, strength })) }),
    problems: doubts,
    // A change of what is installed or run elsewhere is often honest; a test that proves nothing, or less than before, seldom is.
    recommended: doubts.every((d) => d.code === 'guarded-file-changed') ? 'land' : 'reject',
    evidence: [evidence, ...(verdict.evidence === null ? [] : [verdict.evidence])],
  });
};

/** The environment needs the user, or another try. `tries`: how often this session asked already. */
export const askReset = (item: string, { params: { command = '', tail = '' } }: Failure, tries: number): AskAction =>
  escalation('reset-failed', `reset-${tries}`, item, { params: { item, command, tail } });

/** The key of a question or a raise. Of money it is as versions named it that knew no other unit. */
const keyOf = (word: 'budget' | 'raise', { scope, unit }: Overspent, raises: number): string =>
  [word, scope, ...(unit === 'usd' ? [] : [unit]), raises].join('-');

/** A budget is used up: as much again, pause, abort. `raises`: how often this session asked already. */
export const askOverspent = (item: string, over: Overspent, raises: number): AskAction =>
  escalation('budget-exceeded', keyOf('budget', over, raises), item, { params: { item, ...figuresOf(over) } });

/** Records the raise before anything of it is spent. `raises`: how many came before, in this session. */
export const raiseAction = (
  { item, session }: { readonly item: string; readonly session: number },
  over: Overspent,
  { by, at }: GateAnswer,
  raises: number,
): ActionOf<Actions, 'remember'> => ({
  kind: 'remember',
  key: keyOf('raise', over, raises),
  what: 'budget',
  session,
  raise: { ...asMuchAgain(over, item), from: over.limit, by, at },
});

/** Asks the user for more. null: allowed and recorded. Otherwise how the item's session ends. */
export async function askForMore(
  run: Run<Actions>,
  about: { readonly item: string; readonly session: number },
  over: Overspent,
  raises = 0,
): Promise<{ readonly result: 'paused' | 'aborted'; readonly reason: string } | null> {
  const denied = (result: 'paused' | 'aborted') => ({ result, reason: 'budget-exhausted' });
  const answer = await answerTo(run, askOverspent(about.item, over, raises));
  if (answer.option !== 'increase') return denied(answer.option === 'abort' ? 'aborted' : 'paused');
  const { key, ...raise } = raiseAction(about, over, answer, raises);
  await run.uninterrupted(() => run.do(key, raise));
  return raises < MOST_RAISES ? null : denied('paused');
}
