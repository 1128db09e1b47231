// Before an agent works: preflight, the questions that come first, the checkpoint that everything goes back to.
import type { Json } from '../../../model/json.ts';
import type { Problem } from '../../../model/verdict.ts';
import { askOversized, askReset, askStuck, call } from '../../session/asks.ts';
import type { Mem } from '../positions.ts';
import type { Preflight } from '../../session/facts.ts';
import { started } from '../../session/transitions.ts';
import { go } from '../../session/rows.ts';
import { end, type Given, type S, type Stages } from './moves.ts';

export const before = ({ input, config }: Given) =>
  ({
    preflight: {
      // Asked anew after each budget that was raised, and after each time the environment was mended.
      wants: (s) => [{ ...call('preflight', { item: input.item, session: input.session }), key: keyOf(s.mem) }],
      apply(s, done) {
        if (done.kind !== 'procedure') return s;
        const found = done.outcome.output as unknown as Preflight;
        if (found.ready) return afterPreflight({ input, config }, s, found);
        const { failure, over } = found;
        if (over) return go(s, { stage: 'overspent', over, outcome: null });
        if (failure.reason === 'reset-failed') return go(s, { stage: 'broken', failure });
        return end(s, { result: 'blocked', reason: failure.reason, failure });
      },
    },

    // Nobody can work where the environment does not come up (reference 000, Environment Failures; Escalation 6).
    broken: {
      wants: (s) => [askReset(input.item, s.at.failure, s.mem.mends ?? 0)],
      apply(s, done) {
        if (done.kind !== 'ask') return s;
        const { failure } = s.at;
        if (done.outcome.option === 'abort') return end(s, { result: 'aborted', reason: 'decided-abort', failure });
        const mends = (s.mem.mends ?? 0) + 1;
        if (mends > MOST_MENDS) return end(s, { result: 'blocked', reason: failure.reason, failure });
        return { ...s, at: { stage: 'preflight' }, mem: { ...s.mem, mends } };
      },
    },

    // A feature that failed in three sessions is a person's business (reference 000, Feature Stuck Escalation).
    stuck: {
      wants: (s) => [askStuck(s.at.facts, s.file.stuck_count)],
      apply(s, done) {
        if (done.kind !== 'ask') return s;
        const asked: S = { ...s, file: { ...s.file, stuck_count: 0 } };
        switch (done.outcome.option) {
          case 'skip':
            return go(asked, {
              stage: 'flag',
              facts: s.at.facts,
              firstTask: s.at.firstTask,
              change: 'skip',
              note: done.outcome.note,
              decidedAt: done.at,
            });
          case 'retry':
            return go(asked, {
              stage: 'checkpoint',
              facts: s.at.facts,
              firstTask: withNote(s.at.firstTask, done.outcome.note),
            });
          default: // split and manual are a person's work; abort ends the run
            return end(asked, {
              result: done.outcome.option === 'abort' ? 'aborted' : 'blocked',
              reason: `decided-${done.outcome.option}`,
            });
        }
      },
    },

    // Too large for one session (reference 000, Feature Granularity Rules, Escalation 10).
    oversized: {
      wants: (s) => [askOversized(s.at.facts)],
      apply(s, done) {
        if (done.kind !== 'ask') return s;
        const { facts, firstTask } = s.at;
        if (done.outcome.option === 'split') return end(s, { result: 'blocked', reason: 'decided-split' });
        return go(s, {
          stage: 'flag',
          facts,
          firstTask,
          change: done.outcome.option === 'skip' ? 'skip' : 'accept-size',
          note: done.outcome.note,
          decidedAt: done.at,
        });
      },
    },

    // What a person decided about the item is written on the item, so that it is asked only once.
    flag: {
      wants: (s) => [
        {
          kind: 'commit',
          key: `flag-${s.at.change}`,
          style: 'plain',
          item: input.item,
          session: input.session,
          subject: `chore(harness): #${input.item} ${s.at.change === 'skip' ? 'is skipped' : 'may be large'}`,
          body: s.at.note,
          tree: null,
          checkpoint: null,
          only: [config.paths.backlog],
          edit: {
            name: 'flag',
            input: {
              backlog: config.paths.backlog,
              item: input.item,
              change: s.at.change === 'skip' ? skipped(s.at.note, s.at.decidedAt) : { type: 'size-accepted' },
            },
          },
        },
      ],
      apply(s, done) {
        if (done.kind !== 'commit') return s;
        const { commit, refused } = done.outcome;
        if (refused) return end(s, { result: 'blocked', reason: refused.code, problems: [refused] });
        if (s.at.change === 'skip') return end(s, { result: 'skipped', reason: 'decided-skip', commit });
        if (s.mem.paused) return end(s, { result: 'paused', reason: 'user_pause', commit });
        return go(s, { stage: 'checkpoint', facts: { ...s.at.facts, oversized: [] }, firstTask: s.at.firstTask });
      },
    },

    checkpoint: {
      wants: () => [
        { kind: 'checkpoint', key: 'checkpoint', session: input.session, item: input.item, why: 'pre_feature' },
      ],
      apply(s, done) {
        if (done.kind !== 'checkpoint') return s;
        const { facts, firstTask } = s.at;
        const file = started(s.file, { session: input.session, feature: input.item, at: done.at });
        return { ...s, file, at: { stage: 'work', facts, firstTask, checkpoint: done.outcome, startedAt: done.at } };
      },
    },
  }) satisfies Partial<Stages>;

/** In one life: after that somebody should see the message of a run that ended. */
const MOST_MENDS = 3;

const keyOf = ({ raises = 0, mends = 0 }: Mem): string => `preflight-${raises}${mends === 0 ? '' : `-${mends}`}`;

function afterPreflight({ input, config }: Given, s: S, { facts, firstTask }: Extract<Preflight, { ready: true }>): S {
  const isStuck =
    s.file.current_feature !== null &&
    String(s.file.current_feature) === input.item &&
    s.file.stuck_count >= config.features.maxStuckSessions;
  const stage = isStuck ? 'stuck' : facts.oversized.length > 0 ? 'oversized' : 'checkpoint';
  return go(s, { stage, facts, firstTask });
}

const skipped = (note: string, at: string): Json => ({
  type: 'skipped',
  reason: note || 'decided at a gate',
  unblock: false,
  at,
});
/** What a person said with their answer is the first thing the next agent reads. */
const withNote = (first: readonly Problem[], note: string): readonly Problem[] =>
  note.trim() === '' ? first : [{ code: 'said-by-person', params: { note } }, ...first];
