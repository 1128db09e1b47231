// Missions of ten hours and more on a virtual clock: the product's driver, machines, procedures, gates, waits and monitor, with agents, people,
// crashes and outages drawn from the seed of the mission. A rule that is broken names the seed that breaks it again.
import { expect, test } from 'vitest';
import { amountOf, IS_EXHAUSTIVE, IS_NIGHT, IS_REPLAY, SEED } from '../support/effort.ts';
import { BEHAVIOURS } from './backlog-behaviours.ts';
import { playMission, type Report } from './mission.ts';
import { BEHAVIOURS as WORKFLOW_BEHAVIOURS } from './workflow/behaviours.ts';

/** In CI a few minutes' worth; at night thousands. */
const MISSIONS = amountOf(20, 120, 20_000);
const MOST_BROKEN = 5;

/** Each file of tests has a worker of its own: every core plays its share. `from`: which of `of` shares this is. */
export const breakNoRule = (from: number, of: number): void =>
  test(`missions of many hours break no rule (${from + 1} of ${of})`, () => playShare(from, of));

async function playShare(from: number, of: number): Promise<void> {
  const began = performance.now();
  const used = process.cpuUsage();
  const reports: Report[] = [];
  const broken: string[] = [];
  for (const seed of IS_REPLAY ? [SEED] : seedsOf(from, of)) {
    if (broken.length >= MOST_BROKEN) break;
    try {
      reports.push(await playMission(seed));
    } catch (error) {
      broken.push(`HARNESS_SEED=${seed}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    }
  }
  const minutes = (performance.now() - began) / 60_000;
  const { user, system } = process.cpuUsage(used);
  const sum = (of: (report: Report) => number): number => reports.reduce((all, one) => all + of(one), 0);
  const hours = sum((one) => one.hours);
  console.log(
    `${reports.length} missions, ${Math.round(hours)} hours (${Math.round(sum((one) => one.workedHours))} of agents at work), ` +
      `${sum((one) => one.ledger.landed.length)} landings, ${sum((one) => one.ledger.deaths)} deaths, ` +
      `${sum((one) => one.ledger.questions)} questions: ` +
      `${Math.round(hours / minutes)} hours a minute, ${Math.round((hours * 60_000_000) / (user + system))} a minute of processor`,
  );
  expect(broken, broken.join('\n')).toEqual([]);
  if (IS_EXHAUSTIVE && !IS_REPLAY) expect(unreached(reports)).toEqual([]);
}

const seedsOf = (from: number, of: number): readonly number[] =>
  Array.from({ length: Math.ceil((MISSIONS - from) / of) }, (_, n) => SEED + from + n * of);

/** Its hard questions; a patch is proposed in too few missions to be waited for, and what is committed is asked in too few of CI. */
const WORKFLOW_ANSWERS = [
  'spec: modify',
  'verify',
  'qa',
  ...(IS_NIGHT ? ['commit: code-only', 'commit: all'] : []),
].map((one) => `workflow-${one}`);

/** What proves nothing where it never happened. */
function unreached(reports: readonly Report[]): readonly string[] {
  const reached = new Set(reports.flatMap(({ ledger }) => [...ledger.acts.keys(), ...ledger.ends.keys()]));
  return [
    ...BEHAVIOURS,
    ...WORKFLOW_BEHAVIOURS,
    ...WORKFLOW_ANSWERS,
    'work in progress given up',
    'died',
    'stopped',
    'waiting',
    'parked',
    'unparked',
    'done: nothing-left',
    'paused: asked',
  ].filter((one) => !reached.has(one));
}
