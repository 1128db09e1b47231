// The ends: landed, saved, rolled back. Each is one recoverable sequence, then the verdict.
import { call } from '../../session/asks.ts';
import type { Accepted, Put } from '../../session/facts.ts';
import { finished } from '../../session/transitions.ts';
import { go, outcomeOf } from '../../session/rows.ts';
import { end, endedOf, NO_FAULT, type Given, type Stages } from './moves.ts';

export const closing = ({ input }: Given) =>
  ({
    accept: {
      wants: (s) => {
        const { verdict, strength, decided, person } = s.at;
        return [call('accept', { ...endedOf(s.at), verdict, strength, decided, person, session: input.session })];
      },
      apply(s, done) {
        if (done.kind !== 'procedure') return s;
        const accepted = done.outcome.output as unknown as Accepted;
        const { evidence } = s.at.verdict;
        if (accepted.commit === null) {
          const why = {
            ...NO_FAULT,
            reason: accepted.refused[0]?.code ?? 'refused',
            problems: accepted.refused,
            evidence,
          };
          return go(s, { stage: 'reject', ...endedOf(s.at), why });
        }
        const landed = { result: 'landed', reason: 'verified', evidence } as const;
        const { commit, usage, pushFailure } = accepted;
        return end(
          {
            ...s,
            file: finished(s.file, { end: 'landed', isCleanupDue: accepted.isCleanupDue === true, at: done.at }),
          },
          { ...landed, commit, usage, failure: pushFailure },
        );
      },
    },

    save: {
      wants: (s) => [call('save', { ...endedOf(s.at), why: s.at.why, session: input.session })],
      apply(s, done) {
        if (done.kind !== 'procedure') return s;
        const { usage, refused, over } = done.outcome.output as unknown as Put;
        if (refused) {
          const file = finished(s.file, { end: 'failed', at: done.at });
          const result = s.mem.paused ? 'paused' : 'rejected';
          return end({ ...s, file }, { result, reason: refused.code, problems: [refused], usage });
        }
        const { why } = s.at;
        const failure = s.at.failure ?? null; // a position of an earlier version has none
        const saved = {
          ...s,
          file: finished(s.file, { end: 'partial', why, isOutage: failure !== null, at: done.at }),
        };
        const result = s.mem.paused ? 'paused' : 'partial';
        const outcome = outcomeOf({ result, reason: failure?.reason ?? why, failure, usage });
        if (s.at.byHand) return end(saved, { ...outcome, result: 'blocked', reason: 'decided-manual' });
        return over && !s.mem.paused ? go(saved, { stage: 'overspent', over, outcome }) : end(saved, outcome);
      },
    },

    reject: {
      wants: (s) => [call('reject', { ...endedOf(s.at), why: s.at.why, session: input.session })],
      apply(s, done) {
        if (done.kind !== 'procedure') return s;
        const { usage } = done.outcome.output as unknown as Put;
        const { reason, problems, evidence, failure } = s.at.why;
        const result =
          failure === null
            ? problems.length > 0
              ? 'rejected'
              : 'failed'
            : failure.policy === 'needs-human'
              ? 'blocked'
              : 'failed';
        return end(
          { ...s, file: finished(s.file, { end: result === 'blocked' ? 'blocked' : 'failed', at: done.at }) },
          s.at.isLast
            ? { result: 'aborted', reason: 'decided-abort', problems, evidence, usage }
            : { result, reason, problems, evidence, failure, usage },
        );
      },
    },

    ended: {
      wants: (s) => ({ verdict: s.at.outcome.result, reason: s.at.outcome.reason }),
      apply: (s) => s,
    },
  }) satisfies Partial<Stages>;
