// How strong the proof of a landing is. Said wherever a landing is shown: the last line of a run, the commit's trailer, the gate, the evidence.
import { z } from 'zod';

/**
 * What the proof rests on, strongest first. `tests`: a report of the test runner, test by test. `exit-code`: only the exit code of a command.
 * `person`: a user's word.
 */
export const PROOF_STRENGTHS = ['tests', 'exit-code', 'person'] as const;
export const proofSummarySchema = z.object({
  strength: z.enum(PROOF_STRENGTHS),
  /** Names of the checks and proofs that held, and of those that were not possible. */
  held: z.array(z.string()).readonly(),
  notPossible: z.array(z.string()).readonly(),
});
export type ProofSummary = z.output<typeof proofSummarySchema>;
