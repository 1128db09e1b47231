// What every machine must pass (docs/architecture.md, Machines), as claims: each throws where a machine breaks it.
// machines.test.ts runs them on every machine, mutants.test.ts on broken ones. Random walks with a mood per run: uniform
// outcomes stay shallow, a mood reaches the deep stages. What the walks came through is counted, so that they prove something.
import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { amountOf, IS_EXPLORING } from '../support/effort.ts';
import { describe, test } from 'vitest';
import type { ActionMap, ActionOf, Done, External, Machine, State } from '../../src/engine/types.ts';
import { withoutChance } from './chance.ts';

export type Subject<F, At extends { readonly stage: string }, Mem, M extends ActionMap> = {
  readonly name: string;
  readonly machine: Machine<F, At, Mem, M>;
  /** Files a run may begin from: the first of a machine that never ran, then what a person may have written. */
  readonly files: readonly F[];
  /** What may come of an action, every shape of it; `mood` picks a bias for the whole run. */
  outcomes(action: ActionOf<M>): readonly object[];
  /** Stages that the walks must have reached; those with actions also across a cold reload and a pause. */
  readonly reach: readonly At['stage'][];
  /** Of them those that only a pause leads to: a walk has one pause at most. */
  readonly pausedInto?: readonly At['stage'][];
  /** No run takes more steps than this. */
  readonly bound: number;
  /** Whether it ever wants two things at a time: then walks must have seen it. */
  readonly isParallel: boolean;
  /** What else holds in every state; throws. */
  invariant?(s: State<F, At, Mem>): void;
};
/** A subject whose types the suite need not know. */
type Plain = Subject<unknown, { readonly stage: string }, unknown, ActionMap>;
export type Holds = <F, At extends { readonly stage: string }, Mem, M extends ActionMap>(
  subject: Subject<F, At, Mem, M>,
  effort: Effort,
) => void;

type S = State<unknown, { readonly stage: string }, unknown>;
type Action = ActionOf<ActionMap>;
type Walk = {
  readonly file: number;
  readonly mood: number;
  readonly picks: readonly number[];
  readonly pauseAt: number;
  readonly reloadAt: number;
  readonly cutAt: number;
};
/** What a state of a walk looks like to a claim: the state, what it wants, and what was picked and came of it. */
type Step = { readonly s: S; readonly actions: readonly Action[]; readonly pick: number };
type Passed = {
  /** Where a walk first came to each stage; one that nothing had disturbed until then goes before one that was. */
  readonly stages: Map<string, { readonly walk: Walk; readonly n: number; readonly isPlain: boolean }>;
  readonly reloaded: Set<string>;
  readonly paused: Set<string>;
  pairs: number;
};

export class InvariantViolation extends Error {
  override readonly name = 'InvariantViolation';
}
const check = (holds: boolean, violation: () => string): void => {
  if (!holds) throw new InvariantViolation(violation());
};
const same = (a: unknown, b: unknown, violation: () => string): void =>
  check(isDeepStrictEqual(a, b), () => `${violation()}\n  ${JSON.stringify(a)}\n  ${JSON.stringify(b)}`);
const asJson = <T>(value: T): T => JSON.parse(JSON.stringify(value) ?? 'null') as T;
const frozen = <T>(value: T): T => {
  if (value !== null && typeof value === 'object' && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(frozen);
  }
  return value;
};
const AT = '2026-01-01T00:00:00.000Z';

