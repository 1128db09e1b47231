// The ends: landed, failed, saved, put back. First what is done to the repository, then what the list and the log say of it.
import { call } from '../../session/asks.ts';
import type { Accepted, Put } from '../../session/facts.ts';
import { go, outcomeOf } from '../../session/rows.ts';
import { finished } from '../../session/transitions.ts';
import { errorLine, errorOf } from '../errors.ts';
import type { At, Back, Heard } from '../positions.ts';
import { end, overOf, short, writeTask, type Given, type Stages } from './moves.ts';

const NO_FAULT = { problems: [], regressions: [], evidence: null, failure: null };

export const closing = ({ input, config }: Given) =>
  ({
    accept: {
      wants: ({ at }) => {
        const { verdict, strength, decided, person } = at;
        return [call('accept', { ...overOf(at), verdict, strength, decided, person, session: input.session })];
      },
      apply(s, done) {
        if (done.kind !== 'procedure') return s;
        const accepted = done.outcome.output as unknown as Accepted & Heard;
        const { verdict, person, facts } = s.at;
        const { evidence } = verdict;
        if (accepted.commit === null) {
          const { refused: problems } = accepted;
          const reason = problems[0]?.code ?? 'refused';
          const why = { ...NO_FAULT, reason, problems, evidence };
          return go(s, { stage: 'fail', ...overOf(s.at), error: errorOf(reason, problems), why });
        }
        const { commit, usage, pushFailure, checkpoints } = accepted;
        const isProved = facts.proof !== undefined && person === null;
        const outcome = outcomeOf({
          result: isProved ? 'landed' : 'unproved',
          reason: isProved ? 'verified' : 'unproved',
          commit,
          evidence,
          usage,
          failure: pushFailure,
        });
        const file = finished(s.file, { end: 'landed', at: done.at });
        const by =
          person === null ? null : { reason: person.note || 'accepted at a gate', by: person.by, at: person.at };
        return go({ ...s, file }, { stage: 'complete', facts, outcome, by, checkpoints, at: done.at });
      },
    },

    complete: {
      wants({ at: { facts, outcome, by, checkpoints, at } }) {
        const patch = {
          status: 'completed',
          completed_at: at.replace(/\.\d+(?=Z)/, ''),
          ...(by === null ? {} : { override: { passes: true, ...by } }),
        };
        const line = { type: 'Completed', message: `(commit ${short(outcome.commit ?? '')})` } as const;
        return [writeTask('complete', { facts, at, checkpoints }, patch, [line], config)];
      },
      apply: (s, done) => (done.kind === 'write' ? end(s, s.at.outcome) : s),
    },

    // Rolled back before it is written: what the list says is so.
    fail: {
      wants: ({ at }) => [call('undo', { ...overOf(at), why: at.why, session: input.session, cleansUp: true })],
      apply(s, done) {
        if (done.kind !== 'procedure') return s;
        const back = done.outcome.output as unknown as Back;
        const { facts, error, why, isLast = false } = s.at;
        const { problems, evidence, failure, reason } = why;
        const result = problems.length > 0 ? 'rejected' : 'failed';
        const outcome = outcomeOf({ result, reason, problems, evidence, failure, usage: back.usage });
        const file = { ...finished(s.file, { end: 'failed', at: done.at }), stuck_count: 0 };
        return go({ ...s, file }, { stage: 'failed', facts, error, back, isLast, outcome, at: done.at });
      },
    },

    failed: {
      wants({ at: { facts, error, back, isLast, at } }) {
        const { attempts, maxAttempts, errorLog } = facts.task;
        const patch = {
          status: 'failed',
          attempts: isLast ? Math.max(maxAttempts, attempts + 1) : attempts + 1,
          error_log: [...errorLog, errorLine(error)],
        };
        const kept = back.attempt === null ? '' : ` (kept as ${back.attempt})`;
        return [
          writeTask(
            'failed',
            { facts, at, checkpoints: back.checkpoints },
            patch,
            [
              { type: 'ERROR', category: error.category, message: error.message },
              { type: 'ROLLBACK', message: `git reset --hard ${short(back.base)}${kept}` },
              ...(back.isCleanupFailing
                ? [{ type: 'WARN', message: `the cleanup command failed: ${facts.task.cleanup ?? ''}` } as const]
                : []),
            ],
            config,
          ),
        ];
      },
      apply: (s, done) =>
        done.kind === 'write' ? end(s, s.mem.paused ? { ...s.at.outcome, result: 'paused' } : s.at.outcome) : s,
    },

    // The work stays on the branch as a provisional commit, and the task under way: the next session goes on.
    save: {
      wants: ({ at }) => [call('save', { ...overOf(at), why: at.why, session: input.session })],
      apply(s, done) {
        if (done.kind !== 'procedure') return s;
        const { usage, refused, over, checkpoints } = done.outcome.output as unknown as Put & Heard;
        const { why, facts, failure } = s.at;
        const result = s.mem.paused ? 'paused' : refused ? 'rejected' : 'partial';
        const outcome = outcomeOf({
          result,
          reason: refused?.code ?? failure?.reason ?? why,
          failure,
          ...(refused ? { problems: [refused] } : {}),
          usage,
        });
        const file = finished(
          s.file,
          refused ? { end: 'failed', at: done.at } : { end: 'partial', why, isOutage: failure !== null, at: done.at },
        );
        const cause = failure?.reason ?? why;
        const message = refused
          ? `the session ended (${cause}), and what it left could not be kept: ${refused.code}`
          : `the session ended (${cause}); work in progress is kept and gone on with`;
        return go(
          { ...s, file },
          {
            stage: 'saved',
            facts,
            message,
            isKept: refused === undefined,
            over: over ?? null,
            checkpoints,
            outcome,
            at: done.at,
          },
        );
      },
    },

    saved: {
      wants({ at: { facts, message, isKept, checkpoints, at } }) {
        const patch = isKept ? {} : { status: was(facts.task.attempts) };
        return [writeTask('saved', { facts, at, checkpoints }, patch, [{ type: 'WARN', message }], config)];
      },
      apply(s, done) {
        if (done.kind !== 'write') return s;
        const { facts, over, outcome } = s.at;
        return over !== null && !s.mem.paused ? go(s, { stage: 'overspent', facts, over, outcome }) : end(s, outcome);
      },
    },

    release: {
      wants({ at }) {
        const { error, failure } = at;
        const why = { ...NO_FAULT, reason: failure?.reason ?? 'decided-skip', failure };
        return [call('undo', { ...overOf(at), why, session: input.session, cleansUp: true, error: { ...error } })];
      },
      apply(s, done) {
        if (done.kind !== 'procedure') return s;
        const { usage } = done.outcome.output as unknown as Back;
        const { facts, error, failure, skip } = s.at;
        const outcome = outcomeOf(
          skip === undefined
            ? { result: resultOf(s.at), reason: failure?.reason ?? 'error', failure, usage }
            : { result: 'skipped', reason: 'decided-skip', usage },
        );
        const file = finished(s.file, { end: 'blocked', at: done.at });
        return go({ ...s, file }, { stage: 'released', facts, error, outcome, skip: skip ?? null, at: done.at });
      },
    },

    released: {
      wants({ at: { facts, error, skip, at } }) {
        const patch = {
          status: was(facts.task.attempts),
          ...(skip === null ? {} : { skipped: { reason: skip, at, unblock: false } }),
        };
        const line =
          skip === null
            ? ({ type: 'ERROR', category: error.category, message: `${error.message}; no attempt is counted` } as const)
            : ({ type: 'WARN', message: `left out: ${skip}` } as const);
        return [writeTask('released', { facts, at }, patch, [line], config)];
      },
      apply: (s, done) =>
        done.kind === 'write' ? end(s, s.mem.paused ? { ...s.at.outcome, result: 'paused' } : s.at.outcome) : s,
    },

    ended: {
      wants: (s) => ({ verdict: s.at.outcome.result, reason: s.at.outcome.reason }),
      apply: (s) => s,
    },
  }) satisfies Partial<Stages>;

/** What a task was before it was claimed. */
const was = (attempts: number): 'pending' | 'failed' => (attempts > 0 ? 'failed' : 'pending');

/** An outage is waited for by the loop; what only a person can mend stops the run. */
const resultOf = ({ failure }: Extract<At, { stage: 'release' }>): 'blocked' | 'partial' =>
  failure?.policy === 'needs-human' ? 'blocked' : 'partial';
