// The phases of one plan, and how far one has come. What it has reached is kept with its work in progress (a ref of the harness), so that it holds for
// exactly those files. Pure.
import type { Config } from '../../model/config.ts';

export const PHASES = [
  'implement',
  'review',
  'fix',
  'preflight',
  'prepare-pr',
  'open-pr',
  'ci',
  'e2e-verify',
  'merge-check',
  'merge',
] as const;
export type PlanPhase = (typeof PHASES)[number];
/** Of `harness run --phase`. */
export const ASKED = [...PHASES, 'all'] as const;

const isPhase = (text: unknown): text is PlanPhase => PHASES.some((one) => one === text);

/** The only phase that is asked for; null: all. */
export function askedPhase({ runOptions: { phase } }: Pick<Config, 'runOptions'>): PlanPhase | null {
  return isPhase(phase) ? phase : null;
}
export const isE2eSkipped = ({ runOptions }: Pick<Config, 'runOptions'>): boolean => runOptions['skip-e2e'] === 'yes';

/** In the order in which a plan comes to them. `findings`: a review is over and something blocks. `review`: nothing does. */
export const REACHED = [
  'implement',
  'findings',
  'fix',
  'review',
  'preflight',
  'prepare-pr',
  'open-pr',
  'ci',
  'e2e-verify',
  'merge-check',
] as const;
/** `proposed`: the commit that these checks are about, and the commit of the base branch below it; null before there is one. */
export type Reached = {
  readonly at: (typeof REACHED)[number];
  readonly proposed: { readonly commit: string; readonly base: string } | null;
};

export const reachedText = ({ at, proposed }: Reached): string =>
  proposed === null ? at : `${at} ${proposed.commit} ${proposed.base}`;

/** null: the work is not done, or it is not known how far it has come. */
export function readReached(text: string | undefined): Reached | null {
  const [word = '', commit, base = '', ...rest] = (text ?? '').split(' ');
  const at = REACHED.find((one) => one === word);
  if (at === undefined || rest.length > 0) return null;
  if (commit === undefined) return rankOf(at) >= rankOf('open-pr') ? null : { at, proposed: null };
  return ID.test(commit) && ID.test(base) ? { at, proposed: { commit, base } } : null;
}
const ID = /^[0-9a-f]{40,64}$/;

const rankOf = (at: Reached['at']): number => REACHED.indexOf(at);
/** Whether a plan has come as far as that. */
export const hasReached = (reached: Reached | null, at: Reached['at']): boolean =>
  reached !== null && rankOf(reached.at) >= rankOf(at);

/** Checks of a proposed commit say nothing where the base branch has moved: its pull request is brought up to date first. */
export function onBase(reached: Reached | null, base: string): Reached | null {
  if (reached === null || reached.proposed === null || reached.proposed.base === base) return reached;
  return { at: 'prepare-pr', proposed: null };
}

/** What comes next. */
const NEXT: { readonly [R in Reached['at']]: PlanPhase } = {
  implement: 'review',
  findings: 'fix',
  fix: 'review',
  review: 'prepare-pr',
  preflight: 'prepare-pr',
  'prepare-pr': 'open-pr',
  'open-pr': 'ci',
  ci: 'e2e-verify',
  'e2e-verify': 'merge-check',
  'merge-check': 'merge',
};
export const nextPhase = (reached: Reached | null): PlanPhase => (reached === null ? 'implement' : NEXT[reached.at]);

/** How far a plan must have come for a phase; null: anywhere. */
const NEEDED: { readonly [P in PlanPhase]: Reached['at'] | null } = {
  implement: null,
  review: 'implement',
  fix: 'findings',
  preflight: 'review',
  'prepare-pr': 'review',
  'open-pr': 'prepare-pr',
  ci: 'open-pr',
  'e2e-verify': 'ci',
  'merge-check': 'e2e-verify',
  merge: 'merge-check',
};

/** The phase that has to run before this one; null: it may run. */
export function phaseBefore(phase: PlanPhase, reached: Reached | null): PlanPhase | null {
  if (phase === 'fix') return reached?.at === 'findings' ? null : reached === null ? 'implement' : 'review';
  const needed = NEEDED[phase];
  return needed === null || hasReached(reached, needed) ? null : nextPhase(reached);
}