/** A machine seen from outside: every call without clock or chance, every value it gets frozen. */
function seen(subject: Plain) {
  const m = subject.machine;
  const stage = (s: S) => {
    const found = m.stages[s.at.stage];
    if (found === undefined) throw new InvariantViolation(`${s.at.stage} is no stage of the table`);
    return found;
  };
  const wants = (s: S): readonly Action[] | { readonly verdict: string } =>
    withoutChance(() => stage(s).wants(frozen(s) as never));
  return {
    wants,
    actions(s: S): readonly Action[] {
      const next = wants(s);
      return 'verdict' in next ? [] : next;
    },
    apply: (s: S, action: Action, outcome: object): S =>
      withoutChance(() => {
        const done = { kind: action.kind, key: action.key, action, outcome, at: AT } as Done<ActionMap>;
        return stage(s).apply(frozen(s), frozen(done));
      }),
    /** null: the stage leaves it to the driver, which does the action again. */
    recover: (s: S, action: Action): S | null =>
      withoutChance(() => stage(s).recover?.(frozen(s) as never, frozen(action) as never) ?? null),
    on: (s: S, event: External): S => withoutChance(() => m.on?.(frozen(s), event, AT) ?? s),
    /** As the driver reads it back. */
    stored(s: S): S {
      const raw = asJson(s);
      return { file: m.file.parse(raw.file), ...m.position.parse({ at: raw.at, mem: raw.mem }) };
    },
    /** As after a lost journal: the file alone speaks. */
    placed(file: unknown): S {
      const read = m.file.parse(asJson(file));
      return withoutChance(() => ({ file: read, ...m.place(frozen(read)) }));
    },
    outcomes: (action: Action): readonly object[] => subject.outcomes(action),
  };
}
type Seen = ReturnType<typeof seen>;

/** One run, at most `bound` steps long from its last disturbance. Calls `see` with every state. */
function live(subject: Plain, m: Seen, walk: Walk, passed: Passed, see: (step: Step) => void): void {
  let s = m.on(m.placed(subject.files[walk.file % subject.files.length]), {
    type: 'life-started',
    life: 'machine#run-2',
  });
  let answered = new Set<string>();
  for (let n = 0; n < subject.bound; n += 1) {
    if (n === walk.pauseAt) {
      passed.paused.add(s.at.stage);
      s = m.on(s, { type: 'pause' });
    }
    if (n === walk.reloadAt) {
      passed.reloaded.add(s.at.stage);
      s = m.on(m.placed(s.file), { type: 'life-started', life: 'machine#run-2' });
      answered = new Set();
    }
    const isPlain = Math.min(walk.pauseAt, walk.reloadAt, walk.cutAt) > n;
    const known = passed.stages.get(s.at.stage);
    if (known === undefined || (isPlain && !known.isPlain)) passed.stages.set(s.at.stage, { walk, n, isPlain });
    const next = m.wants(s);
    const actions = 'verdict' in next ? [] : next;
    const pick = walk.picks[n % walk.picks.length] ?? 0;
    see({ s, actions, pick });
    if ('verdict' in next) return;
    if (actions.length > 1) passed.pairs += 1;
    const action = actions[pick % actions.length];
    if (!action) throw new InvariantViolation(`it is stuck in ${s.at.stage}: it wants nothing and has no verdict`);
    check(!answered.has(action.key), () => `in ${s.at.stage} it asks again for ${action.key}, which was answered`);
    const cut = n === walk.cutAt ? m.recover(s, action) : null;
    if (cut !== null) {
      s = cut;
      continue;
    }
    answered.add(action.key);
    const all = m.outcomes(action);
    const later = walk.picks[(n + 7) % walk.picks.length] ?? 0;
    const chosen = later % 10 < 6 ? walk.mood : pick;
    const outcome = all[chosen % all.length];
    if (!outcome) throw new Error(`the subject has no outcome for ${action.kind} ${action.key}`);
    s = m.apply(s, action, outcome);
  }
  throw new InvariantViolation(`it did not end within ${subject.bound} steps (now in ${s.at.stage})`);
}

