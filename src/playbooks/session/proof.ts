// How strong the proof of a landing is: from its checks, what was proved about them, and who decided. Pure.
import type { BundleAsk } from '../../model/landing-action.ts';
import type { Proof, StrengthOutcome } from '../../model/action.ts';
import type { Params } from '../../model/failure.ts';
import type { GateAnswer } from '../../model/gate.ts';
import type { ProofSummary } from '../../model/proof.ts';
import type { Verdict } from '../../model/verdict.ts';
import type { Person } from './facts.ts';

export type ProofBasis = {
  readonly verdict: Pick<Verdict, 'checks'>;
  readonly strength: Pick<StrengthOutcome, 'proofs'> | null;
  /** A user's decision in spite of a doubt. */
  readonly decided?: GateAnswer | null;
  readonly person?: Person | null;
};

/** The checks that show whether the item is done, strongest last; other checks show that nothing else was lost. */
const OWN: readonly string[] = ['feature', 'own-test'];

export function proofOf({ verdict, strength, decided = null, person = null }: ProofBasis): ProofSummary {
  const proofs = strength?.proofs ?? [];
  const checks = verdict.checks.filter(({ passed }) => passed).map(({ name }) => name);
  const of = (came: Proof['came']): readonly string[] =>
    proofs.filter((p) => p.came === came).map(({ proof }) => proof);
  const isByPerson = decided !== null || person !== null;
  return {
    strength: isByPerson ? 'person' : isByReport(verdict, proofs) ? 'tests' : 'exit-code',
    held: [...new Set([...checks, ...of('held')])],
    notPossible: [...new Set(of('not-possible'))],
  };
}

/** A report counts unless it is unknown whether its program can lie: then only the exit code does. */
function isByReport({ checks }: ProofBasis['verdict'], proofs: readonly Proof[]): boolean {
  const own = checks.filter(({ name }) => OWN.includes(name));
  const isReported = (own.length > 0 ? own : checks).some(({ tests, passed }) => passed && tests !== null);
  const asked = proofs.filter(({ proof }) => proof === 'canary' || proof === 'hidden');
  const isTrue = asked.some(({ came, params }) => came === 'held' && params['how'] !== 'exit-code');
  return isReported && (isTrue || asked.every(({ came }) => came !== 'not-possible'));
}

/** For a question: what was proved, and what could not be. */
export const proofParams = ({ strength, held, notPossible }: ProofSummary): Params => ({
  strength,
  held: held.join(', '),
  notPossible: notPossible.join(', '),
});

/** What says that an item is done: a person, where one was asked. */
export const claimOf = (claim: NonNullable<BundleAsk['claim']>, { strength }: ProofSummary): typeof claim =>
  strength === 'person' ? 'person' : claim;
