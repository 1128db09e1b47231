// Missions of two to four lanes on a virtual clock: several items at the same time, each in a work tree of its own, and one landing after another.
// Which of the actions at work is next is drawn from the seed, so is every crash, also in the middle of a landing.
import { expect, test } from 'vitest';
import { amountOf, IS_EXHAUSTIVE, IS_REPLAY, SEED } from '../support/effort.ts';
import { playLanes } from './lanes-kind.ts';
import type { Report } from './mission.ts';

const MISSIONS = amountOf(3, 8, 4_000);
const MOST_BROKEN = 5;

test('missions with lanes break no rule', async () => {
  const reports: Report[] = [];
  const broken: string[] = [];
  const seeds = IS_REPLAY ? [SEED] : Array.from({ length: MISSIONS }, (_, n) => SEED + n);
  for (const seed of seeds) {
    if (broken.length >= MOST_BROKEN) break;
    try {
      reports.push(await playLanes(seed));
    } catch (error) {
      broken.push(`HARNESS_SEED=${seed}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    }
  }
  const sum = (of: (report: Report) => number): number => reports.reduce((all, one) => all + of(one), 0);
  console.log(
    `${reports.length} missions with lanes, ${Math.round(sum((one) => one.hours))} hours, ${sum((one) => one.ledger.landed.length)} landings, ` +
      `${sum((one) => one.ledger.deaths)} deaths, ${sum((one) => one.ledger.questions)} questions`,
  );
  expect(broken, broken.join('\n')).toEqual([]);
  if (!IS_EXHAUSTIVE || IS_REPLAY) return;
  const reached = new Set(reports.flatMap(({ ledger }) => [...ledger.acts.keys(), ...ledger.ends.keys()]));
  const wanted = ['alone', 'shared', 'overtaken', 'a person commits', 'a person edits', 'parked', 'unparked', 'died'];
  expect([...wanted, 'landing-in-the-way', 'done: nothing-left'].filter((one) => !reached.has(one))).toEqual([]);
  expect(reports.some(({ ledger }) => ledger.most >= 3)).toBe(true);
});
