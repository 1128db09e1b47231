// What a person has a say in once the checks hold: doubtful proofs, and what no test can show.
import { askDoubtful, askRefused, call } from '../../session/asks.ts';
import { askManual, saidOf } from '../manual.ts';
import type { Ended, Proof, Shown } from '../../session/facts.ts';
import { finished } from '../../session/transitions.ts';
import { go } from '../../session/rows.ts';
import { endedOf, NO_FAULT, type Given, type S, type Stages } from './moves.ts';

export const judged = ({ input }: Given) =>
  ({
    // An honest change of old tests and a weakened one can look the same: a person decides, and is named in the commit.
    doubtful: {
      wants: (s) => [askDoubtful(s.at.facts, s.at.strength, s.at.verdict)],
      apply(s, done) {
        if (done.kind !== 'ask') return s;
        const { verdict, strength } = s.at;
        if (done.outcome.option === 'land')
          return proved(s, { ...endedOf(s.at), verdict, strength, decided: done.outcome });
        const problems = strength.doubts;
        const reason = problems[0]?.code ?? 'decided-reject';
        return go(s, {
          stage: 'reject',
          ...endedOf(s.at),
          why: { ...NO_FAULT, reason, problems, evidence: strength.evidence },
        });
      },
    },

    // Rolled back and tried again is what happens without a word; where a person wants to be asked, they are.
    refused: {
      wants: (s) => [askRefused(s.at.facts, s.at.subject, s.at.why)],
      apply(s, done) {
        if (done.kind !== 'ask') return s;
        const { why, subject } = s.at;
        const { option, note } = done.outcome;
        // The feature is there; only what was broken before is not mended: the next session goes on with it.
        if (subject === 'sanity-failed' && option === 'retry')
          return go(s, { stage: 'save', ...endedOf(s.at), why: 'incomplete', failure: null });
        switch (option) {
          case 'manual':
          case 'manual-verify':
            return go(s, { stage: 'save', ...endedOf(s.at), why: 'incomplete', failure: null, byHand: true });
          case 'skip':
            return go(s, { stage: 'drop', ...endedOf(s.at), note, decidedAt: done.at });
          case 'abort':
            return go(s, { stage: 'reject', ...endedOf(s.at), why, isLast: true });
          default: // retry, rollback
            return go(s, { stage: 'reject', ...endedOf(s.at), why });
        }
      },
    },

    // What no test can show is shown to a person, with the agent gone and its work in the work tree.
    show: {
      wants: (s) => [call('show', { ...endedOf(s.at), verdict: s.at.verdict, session: input.session })],
      apply(s, done) {
        if (done.kind !== 'procedure') return s;
        const { tampering, files } = done.outcome.output as unknown as Shown;
        const { verdict, strength, decided } = s.at;
        const [first] = tampering;
        if (first === undefined)
          return go(s, { stage: 'manual', ...endedOf(s.at), verdict, strength, decided, shown: files });
        const why = { ...NO_FAULT, reason: first.code, problems: tampering, evidence: verdict.evidence };
        return go(s, { stage: 'reject', ...endedOf(s.at), why });
      },
    },

    manual: {
      wants: (s) => [askManual(s.at.facts, s.at.verdict, s.at.shown)],
      apply(s, done) {
        if (done.kind !== 'ask') return s;
        const { verdict, strength, decided } = s.at;
        const said = saidOf(done, verdict.evidence);
        switch (said.is) {
          case 'verified':
            return go(s, { stage: 'accept', ...endedOf(s.at), verdict, strength, decided, person: said.person });
          case 'failed':
            return go(s, { stage: 'reject', ...endedOf(s.at), why: said.why });
          default:
            return go(s, { stage: 'drop', ...endedOf(s.at), note: said.note, decidedAt: done.at });
        }
      },
    },

    // Its work is kept as an attempt before the item is left out.
    drop: {
      wants: (s) => [
        call('reject', {
          ...endedOf(s.at),
          why: { ...NO_FAULT, reason: 'decided-skip' },
          session: input.session,
        }),
      ],
      apply(s, done) {
        if (done.kind !== 'procedure') return s;
        const { facts, note, decidedAt } = s.at;
        const file = finished(s.file, { end: 'blocked', at: done.at });
        return go({ ...s, file }, { stage: 'flag', facts, firstTask: [], change: 'skip', note, decidedAt });
      },
    },
  }) satisfies Partial<Stages>;

/** Everything that can be run holds. */
export const proved = (s: S, held: Ended & Proof): S =>
  held.facts.byHand ? go(s, { stage: 'show', ...held }) : go(s, { stage: 'accept', ...held, person: null });
