// The judge can fail: with a promise of the product broken on purpose a death breaks the rule that stands for it. What dies is chosen,
// so that few deaths are enough.
import { expect, test, vi } from 'vitest';
import type * as Windows from '../../../src/app/open/unfinished-sessions.ts';
import type { Performers } from '../../../src/engine/types.ts';
import type { RunContext } from '../../../src/loop/run-context.ts';
import type * as Performing from '../../../src/loop/performers/all.ts';
import type { Actions } from '../../../src/model/action.ts';
import type * as Resuming from '../../../src/playbooks/workflow/table/resume.ts';
import { sampleOfRows } from '../../support/effort.ts';
import { dieAndJudge } from '../quick/grid.ts';
import { DOCS } from './desk.ts';
import { judgeOf } from './holds.ts';
import { WORKFLOWS } from './scenarios.ts';

type Broken = {
  /** In place of the product's own. */
  readonly performers?: (all: Performers<Actions>, lane: RunContext) => Partial<Performers<Actions>>;
  readonly leavesWindows?: true;
  readonly stepsOverSpec?: true;
};
const now = vi.hoisted(() => ({ broken: {} as Broken }));

vi.mock('../../../src/loop/performers/all.ts', async (original) => {
  const { performersOf } = await original<typeof Performing>();
  return {
    performersOf(lane: RunContext, messages: never) {
      const all = performersOf(lane, messages);
      return Object.assign(all, now.broken.performers?.({ ...all }, lane));
    },
  };
});
vi.mock('../../../src/app/open/unfinished-sessions.ts', async (original) => {
  const real = await original<typeof Windows>();
  const restoreTamperGuards: typeof real.restoreTamperGuards = (...about) =>
    now.broken.leavesWindows ? { ok: true, value: null } : real.restoreTamperGuards(...about);
  return { ...real, restoreTamperGuards };
});
vi.mock('../../../src/playbooks/workflow/table/resume.ts', async (original) => {
  const real = await original<typeof Resuming>();
  const over = real.RESUME.map((row) => (row.to === 'spec-gate' ? { ...row, to: 'generate-ready' as const } : row));
  const resumed: typeof real.resumed = (file, facts, step, _tables, style) =>
    real.resumed(
      file,
      facts,
      step,
      { RESUME: now.broken.stepsOverSpec ? over : real.RESUME, NAMED: real.NAMED },
      style,
    );
  return { ...real, resumed };
});

/** Each request for a token gets another one. */
let times = 0;
const forgetful =
  <K extends 'commit' | 'patch'>(kind: K) =>
  (all: Performers<Actions>): Partial<Performers<Actions>> => ({
    [kind]: {
      ...all[kind],
      perform: (ask: never, context: { readonly token: string }) =>
        all[kind].perform(ask, { ...context, token: `${context.token}~${(times += 1)}` } as never),
    },
  });

type At = (call: string, n: number, all: readonly string[]) => boolean;
/** The calls around the last of these: so many before it, so many after it. */
const around =
  (call: RegExp, before: number, after: number): At =>
  (_, n, all) => {
    const last = all.findLastIndex((one) => call.test(one));
    return n >= last - before && n <= last + after && n !== last;
  };

type Mutant = {
  readonly name: string;
  readonly scenario: string;
  readonly at: At;
  /** What is said of it. */
  readonly rule: RegExp;
  readonly broken: Broken;
};
const MUTANTS: readonly Mutant[] = [
  {
    name: 'a question that is open when a run begins counts as answered',
    scenario: 'plan to commit, the code alone',
    at: around(/effect claim g-/, 0, 2),
    rule: /people were asked/,
    broken: {
      performers: ({ ask }) => ({
        ask: {
          ...ask,
          probe: ({ recommended }) =>
            Promise.resolve({ found: 'outcome', outcome: { option: recommended, note: '', by: '', at: '' } }),
        },
      }),
    },
  },
  {
    name: 'a run without a journal goes on behind the spec',
    scenario: 'found: a spec nobody has said anything to',
    at: () => false,
    rule: /ends with|people were asked|nobody agreed/,
    broken: { stepsOverSpec: true },
  },
  {
    name: 'papers are cleared away before anybody has said what is committed',
    scenario: 'plan to commit, the code alone',
    at: around(/effect claim g-/, 0, 1),
    rule: /spec\.md is gone in completed/,
    broken: {
      performers: ({ ask, tidy }) => ({
        ask: {
          ...ask,
          async perform(question, context) {
            const early = { kind: 'tidy', key: 'early', paths: [DOCS], keep: [] } as const;
            if (question.subject === 'workflow-commit') await tidy.perform(early, context);
            return ask.perform(question, context);
          },
        },
      }),
    },
  },
  {
    name: 'what is cleared away may come back',
    scenario: 'plan to commit, the code alone',
    at: (call) => call === 'effect check',
    rule: /it lands docs/,
    broken: {
      performers: ({ tidy }, lane) => ({
        tidy: {
          ...tidy,
          perform: async ({ paths }) => {
            for (const path of paths) lane.io.remove(`${lane.root}/${path.replace(/\/$/, '')}`);
            return { removed: paths.length };
          },
        },
      }),
    },
  },
  {
    name: 'a commit does not know itself again',
    scenario: 'plan to commit, with its papers',
    at: around(/effect git push/, 2, 0),
    rule: /committed 2 times|commits is|evidence is/,
    broken: { performers: forgetful('commit') },
  },
  {
    name: 'a patch is applied to whatever lies there',
    scenario: 'found: a fix that nobody has decided about',
    at: around(/effect git apply/, 0, 1),
    rule: /people were asked|ends with/,
    broken: {
      performers: (_, lane) => ({
        patch: {
          async perform({ diff }) {
            const done = await lane.io.effect('git apply', () =>
              lane.git.run(['apply', '--whitespace=nowarn', '-'], { stdin: diff }),
            );
            return { applied: done.ok, why: done.ok ? '' : 'it does not fit' };
          },
          probe: () => Promise.resolve({ found: 'nothing' }),
        },
      }),
    },
  },
  {
    name: 'what an agent wrote over the harness’s own files is believed by the next run',
    scenario: 'a generator that writes state.json',
    at: (_, n, all) => n === all.indexOf('agent midway', all.indexOf('agent midway') + 1) + 1,
    rule: /state-unreadable/,
    broken: { leavesWindows: true },
  },
];

test.each(sampleOfRows(MUTANTS, 2, 2))('$name: the judge says so', async ({ scenario: name, at, rule, broken }) => {
  const scenario = WORKFLOWS.find((one) => one.name === name);
  if (scenario === undefined) throw new Error(`there is no scenario "${name}"`);
  now.broken = broken;
  try {
    const { points, wrong } = await dieAndJudge(scenario, { most: 0, doubles: 0, at }, judgeOf(scenario));
    const noticed = wrong.filter((one) => rule.test(one));
    console.log(`${points} deaths, ${noticed.length} notices: ${noticed[0]?.slice(0, 200)}`);
    expect(noticed).not.toEqual([]);
  } finally {
    now.broken = {};
  }
});
