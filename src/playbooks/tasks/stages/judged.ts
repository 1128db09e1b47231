// Where a person has a say: a task that brings no proof, and proofs that are in doubt.
import { escalation } from '../../../model/gate.ts';
import type { Config } from '../../../model/config.ts';
import { askDoubtful } from '../../session/asks.ts';
import type { Proof } from '../../session/facts.ts';
import { go } from '../../session/rows.ts';
import { needsPerson } from '../execute.ts';
import type { Over } from '../positions.ts';
import { overOf, type Given, type S, type Stages } from './moves.ts';

/** Everything that can be run holds. Where that is nothing, a person is asked, unless the configuration needs no evidence. */
export const proved = (s: S, held: Over & Proof, config: Config): S =>
  go(
    s,
    held.decided === null && needsPerson(held.facts, config)
      ? { stage: 'unproved', ...held }
      : { stage: 'accept', person: null, ...held },
  );

export const judged = ({ config }: Given) =>
  ({
    unproved: {
      wants: ({ at: { facts } }) => [
        escalation('unproved', `unproved-${facts.id}`, facts.id, { params: { item: facts.id, title: facts.title } }),
      ],
      apply(s, done) {
        if (done.kind !== 'ask') return s;
        const { verdict, strength } = s.at;
        const { option, note, by, at } = done.outcome;
        if (option === 'land')
          return go(s, {
            stage: 'accept',
            ...overOf(s.at),
            verdict,
            strength,
            decided: null,
            person: { by, at, note },
          });
        return refused(s, s.at, option === 'skip' ? note || 'decided at a gate' : null, 'a person did not accept it');
      },
    },

    doubtful: {
      wants: ({ at: { facts, strength, verdict } }) => [askDoubtful(facts, strength, verdict)],
      apply(s, done) {
        if (done.kind !== 'ask') return s;
        const { verdict, strength } = s.at;
        if (done.outcome.option === 'land')
          return proved(s, { ...overOf(s.at), verdict, strength, decided: done.outcome }, config);
        return refused(s, s.at, null, strength.doubts[0]?.code ?? 'in doubt');
      },
    },
  }) satisfies Partial<Stages>;

/** `skip`: why a person leaves the task out; null: it is tried again. */
const refused = (s: S, over: Over, skip: string | null, message: string): S => {
  const error = { category: 'TEST_FAIL', message } as const;
  if (skip !== null) return go(s, { stage: 'release', ...overOf(over), error, failure: null, skip });
  const why = { reason: 'decided-reject', problems: [], regressions: [], evidence: null, failure: null };
  return go(s, { stage: 'fail', ...overOf(over), error, why });
};
