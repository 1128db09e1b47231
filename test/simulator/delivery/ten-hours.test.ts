// Ten hours and more without a person at the machine: forty plans with dependencies, agents of every kind, crashes, outages of agents and of the forge,
// checks that fail sometimes, other people's commits, and somebody who answers late. Time is simulated.
import { expect, test } from 'vitest';
import { amountOf, FIXED_SEED, IS_EXHAUSTIVE, SEED } from '../../support/effort.ts';
import { playMission, type Report } from '../mission.ts';
import { BEHAVIOURS } from './behaviours.ts';
import { CALM } from './calm.ts';
import { IDS } from './desk.ts';

const DELIVERIES = SEED === FIXED_SEED ? amountOf(1, 1, 300) : 1;
/** In CI until all is merged: about three days. */
const HOURS = amountOf(12, 1_000);

test('all plans that can be merged are, once each, and the rest has a reason', async () => {
  const reports: Report[] = [];
  for (let n = 0; n < DELIVERIES; n += 1) reports.push(await playMission(SEED + n, { hours: HOURS, as: CALM }));
  for (const { seed, hours, ledger } of reports)
    console.log(
      `seed ${seed}: ${ledger.landed.length} of ${IDS.length} merged in ${Math.round(hours)} hours, ${ledger.deaths} deaths, ` +
        `${ledger.questions} questions, ends: ${[...ledger.ends].map(([end, count]) => `${end} ${count}`).join(', ')}`,
    );
  // The rules hold for every seed: otherwise the mission had thrown. How far it comes is a fact of the seed: with slow agents and outages three plans are
  // merged in twelve hours (seed 5) and all of them in three days, and a person who never answers ends it early.
  if (SEED !== FIXED_SEED) return;
  expect(reports.every(({ hours }) => hours >= 10)).toBe(true);
  expect(reports.some(({ ledger }) => ledger.landed.length >= 5 && ledger.deaths > 0)).toBe(true);
  if (!IS_EXHAUSTIVE) return;
  const reached = new Set(reports.flatMap(({ ledger }) => [...ledger.acts.keys(), ...ledger.ends.keys()]));
  const wanted = ['honest', 'blemished', 'checks failed', 'forge unreachable', 'work in progress given up', 'died'];
  expect([...wanted, 'done: nothing-left'].filter((one) => !reached.has(one))).toEqual([]);
  expect([...reached].filter((one) => BEHAVIOURS.includes(one)).length).toBeGreaterThan(20);
});
