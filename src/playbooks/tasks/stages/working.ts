// The session itself, and what comes of each way it can end.
import { unreachable } from '../../../model/bug.ts';
import { failure } from '../../../model/failure.ts';
import { call } from '../../session/asks.ts';
import type { Work } from '../../session/facts.ts';
import { go } from '../../session/rows.ts';
import { errorOf } from '../errors.ts';
import { proved } from './judged.ts';
import { begunOf, type Given, type Stages } from './moves.ts';

const NO_FAULT = { problems: [], regressions: [], evidence: null, failure: null };

export const working = ({ input, config }: Given) =>
  ({
    work: {
      wants: ({ at: { facts, firstTask, checkpoint } }) => [
        call('execute', { facts, firstTask, checkpoint, session: input.session }),
      ],
      apply(s, done) {
        if (done.kind !== 'procedure') return s;
        const work = done.outcome.output as unknown as Work;
        const over = { ...begunOf(s.at), text: work.text, endedAt: done.at };
        switch (work.end) {
          case 'holds':
            return proved(s, { ...over, verdict: work.verdict, strength: work.strength, decided: null }, config);
          case 'doubtful':
            return go(s, { stage: 'doubtful', ...over, verdict: work.verdict, strength: work.strength });
          case 'unfinished':
            return go(s, { stage: 'save', ...over, why: work.why, failure: work.failure ?? null });
          case 'agent-failed': {
            const error = { category: 'TASK_EXEC', message: `the agent failed: ${work.failure.reason}` } as const;
            if (work.failure.policy === 'needs-human')
              return go(s, { stage: 'release', ...over, error, failure: work.failure });
            const why = { ...NO_FAULT, reason: work.failure.reason, failure: work.failure };
            return go(s, { stage: 'fail', ...over, error, why });
          }
          case 'rejected': {
            const { reason, problems, regressions, evidence } = work;
            const error = errorOf(reason, problems);
            if (error.category === 'ENV_SETUP') {
              const command = s.at.facts.proof?.command ?? '';
              const missing = failure('validation-missing', { item: s.at.facts.id, command });
              return go(s, { stage: 'release', ...over, error, failure: missing });
            }
            return go(s, {
              stage: 'fail',
              ...over,
              error,
              why: { reason, problems, regressions, evidence, failure: null },
            });
          }
          default:
            return unreachable(work);
        }
      },
    },
  }) satisfies Partial<Stages>;
