// What the daemon does next, as a function of what it sees: run a plan, look at the base branch, compare the product with its specification, answer
// for a provider, or wait. Pure. It is asked again after each of these and after every change that wakes the daemon.

/** Times are in milliseconds since 1970. */
export type Seen = {
  readonly now: number;
  /** A user has started the daemon's work, and has not stopped it. */
  readonly isOn: boolean;
  /** What keeps every run from starting; null: nothing does. */
  readonly held: 'frozen' | 'handed-off' | 'paused' | 'unfinished' | null;
  /** A process holds the run lock, also one that the daemon did not start. */
  readonly isLive: boolean;
  readonly pollMs: number;
  /** Nothing is tried before; 0: now. */
  readonly restUntil: number;
  readonly fidelityDue: boolean;
} & (
  | { readonly deep: null }
  /** Read only where a run may start. */
  | { readonly deep: DeepSight }
);

export type DeepSight = {
  /** An item that a process left unfinished, or that waits for an answer which has come. */
  readonly underWay: string | null;
  /** An item is left unfinished whose delay is not over: any run would continue it. */
  readonly isStalled: boolean;
  /** The next plan whose own delay is over. */
  readonly next: string | null;
  /** The base branch of the remote is not what it is here; null: the remote cannot be asked. */
  readonly isMoved: boolean | null;
  /** Changes of the list are asked for, which a look applies. */
  readonly isAsked: boolean;
  /** A question about the run as a whole: nothing runs before its answer. null: there is none. */
  readonly question: null | { readonly gate: string; readonly isOutage: boolean; readonly since: number };
  /** How often the daemon has answered for an unavailable agent since the last merge, and how often it may. */
  readonly retries: { readonly done: number; readonly most: number; readonly afterMs: number };
  /** When the first of the delayed plans may be tried again; null: none is delayed. */
  readonly delayedUntil: number | null;
};

export type NextStep =
  | { readonly do: 'run'; readonly plan: string }
  | { readonly do: 'look' }
  | { readonly do: 'check-fidelity' }
  /** The daemon answers `retry`. */
  | { readonly do: 'answer'; readonly gate: string }
  /** A run is live: its end is waited for. */
  | { readonly do: 'attend' }
  /** `until` null: until something changes. */
  | { readonly do: 'wait'; readonly why: WaitReason; readonly until: number | null };
export type WaitReason =
  | 'off'
  | NonNullable<Seen['held']>
  | 'resting'
  | 'unreachable'
  | 'rate-limited'
  | 'question'
  | 'delayed'
  | 'nothing-ready';

export function decide(seen: Seen): NextStep {
  const { now, pollMs, deep } = seen;
  const wait = (why: WaitReason, until: number | null): NextStep => ({ do: 'wait', why, until });
  if (seen.isLive) return { do: 'attend' };
  if (!seen.isOn) return wait('off', null);
  if (seen.held !== null) return wait(seen.held, null);
  if (deep === null) return wait('resting', Math.max(seen.restUntil, now + 1));
  const poll = now + pollMs;
  const { question, retries } = deep;
  if (question?.isOutage === true && retries.done < retries.most) {
    const due = question.since + retries.afterMs;
    return due <= now ? { do: 'answer', gate: question.gate } : wait('rate-limited', due);
  }
  if (question !== null) return wait('question', null);
  if (deep.isMoved === null) return wait('unreachable', poll);
  if (deep.isStalled) return wait('delayed', Math.min(Math.max(deep.delayedUntil ?? poll, now + 1), poll));
  if (deep.underWay !== null) return { do: 'run', plan: deep.underWay };
  if (deep.isMoved || deep.isAsked) return { do: 'look' };
  if (seen.fidelityDue) return { do: 'check-fidelity' };
  if (deep.next !== null) return { do: 'run', plan: deep.next };
  if (deep.delayedUntil !== null && deep.delayedUntil > now) return wait('delayed', Math.min(deep.delayedUntil, poll));
  return wait('nothing-ready', poll);
}

/** Whether the repository and its remote must be read to decide: a rest that is not over needs neither. */
export const looksDeep = (seen: Omit<Seen, 'deep'>): boolean =>
  !seen.isLive && seen.isOn && seen.held === null && seen.restUntil <= seen.now;
