// The conformance suite bites: a sound machine passes every claim, each broken one is caught by the claim that is about it.
import { expect, describe, test } from 'vitest';
import { z } from 'zod';
import type { ActionOf, Machine, Stage } from '../../src/engine/types.ts';
import { CLAIMS, type Subject } from './machines.ts';

type M = {
  bake: readonly [{ readonly what: string }, { readonly made: boolean }];
  ask: readonly [{ readonly question: string }, { readonly option: 'eat' | 'again' }];
};
type File = {
  readonly made: readonly string[];
  readonly failures: number;
  readonly rounds: number;
  readonly last?: string;
};
type At =
  | { readonly stage: 'bake'; readonly open: readonly string[]; readonly tries: { readonly [what: string]: number } }
  | { readonly stage: 'serve' }
  | { readonly stage: 'end'; readonly why: string };
type Mem = { readonly paused: boolean };
type Bakery = Machine<File, At, Mem, M>;
type At_<N extends At['stage']> = Extract<At, { readonly stage: N }>;
type Bake = Stage<File, At_<'bake'>, At, Mem, M>;
type Serve = Stage<File, At_<'serve'>, At, Mem, M>;
type BakeState = Parameters<Bake['apply']>[0];

const fresh = { bread: 0, cake: 0 };
const both: At = { stage: 'bake', open: ['bread', 'cake'], tries: fresh };
const over = (why: string): At => ({ stage: 'end', why });

const bake: Bake = {
  wants: (s) =>
    s.at.open.map((what) => ({ kind: 'bake', key: `${what}-${s.file.rounds}-${s.at.tries[what] ?? 0}`, what })),
  apply(s, done) {
    if (done.kind !== 'bake') return s;
    const { what } = done.action;
    const tried = (s.at.tries[what] ?? 0) + 1;
    if (!done.outcome.made && tried < 3)
      return {
        ...s,
        file: { ...s.file, failures: s.file.failures + 1 },
        at: { ...s.at, tries: { ...s.at.tries, [what]: tried } },
      };
    const open = s.at.open.filter((o) => o !== what);
    const made = done.outcome.made ? [...s.file.made, what].sort() : s.file.made;
    return { ...s, file: { ...s.file, made }, at: open.length === 0 ? { stage: 'serve' } : { ...s.at, open } };
  },
  recover(s, action) {
    const what = action.kind === 'bake' ? action.what : '';
    return { ...s, at: { ...s.at, tries: { ...s.at.tries, [what]: (s.at.tries[what] ?? 0) + 1 } } };
  },
};
const serve: Serve = {
  wants: (s) => [{ kind: 'ask', key: `serve-${s.file.rounds}`, question: 'serve?' }],
  apply(s, done) {
    if (done.kind !== 'ask') return s;
    if (done.outcome.option === 'eat' || s.file.rounds >= 2) return { ...s, at: over(done.outcome.option) };
    return { ...s, file: { ...s.file, rounds: s.file.rounds + 1 }, at: both };
  },
};
const bakery: Bakery = {
  name: 'bakery',
  version: 1,
  file: z.object({
    made: z.array(z.string()),
    failures: z.number(),
    rounds: z.number(),
    last: z.string().exactOptional(),
  }),
  position: z.object({
    at: z.discriminatedUnion('stage', [
      z.object({ stage: z.literal('bake'), open: z.array(z.string()), tries: z.record(z.string(), z.number()) }),
      z.object({ stage: z.literal('serve') }),
      z.object({ stage: z.literal('end'), why: z.string() }),
    ]),
    mem: z.object({ paused: z.boolean() }),
  }),
  place: (file) => ({ at: file.made.length > 0 ? { stage: 'serve' } : both, mem: { paused: false } }),
  on: (s, event) =>
    event.type === 'pause' && s.at.stage !== 'end' ? { ...s, mem: { paused: true }, at: over('paused') } : s,
  stages: { bake, serve, end: { wants: (s) => ({ verdict: 'done', reason: s.at.why }), apply: (s) => s } },
};
const subjectOf = (machine: Bakery): Subject<File, At, Mem, M> => ({
  name: machine.name,
  machine,
  files: [
    { made: [], failures: 0, rounds: 0 },
    { made: ['bread'], failures: 1, rounds: 1 },
  ],
  outcomes: (action) =>
    action.kind === 'bake' ? [{ made: true }, { made: false }] : [{ option: 'eat' }, { option: 'again' }],
  reach: ['bake', 'serve', 'end'],
  bound: 30,
  isParallel: true,
});
const withBake = (stage: Partial<Bake>): Bakery => ({
  ...bakery,
  stages: { ...bakery.stages, bake: { ...bake, ...stage } },
});
const withServe = (stage: Partial<Serve>): Bakery => ({
  ...bakery,
  stages: { ...bakery.stages, serve: { ...serve, ...stage } },
});
const withKey = (key: (s: BakeState, what: string) => string): Bakery =>
  withBake({ wants: (s) => s.at.open.map((what): ActionOf<M> => ({ kind: 'bake', key: key(s, what), what })) });
