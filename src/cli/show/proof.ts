// What a landing rests on, in one line.
import type { ProofSummary } from '../../model/proof.ts';
import type { Caller } from '../command.ts';

export const proofLine = ({ strength, held, notPossible }: ProofSummary, { catalogue }: Caller): string =>
  catalogue.text(`proof.${strength}`, { held: held.join(', '), notPossible: notPossible.join(', ') });
