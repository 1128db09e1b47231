// The stage `prepare`: a session that an earlier process left is ended, preflight with what a user can do about it, the questions before a
// session, and the checkpoint.
import { z } from 'zod';
import { defineProcedure, type Procedure } from '../../../engine/definitions.ts';
import type { Run } from '../../../engine/types.ts';
import { checkpointSchema } from '../../../model/checkpoint.ts';
import { itemOutcomeSchema, SESSION_ABANDONED, type Actions } from '../../../model/action.ts';
import type { Config } from '../../../model/config.ts';
import { problemsSchema, type Problem } from '../../../model/verdict.ts';
import { itemFacts } from '../facts.ts';
import { preflight } from '../preflight.ts';
import { askForMore, answerTo, askOversized, askReset, askStuck } from '../questions.ts';
import { outcomeOf } from '../stages.ts';
import { refusedDecision, skip, writeDecision, type OfSession } from './flags.ts';
import type { EarlyEnd, ItemKind, ReadyItem } from './kind.ts';

/** How often a user may be asked to repair the environment in one session. */
const MAX_RESET_QUESTIONS = 3;

const prepareInput = z.object({
  item: z.string(),
  session: z.number(),
  /** Of session_state.json: the item of the last session, and how many sessions in a row did not complete it. */
  lastItem: z.union([z.string(), z.number()]).nullable(),
  stuckCount: z.number(),
});

/** `wasAskedAboutStuck`: whatever the answer, the sessions without the item are counted from zero again. */
const prepared = z.discriminatedUnion('is', [
  z.object({ is: z.literal('ended'), wasAskedAboutStuck: z.boolean(), outcome: itemOutcomeSchema }),
  z.object({
    is: z.literal('ready'),
    wasAskedAboutStuck: z.boolean(),
    facts: itemFacts,
    firstTask: problemsSchema,
    checkpoint: checkpointSchema,
  }),
]);
type Prepared = z.output<typeof prepared>;

export const definePrepare = (kind: ItemKind): Procedure<z.output<typeof prepareInput>, Prepared> =>
  defineProcedure({
    id: `${kind.prefix}prepare`,
    input: prepareInput,
    output: prepared,
    async perform(run, input, config): Promise<Prepared> {
      const { item, session } = input;
      const stop = (outcome: EarlyEnd, wasAskedAboutStuck = false): Prepared => ({
        is: 'ended',
        wasAskedAboutStuck,
        outcome: outcomeOf(outcome),
      });
      const { isAbandoned } = await run.do('abandon', { kind: 'abandon', session, item });
      if (isAbandoned) return stop({ result: 'partial', reason: SESSION_ABANDONED });

      const before = await readyFor(kind, run, input, config);
      if (!('facts' in before)) return stop(before);
      const isStuck =
        input.lastItem !== null &&
        String(input.lastItem) === item &&
        input.stuckCount >= Math.min(config.features.maxStuckSessions, before.facts.maxAttempts ?? Infinity);
      let asked: readonly Problem[] = [];
      if (isStuck) {
        // An item that failed in several sessions needs the user.
        const { option, note, at } = await answerTo(run, askStuck(before.facts, input.stuckCount));
        if (option === 'skip') return stop(await skip(run, input, { note, at }, config), true);
        if (option !== 'retry') {
          const result = option === 'abort' ? 'aborted' : 'blocked'; // split and manual are the user's work
          return stop({ result, reason: `decided-${option}` }, true);
        }
        if (note.trim() !== '') asked = [{ code: 'said-by-person', params: { note } }];
      } else if (before.facts.oversized.length > 0) {
        const { option, note, at } = await answerTo(run, askOversized(before.facts));
        if (option === 'split') return stop({ result: 'blocked', reason: 'decided-split' });
        if (option === 'skip') return stop(await skip(run, input, { note, at }, config));
        const refused = await writeDecision(run, input, { type: 'size-accepted' }, note, config);
        if (refused.problem) return stop(refusedDecision(refused.problem));
      }
      const wasAsked = isStuck || before.facts.oversized.length > 0;
      // Other items were worked on while the question was open: money, tests and the item itself may have changed.
      const found = wasAsked ? await readyFor(kind, run.scope('answered'), input, config) : before;
      if (!('facts' in found)) return stop(found, isStuck);
      const facts = { ...found.facts, oversized: isStuck ? found.facts.oversized : [] };
      const firstTask = [...asked, ...found.firstTask];
      const early = (await kind.before?.(run.scope('before'), { facts, firstTask, session }, config)) ?? null;
      if (early !== null) return stop(early, isStuck);
      const checkpoint = await run.do('checkpoint', { kind: 'checkpoint', session, item, why: 'pre_feature' });
      const rivals: number[] = [];
      for (let n = 2; n <= (kind.competitors?.(config) ?? 1); n += 1)
        rivals.push((await run.do(`rival-${n}`, { kind: 'number', item })).session);
      const ready = rivals.length === 0 ? facts : { ...facts, rivals };
      return { is: 'ready', wasAskedAboutStuck: isStuck, facts: ready, firstTask, checkpoint };
    },
  });

/** Preflight, and what a user can do about it. Otherwise how the item ends. */
async function readyFor(
  kind: ItemKind,
  run: Run<Actions>,
  { item, session }: OfSession,
  config: Config,
): Promise<Pick<ReadyItem, 'facts' | 'firstTask'> | EarlyEnd> {
  let found = await preflight(run, { item, session }, config, kind.surveys);
  for (let raises = 0, resets = 0; !found.ready;) {
    const { failure, over } = found;
    const again = run.scope(`again-${raises}-${resets}`);
    if (over) {
      const denied = await askForMore(again, { item, session }, over, raises);
      if (denied) return denied;
      raises += 1;
    } else if (failure.reason === 'reset-failed' && resets < MAX_RESET_QUESTIONS) {
      const { option } = await answerTo(again, askReset(item, failure, resets));
      if (option === 'abort') return { result: 'aborted', reason: 'decided-abort', failure };
      resets += 1;
    } else return { result: 'blocked', reason: failure.reason, failure };
    found = await preflight(again, { item, session }, config, kind.surveys);
  }
  return found;
}
