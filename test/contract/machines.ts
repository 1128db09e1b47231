// What every machine must pass (docs/architecture.md, Machines): run on each machine by machines.test.ts.
// Random walks with a mood per run: uniform outcomes stay shallow, a mood reaches the deep stages. Reached stages are asserted.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ActionMap, ActionOf, Done, External, Machine, State } from '../../src/engine/types.ts';

export type Subject<F, At extends { readonly stage: string }, Mem, M extends ActionMap> = {
  readonly name: string;
  readonly machine: Machine<F, At, Mem, M>;
  readonly initial: F;
  /** What may come of an action: a weighted list of makers; `mood` picks a bias for the whole run. */
  outcomes(action: ActionOf<M>): readonly object[];
  /** Stages that the walks must have reached, so that they prove something. */
  readonly reach: readonly At['stage'][];
  /** No life takes more steps than this. */
  readonly bound: number;
};

type Walk = {
  readonly mood: number;
  readonly picks: readonly number[];
  readonly pauseAt: number;
  readonly reloadAt: number;
};
const walks: fc.Arbitrary<Walk> = fc.record({
  mood: fc.nat(9),
  picks: fc.array(fc.nat(99), { minLength: 40, maxLength: 40 }),
  pauseAt: fc.nat(40),
  reloadAt: fc.nat(40),
});

export function machineConformance<F, At extends { readonly stage: string }, Mem, M extends ActionMap>(
  subject: Subject<F, At, Mem, M>,
): void {
  type S = State<F, At, Mem>;
  const { machine: m } = subject;
  const wants = (s: S) => m.stages[s.at.stage as At['stage']].wants(s as never);
  const apply = (s: S, action: ActionOf<M>, outcome: object): S =>
    (m.stages[s.at.stage as At['stage']] as unknown as { apply(s: S, d: Done<M>): S }).apply(s, {
      kind: action.kind,
      key: action.key,
      action,
      outcome,
      at: '2026-01-01T00:00:00.000Z',
    });
  const stored = (s: S): S => {
    const text = JSON.stringify(s);
    const raw = JSON.parse(text) as S;
    return { file: m.file.parse(raw.file), ...m.position.parse({ at: raw.at, mem: raw.mem }) };
  };
  const on = (s: S, event: External): S => m.on?.(s, event) ?? s;
  const start = (): S => on({ file: subject.initial, ...m.place(subject.initial) }, { type: 'life-started' });

  /** One life. Calls `see` with every state; answers the states passed. */
  const live = (walk: Walk, see: (s: S, actions: readonly ActionOf<M>[]) => void): number => {
    let s = start();
    for (let n = 0; n < subject.bound; n += 1) {
      if (n === walk.pauseAt) s = on(s, { type: 'pause' });
      if (n === walk.reloadAt) s = on({ file: s.file, ...m.place(s.file) }, { type: 'life-started' });
      const next = wants(s);
      if ('verdict' in next) {
        see(s, []);
        return n;
      }
      see(s, next);
      const action = next[(walk.picks[n % 40] ?? 0) % next.length];
      if (!action) throw new Error(`${subject.name} is stuck in ${s.at.stage}: it wants nothing and has no verdict`);
      const all = subject.outcomes(action);
      const pick = (walk.picks[(n + 7) % 40] ?? 0) % 10 < 6 ? walk.mood : (walk.picks[(n + 3) % 40] ?? 0);
      s = apply(s, action, all[pick % all.length] ?? {});
    }
    throw new Error(`${subject.name} did not end within ${subject.bound} steps (now in ${s.at.stage})`);
  };

  describe(`the ${subject.name} machine`, () => {
    test('always wants something or has a verdict, ends within its bound, and every state survives being stored', () => {
      const reached = new Set<string>();
      fc.assert(
        fc.property(walks, (walk) => {
          live(walk, (s, actions) => {
            reached.add(s.at.stage);
            expect(stored(s)).toEqual(JSON.parse(JSON.stringify(s)));
            expect(new Set(actions.map((a) => a.key)).size).toBe(actions.length);
          });
        }),
        { numRuns: 3_000 },
      );
      expect([...subject.reach].filter((stage) => !reached.has(stage))).toEqual([]);
    });

    test('says the same for the same state and asks for the same actions after a restart', () => {
      fc.assert(
        fc.property(walks, (walk) => {
          live(walk, (s, actions) => {
            const again = wants(stored(s));
            expect('verdict' in again ? [] : again).toEqual(JSON.parse(JSON.stringify(actions)));
          });
        }),
        { numRuns: 500 },
      );
    });

    test('comes to the same state whichever of two parallel actions answers first', () => {
      fc.assert(
        fc.property(walks, (walk) => {
          live(walk, (s, actions) => {
            const [a, b] = actions;
            if (!a || !b) return;
            const [oa, ob] = [subject.outcomes(a)[0] ?? {}, subject.outcomes(b)[0] ?? {}];
            const keys = (x: S): string[] => {
              const w = wants(x);
              return 'verdict' in w ? [] : w.map((k) => k.key);
            };
            const [ab, ba] = [apply(s, a, oa), apply(s, b, ob)];
            if (keys(ab).includes(b.key) && keys(ba).includes(a.key))
              expect(apply(ab, b, ob)).toEqual(apply(ba, a, oa));
          });
        }),
        { numRuns: 500 },
      );
    });

    test('changes no state it was given', () => {
      const freeze = <T>(value: T): T => {
        if (value !== null && typeof value === 'object') Object.values(Object.freeze(value)).forEach(freeze);
        return value;
      };
      fc.assert(
        fc.property(walks, (walk) => {
          live(walk, (s) => void freeze(s));
        }),
        { numRuns: 200 },
      );
    });
  });
}
