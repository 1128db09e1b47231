// What the harness costs, as ratios and milliseconds from one run: `npm run bench`, `npm run bench -- --json`, and
// `--quick` for a fifth of the repetitions. `--history` adds sessions with a thousand finished ones behind, which takes a
// quarter of an hour, `--lanes` 24 items of ten seconds with 1, 2, 4 and 8 lanes, and a thousand that land. `--prefixes` measures that alone: how much
// of the input of a mission of 50 features with the real Claude program a model server could serve from a cache; the program is installed on first use.
// Numbers of different machines or days are not comparable; the ratios are.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { measureChoice } from './choice.ts';
import { measureLandings, measureLanes } from './lanes.ts';
import { measureMoments } from './moments.ts';
import { measurePrefixes } from './prefixes.ts';
import { measurePrompt } from './prompt.ts';
import { measureRecovery, measureReplay } from './recovery.ts';
import { measureSandbox } from './sandbox.ts';
import { measureSimulator } from './simulator.ts';
import { measureHistory, measureSessions, type SessionCost } from './session.ts';
import { measureStartup } from './startup.ts';
import { measureVerification } from './verification.ts';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean' },
    quick: { type: 'boolean' },
    history: { type: 'boolean' },
    lanes: { type: 'boolean' },
    prefixes: { type: 'boolean' },
  },
});
const times = (n: number): number => (values.quick ? Math.max(3, Math.ceil(n / 5)) : n);

if (!existsSync(join(import.meta.dirname, '..', 'dist', 'cli.mjs'))) {
  console.error('build first: npm run build');
  process.exit(1);
}

if (values.prefixes) process.exit(measurePrefixes());

type Row = readonly [what: string, value: string, aim?: string];

type Measured = { [name: string]: unknown };
const measured: Measured = { node: process.version };
/** Prints a figure as soon as it is there. */
function report<T>(name: string, value: T, title: (value: T) => string, rows: (value: T) => readonly Row[]): T {
  measured[name] = value;
  if (!values.json) table(title(value), rows(value));
  return value;
}

report(
  'verification',
  measureVerification(40),
  ({ tests, bareMs }) =>
    `Verification over the item's test and the suite (${tests} old test files, ${ms(bareMs)} bare, real sessions)`,
  ({ firstRatio, plainRatio, touchedRatio, parts: each }) => [
    ['a session', `${plainRatio.toFixed(2)} ×`, '≤ 1.4'],
    ...Object.entries(each).map(([name, ratio]): Row => [`  of it ${name}`, `${ratio.toFixed(2)} ×`]),
    ['one old test touched', `${touchedRatio.toFixed(2)} ×`, '≤ 1.6'],
    ['the first session, with the first baseline', `${firstRatio.toFixed(2)} ×`],
  ],
);
report(
  'startup',
  [10, 10_000, 50_000].map((features) => measureStartup(features, features === 10_000 ? 1_000 : 0, times(25))),
  () => 'Start-up: commands that only look over node -e 0, medians of interleaved rounds',
  (all) =>
    all.flatMap(({ features, sessions, nodeMs, kept, computed, peakMb }): Row[] => [
      [`${count(features)} features, ${count(sessions)} sessions finished`, `node -e 0: ${ms(nodeMs)}`],
      ...Object.entries(kept).map(([line, one]): Row => [
        `  ${line}`,
        `${one.ratio.toFixed(2)} ×  (${ms(one.ms)})`,
        line === '--version' ? '≤ 1.3' : '≤ 1.5',
      ]),
      ['  status --json, computed', `${computed.ratio.toFixed(2)} ×  (${ms(computed.ms)}, ${peakMb.toFixed(0)} MB)`],
    ]),
);
report(
  'choice',
  [100, 10_000, 100_000].map((features) => measureChoice(features, times(25))),
  () => 'Choosing the next feature, loading aside',
  (all) =>
    all.map(({ features, selectMs, loadMs }): Row => [
      `${count(features)} features`,
      `${selectMs.toFixed(2)} ms  (loading and checking the file: ${ms(loadMs)})`,
      features === 10_000 ? '< 10 ms' : '',
    ]),
);
const sessionRows = (cost: SessionCost): readonly Row[] => [
  ['own processor time, all processes', ms(cost.ownCpuMs), '≤ 350 ms'],
  ['own wall time', `${ms(cost.ownMs)}  (wall ${ms(cost.wallMs)}, agent and checks ${ms(cost.childrenMs)})`],
  ...parts(cost),
  ['git processes', `${cost.gitCount}`, '≤ 15'],
  ['synced writes', `${cost.syncCount}`, '≤ 40'],
  ['shell loop, same agent, tests and commit', ms(cost.shellMs)],
  ['ratio to it', `${cost.ratioToShell.toFixed(1)} ×`],
  ['peak memory of run', `${cost.peakMb.toFixed(0)} MB`, '≤ 200 MB'],
];
report(
  'session',
  measureSessions(20, times(15)),
  ({ sessions }) => `Own time of a session, agent and tests that take no time (20 features, medians of ${sessions})`,
  sessionRows,
);
report('large', measureSessions(10_000, times(3)), () => 'The same at 10,000 features', sessionRows);
report(
  'recovery',
  await measureRecovery([10, 1_000, 10_000], times(9)),
  () => 'Going on after kill -9, until the agent is at work again (medians of interleaved rounds)',
  (all) =>
    all.map(({ finished, resumeMs }): Row => [
      `${count(finished)} items finished`,
      `${ms(resumeMs)}  (${(resumeMs / (all[0]?.resumeMs ?? NaN)).toFixed(2)} ×)`,
      finished === all[0]?.finished ? '' : '≤ 1.15 ×',
    ]),
);
report(
  'replayed',
  measureReplay(500_000),
  () => 'A journal read back',
  (lines) => [['events', `${count(lines)} a second`, '≥ 500,000']],
);
report(
  'prompt',
  await Promise.all([5, 500, 10_000].map(measurePrompt)),
  () => 'Orientation summary',
  (all) => all.map(({ features, tokens }): Row => [`${count(features)} features`, `${tokens} tokens`, '< 1,000']),
);
report(
  'simulated',
  await measureSimulator(times(60)),
  ({ missions }) => `Simulator: ${missions} missions of up to ten hours, by the product's own machines`,
  ({ hoursAMinute, ofProcessor }) => [
    [
      'simulated',
      `${count(Math.round(hoursAMinute))} hours a minute  (${count(Math.round(ofProcessor))} a minute of processor)`,
      '≥ 1,000',
    ],
  ],
);
report(
  'sandbox',
  await measureSandbox(times(25)),
  () => 'Sandbox: one command over the same at level none, medians of interleaved rounds',
  (all) =>
    all.flatMap(({ level, probeMs, shellMs, shellRatio, nodeMs, nodeRatio }): Row[] => [
      [`${level}, an empty shell`, `${shellRatio.toFixed(2)} ×  (${ms(shellMs)})`],
      [`${level}, an empty Node`, `${nodeRatio.toFixed(2)} ×  (${ms(nodeMs)})`],
      [`${level}, finding that it holds`, ms(probeMs)],
    ]),
);
report(
  'moments',
  await measureMoments(50_000, times(5)),
  ({ files, gitStatusMs }) =>
    `Keeping the work tree and going back to it, over git status (${count(files)} files, ${ms(gitStatusMs)})`,
  ({ gitStatusMs, checkpointMs, restoreMs }) => [
    ['checkpoint, 30 files changed', `${(checkpointMs / gitStatusMs).toFixed(1)} ×  (${ms(checkpointMs)})`, '≤ 3'],
    ['restore of 600 files', `${(restoreMs / gitStatusMs).toFixed(1)} ×  (${ms(restoreMs)})`, '≤ 5'],
  ],
);
if (values.history)
  report(
    'history',
    measureHistory([10, 1_000], 10),
    () => 'Own processor time of a session with finished ones behind it, all of one project',
    ({ behind: [few, many], ownCpuMs: [early, late], ratio }) => [
      [`${count(few)} behind`, ms(early)],
      [`${count(many)} behind`, `${ms(late)}  (${ratio.toFixed(2)} ×)`, '≤ 1.15 ×'],
    ],
  );