const walks = (bound: number): fc.Arbitrary<Walk> =>
  fc.record({
    file: fc.nat(99),
    mood: fc.nat(99),
    picks: fc.array(fc.nat(99), { minLength: 40, maxLength: 40 }),
    // most runs of a machine are shorter than its bound: half of the disturbances come early
    pauseAt: fc.oneof(fc.nat(8), fc.nat(2 * bound)),
    reloadAt: fc.oneof(fc.nat(8), fc.nat(2 * bound)),
    cutAt: fc.oneof(fc.nat(8), fc.nat(2 * bound)),
  });

export type Effort = { readonly runs: number; readonly seed?: number };
/** `share`: so many times the walks of the others. */
export type Claim = { readonly name: string; readonly holds: Holds; readonly share?: number };

/** A claim about every state of every walk. */
const everywhere = (
  name: string,
  look: (m: Seen, subject: Plain) => (step: Step) => void,
  { share = 1, after }: { share?: number; after?: (subject: Plain, passed: Passed) => void } = {},
): Claim => ({
  name,
  share,
  holds(given, { runs, seed }) {
    const subject = given as unknown as Plain;
    const m = seen(subject);
    const see = look(m, subject);
    const passed: Passed = { stages: new Map(), reloaded: new Set(), paused: new Set(), pairs: 0 };
    fc.assert(
      fc.property(walks(subject.bound), (walk) => live(subject, m, walk, passed, see)),
      { numRuns: runs, ...(seed === undefined ? {} : { seed }) },
    );
    // A stage far from the start is rarely the one that chance disturbs: whatever was reached is paused and reloaded, too.
    const reached = Array.from(passed.stages.values());
    for (const { walk, n } of reached) {
      live(subject, m, { ...walk, pauseAt: n }, passed, see);
      live(subject, m, { ...walk, reloadAt: n }, passed, see);
    }
    // What chance reaches is no claim about the product: only the fixed walks have to come everywhere.
    if (!IS_EXPLORING) after?.(subject, passed);
  },
});

