// What the harness costs, as ratios and milliseconds from one run: `npm run bench`, `npm run bench -- --json`, and
// `--quick` for a fifth of the repetitions. Numbers of different machines or days are not comparable; the ratios are.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { measureChoice } from './choice.ts';
import { measureMoments } from './moments.ts';
import { measurePrompt } from './prompt.ts';
import { measureRecovery, measureReplay } from './recovery.ts';
import { measureSandbox } from './sandbox.ts';
import { measureSimulator } from './simulator.ts';
import { measureSessions, type SessionCost } from './session.ts';
import { measureStartup } from './startup.ts';
import { measureStrength } from './strength.ts';

const { values } = parseArgs({ options: { json: { type: 'boolean' }, quick: { type: 'boolean' } } });
const times = (n: number): number => (values.quick ? Math.max(3, Math.ceil(n / 5)) : n);

if (!existsSync(join(import.meta.dirname, '..', 'dist', 'cli.mjs'))) {
  console.error('build first: npm run build');
  process.exit(1);
}

const startup = [10, 10_000].map((features) => measureStartup(features, times(25)));
const choice = [100, 10_000, 100_000].map((features) => measureChoice(features, times(25)));
const session = measureSessions(20, times(15));
const large = measureSessions(10_000, times(3));
const prompt = await Promise.all([5, 500, 10_000].map(measurePrompt));
const sandbox = await measureSandbox(times(25));
const moments = await measureMoments(10_000, times(9));
const strength = await measureStrength(40, times(9));
const recovery = await measureRecovery([10, 1_000, 10_000], times(9));
const replayed = measureReplay(500_000);
const simulated = await measureSimulator(times(60));
const memory = { statusMb: startup.at(-1)?.peakMb ?? NaN, runMb: large.peakMb };

if (values.json)
  console.log(
    JSON.stringify({
      node: process.version,
      startup,
      choice,
      session,
      large,
      memory,
      moments,
      prompt,
      sandbox,
      simulated,
      strength,
      recovery,
      replayed,
    }),
  );
else print();

type Row = readonly [what: string, value: string, aim?: string];

function print(): void {
  table(
    'Start-up: status --json over node -e 0, medians of interleaved pairs',
    startup.map(({ features, ratio, statusMs, nodeMs }): Row => [
      `${count(features)} features`,
      `${ratio.toFixed(2)} ×  (${ms(statusMs)} over ${ms(nodeMs)})`,
      '≤ 2.5',
    ]),
  );
  table(
    'Choosing the next feature, loading aside',
    choice.map(({ features, selectMs, loadMs }): Row => [
      `${count(features)} features`,
      `${selectMs.toFixed(2)} ms  (loading and checking the file: ${ms(loadMs)})`,
      features === 10_000 ? '< 10 ms' : '',
    ]),
  );
  table(`Own time of a session, agent and tests that take no time (20 features, medians of ${session.sessions})`, [
    [
      'own time',
      `${ms(session.ownMs)}  (wall ${ms(session.wallMs)}, agent and checks ${ms(session.childrenMs)})`,
      '≤ 150 ms',
    ],
    ...parts(session),
    ['git processes', `${session.gitCount}`],
    ['synced writes', `${session.syncCount}`],
    ['shell loop, same agent, tests and commit', ms(session.shellMs)],
    ['ratio to it', `${session.ratioToShell.toFixed(1)} ×`],
  ]);
  table('At 10,000 features', [
    ['own time of a session', ms(large.ownMs)],
    ...parts(large),
    ['peak memory of run', `${memory.runMb.toFixed(0)} MB`],
    ['peak memory of status', `${memory.statusMb.toFixed(0)} MB`],
  ]);
  table(`Verification over the bare test commands (${strength.tests} old test files, ${ms(strength.bareMs)} bare)`, [
    ['checks alone', `${strength.checksRatio.toFixed(2)} ×`],
    ['with proofs, no old test changed', `${strength.plainRatio.toFixed(2)} ×`, '≤ 1.3'],
    ['an old test changed: replayed too', `${strength.frozenRatio.toFixed(2)} ×`],
    ['with up to eight small faults', `${strength.mutationRatio.toFixed(2)} ×`],
    ...Object.entries(strength.proofs).map(([proof, ratio]): Row => [
      `  what "${proof}" runs`,
      `${ratio.toFixed(2)} ×`,
    ]),
  ]);
  const [few] = recovery;
  table('Going on after kill -9, until the agent is at work again (medians of interleaved rounds)', [
    ...recovery.map(({ finished, resumeMs }): Row => [
      `${count(finished)} items finished`,
      `${ms(resumeMs)}  (${(resumeMs / (few?.resumeMs ?? NaN)).toFixed(2)} ×)`,
      finished === few?.finished ? '' : '≤ 1.1 ×',
    ]),
    ['journal read back', `${count(replayed)} events/s`, '≥ 500,000'],
  ]);
  table(
    'Orientation summary',
    prompt.map(({ features, tokens }): Row => [`${count(features)} features`, `${tokens} tokens`, '< 1,000']),
  );
  table(`Simulator: ${simulated.missions} missions of up to ten hours, by the product's own machines`, [
    [
      'simulated',
      `${count(Math.round(simulated.hoursAMinute))} hours a minute  (${count(Math.round(simulated.ofProcessor))} a minute of processor)`,
      '≥ 1,000',
    ],
  ]);
  table(
    'Sandbox: one command over the same at level none, medians of interleaved rounds',
    sandbox.flatMap(({ level, probeMs, shellMs, shellRatio, nodeMs, nodeRatio }): Row[] => [
      [`${level}, an empty shell`, `${shellRatio.toFixed(2)} ×  (${ms(shellMs)})`],
      [`${level}, an empty Node`, `${nodeRatio.toFixed(2)} ×  (${ms(nodeMs)})`],
      [`${level}, finding that it holds`, ms(probeMs)],
    ]),
  );
}

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

function count(value: number): string {
  return value.toLocaleString('en');
}
