// What a person should look at first of what landed: decided in spite of a doubt, weak proof, many changed lines. Pure.
import type { SUBJECTS } from '../../model/gate.ts';
import { PROOF_STRENGTHS, type ProofSummary } from '../../model/proof.ts';

/**
 * `unconfirmed`: the repository does not confirm what the run noted. `doubt`: someone let it land in spite of a doubt. `unproved`: without a proof.
 * `person`, `exit-code`: its proof is only that. `warned`: the checks had warnings. `large`: many changed lines.
 */
export const RISKS = ['unconfirmed', 'doubt', 'unproved', 'person', 'exit-code', 'warned', 'large'] as const;
export type Risk = (typeof RISKS)[number];

export type Weighed = {
  readonly isConfirmed: boolean;
  readonly strength: ProofSummary['strength'] | null;
  readonly decisions: readonly { readonly subject: string; readonly option: string }[];
  readonly warnings: number;
  /** Lines; null: unknown. */
  readonly lines: number | null;
};

export const MANY_LINES = 300;

/** Questions that are asked because the checks found something. A check by hand that was planned is none of them. */
const DOUBTS: ReadonlySet<string> = new Set<keyof typeof SUBJECTS>([
  'doubtful-proof',
  'unproved',
  'verification-failed',
]);
/** These answers let something land that the checks alone did not let through. */
const LET_THROUGH = new Set(['land', 'manual-verify']);
const isDoubt = ({ subject, option }: { readonly subject: string; readonly option: string }): boolean =>
  DOUBTS.has(subject) && LET_THROUGH.has(option);

/** The gravest first. */
export function risksOf({ isConfirmed, strength, decisions, warnings, lines }: Weighed): readonly Risk[] {
  const found: readonly (Risk | null)[] = [
    isConfirmed ? null : 'unconfirmed',
    decisions.some(isDoubt) ? 'doubt' : null,
    strength === null ? 'unproved' : strength === 'tests' ? null : strength,
    warnings > 0 ? 'warned' : null,
    lines === null || lines >= MANY_LINES ? 'large' : null,
  ];
  return found.filter((risk) => risk !== null);
}

/** What to look at first comes first; of two that are alike, the one with more changed lines. */
export function compareRisk(a: Weighed, b: Weighed): number {
  const other = ranksOf(b);
  for (const [i, rank] of ranksOf(a).entries()) {
    const far = (other[i] ?? 0) - rank;
    if (far !== 0) return far;
  }
  return 0;
}

function ranksOf(one: Weighed): readonly number[] {
  const weakness = one.strength === null ? PROOF_STRENGTHS.length : PROOF_STRENGTHS.indexOf(one.strength);
  const isDoubted = one.decisions.some(isDoubt);
  return [
    Number(!one.isConfirmed),
    Number(isDoubted),
    weakness,
    Number(one.warnings > 0),
    one.lines ?? Number.MAX_SAFE_INTEGER,
  ];
}
