// The session itself: one procedure, and what comes of each way it can end.
import { unreachable } from '../../../model/bug.ts';
import { call } from '../../session/asks.ts';
import type { Work } from '../../session/facts.ts';
import { proved } from './judged.ts';
import { go } from '../../session/rows.ts';
import { NO_FAULT, sessionOf, type Given, type Stages } from './moves.ts';

export const working = ({ input }: Given) =>
  ({
    // A pause ends the session where it stands; what it wrote is kept as work in progress (USER_PAUSE).
    work: {
      wants: (s) => [
        call('work', {
          facts: s.at.facts,
          firstTask: s.at.firstTask,
          checkpoint: s.at.checkpoint,
          session: input.session,
        }),
      ],
      apply(s, done) {
        if (done.kind !== 'procedure') return s;
        const work = done.outcome.output as unknown as Work;
        const ended = { ...sessionOf(s.at), text: work.text, endedAt: done.at };
        switch (work.end) {
          case 'holds':
            return proved(s, { ...ended, verdict: work.verdict, strength: work.strength, decided: null });
          case 'doubtful':
            return go(s, { stage: 'doubtful', ...ended, verdict: work.verdict, strength: work.strength });
          case 'unfinished':
            return go(s, { stage: 'save', ...ended, why: work.why, failure: work.failure ?? null });
          case 'agent-failed':
            return go(s, {
              stage: 'reject',
              ...ended,
              why: { ...NO_FAULT, reason: work.failure.reason, failure: work.failure },
            });
          case 'rejected': {
            const { reason, problems, regressions, evidence, ask } = work;
            const why = { reason, problems, regressions, evidence, failure: null };
            return go(s, ask ? { stage: 'refused', ...ended, why, subject: ask } : { stage: 'reject', ...ended, why });
          }
          default:
            return unreachable(work);
        }
      },
      // The procedure was begun by another version and cannot be resumed: the session is taken as never happened.
      recover: (s) =>
        go(s, {
          stage: 'reject',
          ...sessionOf(s.at),
          text: '',
          endedAt: s.at.startedAt,
          why: { ...NO_FAULT, reason: 'session-lost' },
        }),
    },
  }) satisfies Partial<Stages>;
