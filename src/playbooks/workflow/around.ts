// What lies around the stages of the table: arriving, money, putting away what was cut, the end.
import type { ItemInput } from '../../engine/playbook.ts';
import type { Machine } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import { failure, type Failure } from '../../model/failure.ts';
import type { Json } from '../../model/json.ts';
import { askOverspent, call } from '../session/asks.ts';
import { MOST_RAISES, raiseOf } from '../session/money.ts';
import { go, outcomeOf } from '../session/rows.ts';
import type { Mem } from './table/mem.ts';
import { NEXT_STEP } from './opening.ts';
import { atStage, type At, type S, type Working } from './positions.ts';
import { resumed, type Facts } from './table/resume.ts';
import { answered, sentFor } from './stage-rows.ts';
import { resolved, type WorkflowFile } from './file/state.ts';

type Stages = Machine<WorkflowFile, At, Mem, Actions>['stages'];

const blocked = (s: S, why: Failure): S =>
  go(s, { stage: 'ended', outcome: outcomeOf({ result: 'blocked', reason: why.reason, failure: why }) });

export const around = (input: ItemInput) =>
  ({
    arrive: {
      wants: (s) => [call('arrive', { state: resolved(s.file), step: s.mem.only })],
      apply(s, done) {
        if (done.kind !== 'procedure') return s;
        const { failure: why, facts, session } = done.outcome.output as unknown as Arrived;
        if (why !== null) return blocked(s, why);
        // Whoever wrote the file by hand left the sessions of this item where they are: their numbers are theirs.
        const where = resumed(s.file, facts, s.mem.only, undefined, s.mem.style);
        if (where === 'set-up') return blocked(s, failure('workflow-missing', { file: input.config.paths.backlog }));
        if (where === 'refused') return blocked(s, tooEarly(s));
        const { file, at } = where.s;
        return {
          file: file === s.file ? file : { ...file, updated_at: done.at },
          at: atStage(at.stage as Working),
          mem: { ...where.s.mem, style: s.mem.style, session: Math.max(s.mem.session, session) },
        };
      },
    },

    listen: {
      wants: (s) => [
        {
          kind: 'survey',
          key: `language-${s.mem.visits}`,
          survey: 'language',
          input: { current: resolved(s.file).user_lang, text: s.at.note },
        },
      ],
      apply(s, done) {
        if (done.kind !== 'survey') return s;
        const { language } = done.outcome.facts as { readonly language: string };
        const { of, option, note, at } = s.at;
        const isOther = language !== resolved(s.file).user_lang;
        const file = isOther ? { ...s.file, user_lang: language } : s.file;
        return answered({ file, at: { stage: of }, mem: s.mem }, option, note, at);
      },
    },

    overspent: {
      wants: (s) => [askOverspent(input.item, s.at.over, s.mem.raises)],
      apply(s, done) {
        if (done.kind !== 'ask') return s;
        const { over, back } = s.at;
        const { option } = done.outcome;
        if (option === 'increase') return go(s, { stage: 'raise', over, back, answer: done.outcome });
        const result = option === 'abort' ? 'aborted' : 'paused';
        return go(s, { stage: 'ended', outcome: outcomeOf({ result, reason: 'budget-exhausted' }) });
      },
    },

    raise: {
      wants: (s) => [raiseOf({ item: input.item, session: s.mem.session }, s.at, s.mem.raises)],
      apply(s, done) {
        if (done.kind !== 'remember') return s;
        const raises = s.mem.raises + 1;
        const mem = { ...s.mem, raises, visits: s.mem.visits + 1 };
        if (raises <= MOST_RAISES && !s.mem.paused) return { ...s, mem, at: atStage(s.at.back) };
        return go(s, { stage: 'ended', outcome: outcomeOf({ result: 'paused', reason: 'budget-exhausted' }) });
      },
    },

    'put-away': {
      wants: (s) => [
        call('put-away', {
          item: input.item,
          session: s.mem.session,
          stage: s.at.of,
          specs: sentFor(s, s.at.of) as unknown as Json,
          reason: s.at.outcome.reason,
        }),
      ],
      apply: (s, done) => (done.kind === 'procedure' ? go(s, { stage: 'ended', outcome: s.at.outcome }) : s),
    },

    ended: {
      wants: (s) => ({ verdict: s.at.outcome.result, reason: s.at.outcome.reason }),
      apply: (s) => s,
    },
  }) satisfies Partial<Stages>;

/** What the procedure `arrive` found. */
export type Arrived = {
  readonly failure: Failure | null;
  readonly facts: Facts;
  /** The number of the next session: of this item some may have been sent already. */
  readonly session: number;
};

/** A named step whose work is not there yet. */
function tooEarly({ file, mem }: S): Failure {
  const { phase } = resolved(file);
  const first = phase === null ? 'plan' : (NEXT_STEP[phase] ?? 'plan');
  return failure('workflow-step-first', { step: mem.only ?? '', first });
}