export const CLAIMS: readonly Claim[] = [
  everywhere(
    'always wants something or has a verdict, asks for nothing twice, ends, and the walks came through every stage',
    (_m, subject) => (step) => subject.invariant?.(step.s),
    {
      // Some stages are reached by few walks.
      share: 3,
      after(subject, passed) {
        const missing = (among: { has(stage: string): boolean }): string =>
          subject.reach.filter((stage: string) => !among.has(stage)).join(', ');
        const pausedInto: ReadonlySet<string> = new Set(subject.pausedInto);
        check(missing(passed.stages) === '', () => `no walk reached ${missing(passed.stages)}`);
        check(missing(passed.reloaded) === '', () => `no walk reloaded in ${missing(passed.reloaded)}`);
        const paused = { has: (stage: string): boolean => pausedInto.has(stage) || passed.paused.has(stage) };
        check(missing(paused) === '', () => `no walk paused in ${missing(paused)}`);
        check(!subject.isParallel || passed.pairs > 0, () => 'no walk saw two actions at a time');
      },
    },
  ),
  everywhere('is plain data in every state: what is stored is read back as it was', (m) => ({ s, actions }) => {
    same(asJson(s), s, () => `in ${s.at.stage} its state is not plain data`);
    same(m.stored(s), s, () => `in ${s.at.stage} its schemas change what was stored`);
    same(asJson(actions), actions, () => `in ${s.at.stage} it wants something that is not plain data`);
  }),
  everywhere('says the same twice, and asks for the same after a restart', (m) => ({ s, actions, pick }) => {
    same(m.actions(s), actions, () => `in ${s.at.stage} it wants something else when asked again`);
    same(m.actions(m.stored(s)), actions, () => `in ${s.at.stage} it wants something else after a restart`);
    for (const action of actions)
      for (const outcome of some(m.outcomes(action), pick))
        same(m.apply(s, action, outcome), m.apply(s, action, outcome), () => `${action.key} means two things`);
  }),
  everywhere('names every action once, and no key depends on what siblings came to', (m) => ({ s, actions, pick }) => {
    const keys = actions.map((a) => a.key);
    check(new Set(keys).size === keys.length, () => `in ${s.at.stage} two actions have one key: ${keys.join(', ')}`);
    for (const a of actions)
      for (const outcome of some(m.outcomes(a), pick)) {
        const after = m.actions(m.apply(s, a, outcome));
        for (const b of actions.filter((other) => other !== a)) {
          const isKept = after.some((x) => x.key === b.key);
          const renamed = after.find(
            (x) => !keys.includes(x.key) && isDeepStrictEqual({ ...x, key: '' }, { ...b, key: '' }),
          );
          check(isKept || !renamed, () => `${b.key} became ${renamed?.key ?? ''} when ${a.key} was answered`);
        }
      }
  }),
  everywhere('learns from every outcome: none leaves it where it was', (m) => ({ s, actions }) => {
    for (const action of actions)
      for (const outcome of m.outcomes(action))
        check(
          !isDeepStrictEqual(m.apply(s, action, outcome), s),
          () => `in ${s.at.stage} it ignores ${JSON.stringify(outcome)} of ${action.key}`,
        );
  }),
  everywhere(
    'comes to the same state whichever of two parallel actions answers first',
    (m) =>
      ({ s, actions, pick }) => {
        for (const a of actions)
          for (const b of actions.filter((other) => other !== a))
            for (const oa of some(m.outcomes(a), pick))
              for (const ob of some(m.outcomes(b), pick)) {
                const [ab, ba] = [m.apply(s, a, oa), m.apply(s, b, ob)];
                // who is not wanted any more was aborted: then there is no second order to compare
                const isBoth = m.actions(ab).some((x) => x.key === b.key) && m.actions(ba).some((x) => x.key === a.key);
                if (isBoth)
                  same(
                    m.apply(ab, b, ob),
                    m.apply(ba, a, oa),
                    () => `${a.key} and ${b.key} do not commute in ${s.at.stage}`,
                  );
              }
      },
  ),
  everywhere('stays ended when it has ended, whoever pauses', (m) => ({ s, actions }) => {
    if (actions.length > 0) return;
    same(m.wants(m.on(s, { type: 'pause' })), m.wants(s), () => 'a pause changed the verdict');
  }),
  everywhere(
    'can be begun anew from its file, or told that an action was cut, in every state',
    (m) =>
      ({ s, actions }) => {
        const fine = (x: S, how: string): void => {
          const next = m.wants(x);
          check('verdict' in next || next.length > 0, () => `${how} in ${s.at.stage} it is stuck in ${x.at.stage}`);
          same(m.stored(x), x, () => `${how} in ${s.at.stage} its state does not survive being stored`);
        };
        fine(m.on(m.placed(s.file), { type: 'life-started', life: 'machine#run-2' }), 'begun anew');
        for (const action of actions) {
          const cut = m.recover(s, action);
          if (cut === null) continue;
          fine(cut, 'cut');
          check(!isDeepStrictEqual(cut, s), () => `in ${s.at.stage} it ignores that ${action.key} was cut`);
        }
      },
  ),
];

/** Two of the outcomes, so that pairs of pairs stay cheap: the walks come by often enough. */
const some = (all: readonly object[], pick: number): readonly object[] => {
  const [one, two] = [all[pick % all.length], all[(pick * 7 + 3) % all.length]];
  return one === undefined || two === undefined ? [] : one === two ? [one] : [one, two];
};

export function machineConformance<F, At extends { readonly stage: string }, Mem, M extends ActionMap>(
  subject: Subject<F, At, Mem, M>,
  runs = amountOf(100, 200, 1_500),
): void {
  describe(`the ${subject.name} machine`, () => {
    // each claim throws where it is broken
    // oxlint-disable-next-line vitest/expect-expect
    test.each(CLAIMS)('$name', ({ holds, share = 1 }) => holds(subject, { runs: runs * share }));
  });
}