if (values.lanes) {
  report(
    'lanes',
    measureLanes(values.quick ? 8 : 24, values.quick ? 4 : 10, values.quick ? [1, 4] : [1, 2, 4, 8]),
    ({ items, waitSeconds }) => `${items} items at the same time, whose agents wait for ${waitSeconds} s each`,
    ({ runs }) =>
      runs.flatMap((one): Row[] => [
        [
          `${one.lanes} lanes`,
          `${(one.ms / 1_000).toFixed(1)} s  (efficiency ${one.efficiency.toFixed(2)})`,
          one.lanes === 4 ? '≥ 0.9' : one.lanes === 8 ? '≥ 0.8' : '',
        ],
        [
          '  processors',
          `${ms(one.cpuMsAnItem)} an item, ${percent(one.ownShare)} of the machine; others ${percent(one.otherShare)}`,
        ],
      ]),
  );
  report(
    'landings',
    measureLandings(4, values.quick ? [10, 50] : [10, 1_000], 20),
    ({ lanes }) => `An item whose agent takes no time, with ${lanes} lanes and so many landed before it`,
    ({ all }) =>
      all.map((one): Row => [
        `${count(one.behind)} landed before`,
        `${ms(one.ms)}  (processors ${ms(one.cpuMs)}; ${(one.ms / (all[0]?.ms ?? NaN)).toFixed(2)} ×)`,
        one.behind === all[0]?.behind ? '' : '≤ 1.15 ×',
      ]),
  );
}
if (values.json) console.log(JSON.stringify(measured));
/** Each instant counted once, in this order. */
function parts(cost: SessionCost): Row[] {
  return Object.entries(cost.parts).map(([name, taken]): Row => [`  of it ${name}`, ms(taken)]);
}

function table(title: string, rows: readonly Row[]): void {
  console.log(`\n${title}`);
  const width = Math.max(...rows.map(([what]) => what.length));
  for (const [what, value, aim = ''] of rows)
    console.log(`  ${what.padEnd(width)}  ${value}${aim === '' ? '' : `   aim ${aim}`}`);
}

function ms(value: number): string {
  return `${value.toFixed(value < 10 ? 1 : 0)} ms`;
}

const percent = (share: number): string => `${Math.round(share * 100)} %`;

function count(value: number): string {
  return value.toLocaleString('en');
}
