// The rules of the simulator bite: with one promise of the product broken on purpose, a mission breaks the rule that guards it. The
// seeds are fixed: what is tested here is the simulator.
import { expect, test } from 'vitest';
import type { Mutant } from './mission.ts';
import { isWorkflow } from './draw.ts';
import { playLanes } from './lanes-kind.ts';
import { playMission } from './mission.ts';
import { withFiles } from './repository.ts';

const MOST_MISSIONS = 80;

type Case = {
  readonly name: string;
  /** What the violation is to say, or whatever else a harness that is broken like this stumbles over. */
  readonly rule: RegExp;
  readonly mutant: Mutant;
  /** It is one of the workflow: no other missions are played. */
  readonly ofWorkflow?: true;
  /** The same of missions with several lanes. */
  readonly ofLanes?: true;
  /** The first seed that is tried: one whose mission met what is broken when this was written. */
  readonly from: number;
};
const MUTANTS: readonly Case[] = [
  {
    name: 'nobody watches the budget while an agent works',
    from: 7,
    rule: /^a budget is never exceeded/,
    mutant: { rules: (rules) => ({ ...rules, left: { usd: null, tokens: null, minutes: null } }) },
  },
  {
    name: 'checks believe what is claimed',
    from: 2,
    rule: /^what lands is true/,
    mutant: {
      performers: (all) => ({
        ...all,
        check: {
          ...all.check,
          async perform(ask, context) {
            const verdict = await all.check.perform(ask, context);
            return 'problems' in verdict ? { ...verdict, holds: true, problems: [], regressions: [] } : verdict;
          },
        },
      }),
    },
  },
  {
    name: 'what lands need not be what was checked',
    from: 3,
    rule: /^what lands is true/,
    mutant: { takesAnyTree: true },
  },
  {
    name: 'work that is taken back is not kept',
    from: 1,
    rule: /^(nothing written is lost|rejected work is kept)/,
    mutant: {
      performers: (all, { mission: { repo } }) => ({
        ...all,
        rollback: {
          ...all.rollback,
          async perform(ask) {
            const before = repo.refs.get(ask.checkpoint.ref);
            repo.work = withFiles(before?.tree ?? repo.work, {});
            repo.head = ask.checkpoint.head;
            return { attempt: null, head: ask.checkpoint.head };
          },
        },
      }),
    },
  },
  {
    name: 'lines of the journal are not durable when they are said to be',
    from: 12,
    rule: /./,
    mutant: { forgets: /items\/[^/]*\.jsonl$/ },
  },
  {
    name: 'a wait has no bound',
    from: 5,
    rule: /^every wait ends/,
    mutant: {
      performers: (all) => ({
        ...all,
        wait: {
          ...all.wait,
          perform: (ask, context) => all.wait.perform({ ...ask, delayMs: ask.delayMs * 400 }, context),
        },
      }),
    },
  },
  {
    name: 'nobody looks at the quota before a session',
    from: 5,
    rule: /^no session begins at the end of a quota/,
    mutant: {
      performers: (all) => ({
        ...all,
        'choose-agent': { ...all['choose-agent'], perform: async () => ({ agent: 0, wall: null }) },
      }),
    },
  },
  {
    name: 'what a session cost is counted again under another name',
    from: 1,
    rule: /^costs recorded are costs spent/,
    mutant: {
      performers: (all) => ({
        ...all,
        remember: {
          ...all.remember,
          async perform(ask, context) {
            if (ask.what === 'costs') await all.remember.perform({ ...ask, session: ask.session - 1 }, context);
            return all.remember.perform(ask, context);
          },
        },
      }),
    },
  },
];

const WORKFLOW: readonly Case[] = [
  {
    name: 'a hard question answers itself',
    from: 6,
    rule: /^no hard gate is passed/,
    mutant: {
      performers: (all, { mission: { time } }) => ({
        ...all,
        ask: {
          ...all.ask,
          perform: async ({ recommended }) => ({ option: recommended, note: '', by: 'nobody', at: time.clock.iso() }),
        },
      }),
    },
  },
  {
    name: 'a gate is skipped on resume, since an agent wrote that it was passed',
    from: 870,
    rule: /^(no hard gate is passed|what is judged was verified|nobody but the harness|state is legible|a number)/,
    mutant: { believesAgents: true },
  },
  {
    name: 'it is proved though Layer 1 failed',
    from: 15,
    rule: /^(no hard gate is passed|what lands is true)/,
    mutant: {
      performers: (all) => ({
        ...all,
        check: {
          ...all.check,
          async perform(ask, context) {
            const verdict = await all.check.perform(ask, context);
            if (!('problems' in verdict)) return verdict;
            const checks = verdict.checks.map((one) => ({ ...one, passed: true, exit: 0 }));
            return { ...verdict, holds: true, problems: [], checks };
          },
        },
      }),
    },
  },
  {
    name: 'what a person chose at the end is committed twice',
    from: 7,
    rule: /^nothing lands twice/,
    mutant: {
      performers: (all) => ({
        ...all,
        commit: {
          ...all.commit,
          async perform(ask, context) {
            await all.commit.perform(ask, context);
            return all.commit.perform(ask, { ...context, token: `${context.token}/again` });
          },
        },
      }),
    },
  },
];

const LANES: readonly Case[] = [
  {
    name: 'work is not proved with what others landed meanwhile',
    from: 1,
    rule: /^what lands is true/,
    mutant: { landsUnproved: true },
  },
  {
    name: 'an item that was overtaken does not land before others',
    from: 1,
    rule: /^an item is overtaken once/,
    mutant: { lanes: (lanes) => ({ ...lanes, takeTurn: () => Promise.resolve() }) },
  },
];

const ALL: readonly Case[] = [
  ...MUTANTS,
  ...WORKFLOW.map((one) => ({ ...one, ofWorkflow: true as const })),
  ...LANES.map((one) => ({ ...one, ofLanes: true as const })),
];

test.each(ALL)('a mission does not come through where $name', async ({ rule, mutant, ofWorkflow, ofLanes, from }) => {
  const play = (seed: number, how: { readonly mutant?: Mutant } = {}) =>
    ofLanes ? playLanes(seed, how) : playMission(seed, how);
  const seeds = Array.from({ length: MOST_MISSIONS * 4 }, (_, n) => from + n)
    .filter((seed) => !ofWorkflow || isWorkflow(seed))
    .slice(0, MOST_MISSIONS);
  for (const seed of seeds) {
    const found = await play(seed, { mutant }).then(
      () => '',
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    if (found === '') continue;
    expect(found).toMatch(rule);
    // It is the mutant that is noticed: the same mission comes through without it.
    await play(seed);
    return;
  }
  expect.unreachable(`no mission of ${seeds.length} noticed it`);
});

test('a mission is the same whenever it is played', async () => {
  for (const seed of [3, 14, 34]) {
    const [one, two] = [await playMission(seed), await playMission(seed)];
    expect(two.jumps).toBe(one.jumps);
    expect(two.ledger).toEqual(one.ledger);
  }
});