const tried = (s: BakeState, what: string): string => `${what}-${s.file.rounds}-${s.at.tries[what] ?? 0}`;
let calls = 0;
const withUndefined = (file: File): File => Object.assign({}, file, { last: undefined });

/** What is broken · a word of the claim that must catch it · the machine. */
const MUTANTS: readonly (readonly [string, string, Bakery])[] = [
  [
    'ignores that baking failed',
    'learns',
    withBake({ apply: (s, d) => (d.kind === 'bake' && !d.outcome.made ? s : bake.apply(s, d)) }),
  ],
  [
    'ignores an answer',
    'learns',
    withServe({ apply: (s, d) => (d.kind === 'ask' && d.outcome.option === 'again' ? s : serve.apply(s, d)) }),
  ],
  [
    'tries for ever under new keys',
    'ends',
    withBake({
      apply: (s, d) =>
        d.kind === 'bake' && !d.outcome.made
          ? { ...s, at: { ...s.at, tries: { ...s.at.tries, [d.action.what]: (s.at.tries[d.action.what] ?? 0) + 1 } } }
          : bake.apply(s, d),
    }),
  ],
  [
    'has no limit of rounds',
    'ends',
    withServe({
      apply: (s, d) =>
        d.kind === 'ask' && d.outcome.option === 'again'
          ? { ...s, file: { ...s.file, rounds: s.file.rounds + 1 }, at: both }
          : serve.apply(s, d),
    }),
  ],
  [
    'asks again under a key that was answered',
    'ends',
    withServe({ wants: () => [{ kind: 'ask', key: 'serve', question: '' }] }),
  ],
  ['wants nothing in a stage', 'always wants', withServe({ wants: () => [] })],
  [
    'never reaches a stage',
    'always wants',
    {
      ...withBake({
        apply(s, d) {
          const after = bake.apply(s, d);
          return after.at.stage === 'serve' ? { ...after, at: over('not served') } : after;
        },
      }),
      place: () => ({ at: both, mem: { paused: false } }),
    },
  ],
  [
    'goes to a stage that is not in its table',
    'always wants',
    withServe({
      apply: (s) => ({ ...s, at: { stage: 'cellar' } as unknown as At }),
    }),
  ],
  [
    'is stuck after a pause',
    'always wants',
    { ...bakery, on: (s, e) => (e.type === 'pause' ? { ...s, at: { ...both, open: [] } } : s) },
  ],
  [
    'does one thing after the other',
    'always wants',
    withBake({
      wants: (s) => (bake.wants(s) as readonly ActionOf<M>[]).slice(0, 1),
    }),
  ],
  [
    'has two actions with one key',
    'names every action once',
    withKey((s) => `bake-${s.file.rounds}-${s.file.failures}`),
  ],
  ['has keys that depend on siblings', 'siblings', withKey((s, what) => `${what}-${s.file.rounds}-${s.file.failures}`)],
  [
    'has keys by place in the list',
    'siblings',
    withKey((s, what) => `${s.at.open.indexOf(what)}-${s.file.rounds}-${s.at.tries[what] ?? 0}`),
  ],
  ['has keys that count its own calls', 'says the same', withKey((s, what) => `${tried(s, what)}-${(calls += 1)}`)],
  ['has the clock in its keys', 'says the same', withKey((s, what) => `${tried(s, what)}-${Date.now()}`)],
  [
    'has a date in what it wants',
    'says the same',
    withServe({ wants: (s) => [{ kind: 'ask', key: `serve-${s.file.rounds}`, question: new Date().toISOString() }] }),
  ],
  [
    'leaves an outcome to chance',
    'says the same',
    withServe({ apply: (s, d) => (Math.random() < 2 ? serve.apply(s, d) : s) }),
  ],
  [
    'means something else each time',
    'says the same',
    withServe({ apply: (s) => ({ ...s, at: over(`call ${(calls += 1)}`) }) }),
  ],
  [
    'keeps a set in its memory',
    'plain data',
    { ...bakery, place: (file) => ({ ...bakery.place(file), mem: { paused: false, seen: new Set([1]) } as Mem }) },
  ],
  [
    'keeps undefined in its file',
    'plain data',
    withServe({ apply: (s, d) => ({ ...serve.apply(s, d), file: withUndefined(s.file) }) }),
  ],
  [
    'keeps what its schema drops',
    'plain data',
    withServe({ apply: (s, d) => ({ ...serve.apply(s, d), mem: { ...s.mem, note: 'lost' } as Mem }) }),
  ],
  [
    'writes what its schema refuses',
    'plain data',
    withServe({ apply: (s, d) => ({ ...serve.apply(s, d), file: { ...s.file, rounds: '2' as unknown as number } }) }),
  ],
  [
    'wants something that is not data',
    'plain data',
    withServe({
      wants: (s) => [{ kind: 'ask', key: `serve-${s.file.rounds}`, question: undefined as unknown as string }],
    }),
  ],
  [
    'changes the state it was given',
    'always wants',
    withBake({
      apply(s, d) {
        (s.file as { failures: number }).failures += 1;
        return bake.apply(s, d);
      },
    }),
  ],
  [
    'changes the action it was given',
    'always wants',
    withBake({
      apply(s, d) {
        (d.action as { key: string }).key = 'mine';
        return bake.apply(s, d);
      },
    }),
  ],
  [
    'remembers who came last',
    'whichever of two',
    withBake({ apply: (s, d) => ({ ...bake.apply(s, d), file: { ...bake.apply(s, d).file, last: d.key } }) }),
  ],
  [
    'keeps a list in the order of arrival',
    'whichever of two',
    withBake({
      apply(s, d) {
        const after = bake.apply(s, d);
        return d.kind === 'bake' && d.outcome.made
          ? { ...after, file: { ...after.file, made: [...s.file.made, d.action.what] } }
          : after;
      },
    }),
  ],
  [
    'is woken from its end by a pause',
    'stays ended',
    { ...bakery, on: (s, e) => (e.type === 'pause' ? { ...s, at: over('paused') } : s) },
  ],
  [
    'cannot be placed by a file it wrote itself',
    'begun anew',
    {
      ...bakery,
      place(file) {
        if (file.rounds > 1) throw new Error('never seen that');
        return bakery.place(file);
      },
    },
  ],
  ['ignores that an action was cut', 'was cut', withBake({ recover: (s) => s })],
  ['is stuck when an action was cut', 'was cut', withBake({ recover: (s) => ({ ...s, at: { ...s.at, open: [] } }) })],
];

/** The names of the claims that a machine breaks. */
const broken = (subject: Subject<File, At, Mem, M>): readonly string[] =>
  CLAIMS.filter(({ holds }) => {
    try {
      holds(subject, { runs: 150, seed: 7 });
      return false;
    } catch {
      return true;
    }
  }).map(({ name }) => name);

describe('the conformance suite', () => {
  test('finds nothing on a sound machine', () => {
    expect(broken(subjectOf(bakery))).toEqual([]);
  });

  test.each(MUTANTS)('catches a machine that %s', (_what, claim, machine) => {
    expect(broken(subjectOf(machine)).join('\n')).toContain(claim);
  });

  test('has a mutant for every claim', () => {
    const idle = CLAIMS.filter(({ name }) => !MUTANTS.some(([, claim]) => name.includes(claim)));
    expect(idle.map(({ name }) => name)).toEqual([]);
  });
});
