// The stage `close`: the work is landed, saved for the next session, or rolled back (landing.ts, endings.ts), and what the item's end is called.
import { z } from 'zod';
import { defineProcedure, type Procedure } from '../../../engine/definitions.ts';
import type { Run } from '../../../engine/types.ts';
import { itemOutcomeSchema, type Actions, type ItemOutcome } from '../../../model/action.ts';
import type { Config } from '../../../model/config.ts';
import { reject, save } from '../endings.ts';
import type { KeptTree } from '../ending-steps.ts';
import { land } from '../landing.ts';
import { endedSession, NO_PROBLEM, workDecisionSchema, type WorkDecision } from '../facts.ts';
import { proofOf } from '../proof.ts';
import { askForMore } from '../questions.ts';
import { sessionEnd } from '../session-state.ts';
import { outcomeOf } from '../stages.ts';
import { skip } from './flags.ts';
import type { ItemKind } from './kind.ts';

type R = Run<Actions>;

const closeInput = endedSession.extend({ decision: workDecisionSchema, session: z.number(), paused: z.boolean() });
type CloseInput = z.output<typeof closeInput>;
/** `end`: for session_state.json. */
const closed = z.object({ outcome: itemOutcomeSchema, end: sessionEnd });
type Closed = z.output<typeof closed>;

export const defineClose = (kind: ItemKind): Procedure<CloseInput, Closed> =>
  defineProcedure({
    id: `${kind.prefix}close`,
    input: closeInput,
    output: closed,
    async perform(run, input, config): Promise<Closed> {
      const { decision } = input;
      // Where a pause or a lost position cut a competition, one of its sessions may be open. Its work is kept as an attempt.
      for (const session of (input.facts.rivals ?? []).toReversed())
        await run.do(`abandon-${session}`, { kind: 'abandon', session, item: input.facts.id });
      if (decision.do === 'save') return closeSaved(kind, run, input, decision, config);
      if (decision.do === 'reject') return closeRejected(kind, run, input, decision, config);
      const landed = await land(run, { ...input, ...decision }, config, kind.hooks(config));
      const { evidence } = decision.verdict;
      if (landed.commit === null && landed.overtaken !== undefined) {
        const { overtaken: tree, merged } = landed;
        const saved = { do: 'save', why: 'overtaken', failure: null } as const;
        return closeSaved(kind, run.scope('overtaken'), { ...input, tree, merged }, saved, config);
      }
      if (landed.commit === null && landed.held !== undefined) {
        const { tree, failure, problems, reached } = landed.held;
        const isAsked = reached !== undefined && problems.length === 0;
        const why = failure !== null ? 'error' : isAsked ? 'phase' : 'review';
        const saved = { do: 'save', why, failure, problems, ...(reached === undefined ? {} : { reached }) } as const;
        return closeSaved(kind, run.scope('held'), { ...input, tree }, saved, config);
      }
      if (landed.commit === null) {
        const { refused: problems } = landed;
        const why = { ...NO_PROBLEM, reason: problems[0]?.code ?? 'refused', problems, evidence };
        return closeRejected(kind, run.scope('refused'), input, { do: 'reject', why }, config);
      }
      const { commit, usage, pushFailure: failure } = landed;
      const more = (await kind.landed?.(run, input, config)) ?? {};
      const proof = proofOf(decision);
      const reason = landed.isProposed === true ? 'proposed' : 'verified';
      const outcome = outcomeOf({ result: 'landed', reason, evidence, commit, usage, failure, proof });
      return { outcome, end: { end: 'landed', ...more } };
    },
  });

async function closeSaved(
  kind: ItemKind,
  run: R,
  input: CloseInput & KeptTree,
  { why, failure, problems = [], byHand: isByHand, reached }: Extract<WorkDecision, { do: 'save' }>,
  config: Config,
): Promise<Closed> {
  const known = problems.length > 0 ? problems : (kind.stillWrong?.(input.facts.failed) ?? []);
  const kept = { why, problems: known, ...(reached === undefined ? {} : { reached }) };
  const { usage, refused, over } = await save(run, { ...input, ...kept }, config, kind.hooks(config));
  if (refused) {
    const result = input.paused ? 'paused' : 'rejected';
    const outcome = outcomeOf({ result, reason: refused.code, problems: [refused], usage });
    return { outcome, end: { end: 'failed' } };
  }
  const end = { end: 'partial', why, isOutage: failure !== null } as const;
  const result = input.paused ? 'paused' : 'partial';
  const outcome = outcomeOf({ result, reason: failure?.reason ?? why, failure, problems, usage });
  if (isByHand) return { end, outcome: { ...outcome, result: 'blocked', reason: 'decided-manual' } };
  if (!over || input.paused) return { end, outcome };
  const denied = await askForMore(run, { item: input.facts.id, session: input.session }, over);
  return { end, outcome: { ...outcome, ...denied } };
}

async function closeRejected(
  kind: ItemKind,
  run: R,
  input: CloseInput,
  { why, next }: Extract<WorkDecision, { do: 'reject' }>,
  config: Config,
): Promise<Closed> {
  const { usage, problems } = await reject(run, { ...input, why }, config, kind.hooks(config));
  const { reason, evidence, failure } = why;
  const about = { item: input.facts.id, session: input.session };
  if (next?.do === 'skip') return { outcome: await skip(run, about, next, config), end: { end: 'blocked' } };
  const outcome = outcomeOf({ result: resultOf(why), reason, problems, evidence, failure, usage });
  const end = { end: outcome.result === 'blocked' ? 'blocked' : 'failed' } as const;
  if (next?.do === 'abort')
    return { end, outcome: { ...outcome, failure: null, result: 'aborted', reason: 'decided-abort' } };
  return { end, outcome };
}

function resultOf({ failure, problems }: Pick<ItemOutcome, 'failure' | 'problems'>): 'blocked' | 'failed' | 'rejected' {
  if (failure === null) return problems.length > 0 ? 'rejected' : 'failed';
  return failure.policy === 'needs-human' ? 'blocked' : 'failed';
}
