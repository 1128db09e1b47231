// The stage `decide`: what becomes of the work. Where the proof is not clear, by the user; work that lands is judged by others first, if its kind
// has a review, and verified by the user where no test can show it.
import { z } from 'zod';
import { defineProcedure, type Procedure } from '../../../engine/definitions.ts';
import type { Run } from '../../../engine/types.ts';
import type { Actions } from '../../../model/action.ts';
import type { MergedWork } from '../../../model/merged-work.ts';
import { unreachable } from '../../../model/bug.ts';
import type { Config } from '../../../model/config.ts';
import type { Problem, Verdict } from '../../../model/verdict.ts';
import type { ClosingSession } from '../ending-hooks.ts';
import { endedSession, NO_PROBLEM, workDecisionSchema, workResult, type WorkDecision } from '../facts.ts';
import { unblamed } from '../outages.ts';
import { answerTo, askDoubtful, askRefused } from '../questions.ts';
import type { HeldWork, ItemKind, Acceptance, Reproved } from './kind.ts';

const decideInput = endedSession.extend({ work: workResult, session: z.number() });

export const defineDecide = (kind: ItemKind): Procedure<z.output<typeof decideInput>, WorkDecision> =>
  defineProcedure({
    id: `${kind.prefix}decide`,
    input: decideInput,
    output: workDecisionSchema,
    async perform(run, input, config): Promise<WorkDecision> {
      const { work: result, facts } = input;
      switch (result.end) {
        case 'holds': {
          const { verdict, strength, ...by } = worked(result);
          return accepted(kind, run, input, { verdict, strength, decided: null, ...by }, config);
        }
        case 'unfinished': {
          const { why, failure = null, problems, need } = result;
          if (need !== undefined && kind.answered) {
            // The answer may take days.
            await run.do('close', { kind: 'close', session: input.session });
            await kind.answered(run, input, need);
            return { do: 'save', why: 'answered', failure };
          }
          return { do: 'save', why, failure, ...(problems === undefined ? {} : { problems }) };
        }
        case 'agent-failed': {
          const { failure } = await unblamed(run, { session: input.session, item: facts.id }, result.failure);
          return { do: 'reject', why: { ...NO_PROBLEM, reason: failure.reason, failure } };
        }
        case 'doubtful': {
          // An honest change of old tests and a weakened one can look the same: the user decides, and the commit names them.
          const { verdict, strength, ...by } = worked(result);
          const decided = await answerTo(run, askDoubtful(facts, strength, verdict));
          if (decided.option === 'land')
            return accepted(kind, run, input, { verdict, strength, decided, ...by }, config);
          const { doubts: problems, evidence } = strength;
          const reason = problems[0]?.code ?? 'decided-reject';
          return { do: 'reject', why: { ...NO_PROBLEM, reason, problems, evidence } };
        }
        case 'rejected': {
          const { reason, problems, regressions, evidence } = result;
          const why = { reason, problems, regressions, evidence, failure: null };
          if (result.ask === undefined) return { do: 'reject', why };
          const { option, note, at } = await answerTo(run, askRefused(facts, result.ask, why));
          const saved = { do: 'save', why: 'incomplete', failure: null } as const;
          // The item is done; only what was broken before it is not fixed: the next session continues with that.
          if (result.ask === 'sanity-failed' && option === 'retry') return saved;
          if (option === 'manual' || option === 'manual-verify') return { ...saved, byHand: true };
          if (option === 'skip') return skipped(note, at);
          return { do: 'reject', why, ...(option === 'abort' ? { next: { do: 'abort' } } : {}) };
        }
        default:
          return unreachable(result);
      }
    },
  });

/** What it lands by, and whose it is. */
const worked = <S>({
  verdict,
  strength,
  by,
  asBefore,
  merged,
}: {
  readonly verdict: Verdict;
  readonly strength: S;
  readonly by?: number | undefined;
  readonly asBefore?: true | undefined;
  readonly merged?: MergedWork | undefined;
}) => ({
  verdict,
  strength,
  ...(by === undefined ? {} : { by }),
  ...(asBefore === undefined ? {} : { asBefore }),
  ...(merged === undefined ? {} : { merged }),
});

/** Work that holds, or that the user lets land, lands unless a review or the user's own look decides otherwise. */
async function accepted(
  kind: ItemKind,
  run: Run<Actions>,
  closing: ClosingSession,
  held: HeldWork,
  config: Config,
): Promise<WorkDecision> {
  const reviewed = await reviewOf(kind, run, closing, held, config);
  if (reviewed.is === 'decided') return reviewed.decision;
  const { verdict, strength } = reviewed;
  const proof = { ...worked({ ...held, verdict, strength }), decided: held.decided };
  const verified = kind.byHand ? await kind.byHand(run, closing, proof) : UNSEEN;
  return verified.is === 'decided' ? verified.decision : { do: 'accept', ...proof, person: verified.person };
}
const UNSEEN = { is: 'accepted', person: null } as const;

/** A review has sessions of its own: the agent's is closed first. */
async function reviewOf(
  kind: ItemKind,
  run: Run<Actions>,
  closing: ClosingSession,
  held: HeldWork,
  config: Config,
): Promise<Acceptance<Reproved>> {
  if (!kind.review) return { is: 'accepted', verdict: held.verdict, strength: held.strength };
  const { tampering } = await run.do('close', { kind: 'close', session: closing.session });
  const decision = ifTampered(tampering, held);
  if (decision) return { is: 'decided', decision };
  // What the session has used counts for the budgets of those that judge its work.
  await run.do('used', { kind: 'remember', what: 'costs', session: closing.session, item: closing.facts.id });
  return kind.review(run.scope('review'), closing, held, config);
}

/** What becomes of work whose session changed files of the harness, as its end shows; null: it did not. */
export function ifTampered(tampering: readonly Problem[], { verdict }: Pick<HeldWork, 'verdict'>): WorkDecision | null {
  const [first] = tampering;
  if (first === undefined) return null;
  const why = { ...NO_PROBLEM, reason: first.code, problems: tampering, evidence: verdict.evidence };
  return { do: 'reject', why };
}

/** The work is kept as an attempt before the item is skipped. */
export const skipped = (note: string, at: string): WorkDecision => ({
  do: 'reject',
  why: { ...NO_PROBLEM, reason: 'decided-skip' },
  next: { do: 'skip', note, at },
});
