// What the mission does next, as a function of its state alone. The words are those of the log and of people who know the reference; the loop acts by
// them (surveys.ts), and the roles within a feature follow from what its last session left (machine.ts).
export type MissionDecision =
  | { readonly decision: 'NEXT_WORKER' | 'NEXT_ARCHITECT'; readonly feature: string }
  | { readonly decision: 'CHECKPOINT'; readonly name: string }
  /** Nothing can start, and no session is at work that could change that. */
  | { readonly decision: 'ESCALATE'; readonly why: string }
  /** Others are at work or wait for an answer. */
  | { readonly decision: 'WAIT' }
  | { readonly decision: 'DONE' };

export type MissionState = {
  /** The feature that may start first; null: none may. */
  readonly next: string | null;
  /** Features that are neither done nor skipped. */
  readonly remaining: number;
  readonly isBusy: boolean;
  /** The last session on `next` ended because an assertion is ambiguous. */
  readonly isUnclear: boolean;
  /** Checkpoints that are configured and not granted yet, in their order. */
  readonly ungranted: readonly { readonly name: string; readonly on: 'post-planner' | 'pre-done' }[];
};

export function decide({ next, remaining, isBusy, isUnclear, ungranted }: MissionState): MissionDecision {
  const planned = ungranted.find(({ on }) => on === 'post-planner');
  if (planned !== undefined) return { decision: 'CHECKPOINT', name: planned.name };
  if (next !== null) return { decision: isUnclear ? 'NEXT_ARCHITECT' : 'NEXT_WORKER', feature: next };
  if (isBusy) return { decision: 'WAIT' };
  if (remaining > 0) return { decision: 'ESCALATE', why: 'nothing-ready' };
  const [last] = ungranted;
  return last === undefined ? { decision: 'DONE' } : { decision: 'CHECKPOINT', name: last.name };
}
