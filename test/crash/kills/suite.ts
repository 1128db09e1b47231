// The real program, really killed: its whole process group, everything it started, or itself alone, at calls that a seed draws, again and
// again until it is done. Slower than crashes at single calls in one process, and without a way to cheat: no code of the killed program
// continues. 200 kills of groups with HARNESS_EXHAUSTIVE=1, 5,000 at night; each file of tests plays its share in a worker of its own.
import { expect, test } from 'vitest';
import { amountOf, IS_EXHAUSTIVE, IS_REPLAY, SEED } from '../../support/effort.ts';
import { lies } from '../scenarios.ts';
import { close, dieAndFinish, open, type Stage } from './mission.ts';
import { KINDS } from './processes.ts';
import { KILLED } from './scenarios.ts';

/** Of process groups, with or without what left them; those of the program alone come on top. */
const KILLS = amountOf(2, 8, 5_000);
/** In the fast suite one mission for each file; one that is brought back by its seed is played whole. */
const MOST_OF_ONE = IS_EXHAUSTIVE || IS_REPLAY ? Number.POSITIVE_INFINITY : 4;
/** A product that is broken need not be shown to be so all night. */
const MOST_WRONG = 5;

export const diesForReal = (from: number, of: number, file: string): void =>
  test(`killed at any of its calls, the program comes to the same end (${file})`, async () => {
    const began = performance.now();
    const share = KILLED.filter((_, at) => at % of === from);
    const opened = new Map<string, Stage>();
    const sum = { program: 0, group: 0, everything: 0, early: 0 };
    const wrong: string[] = [];
    let missions = 0;
    for (let seed = SEED; sum.group + sum.everything < KILLS / of && wrong.length < MOST_WRONG; seed += 1) {
      const scenario = share[seed % share.length] ?? lies;
      const stage = opened.get(scenario.name) ?? (await open(scenario));
      opened.set(scenario.name, stage);
      const done = await dieAndFinish(stage, { seed: seed * of + from, most: MOST_OF_ONE });
      missions += 1;
      for (const kind of KINDS) sum[kind] += done.kills[kind];
      sum.early += done.early;
      if (done.wrong.length === 0) continue;
      wrong.push([`HARNESS_SEED=${seed} plays it again in ${file}: ${scenario.name}`, ...done.wrong].join('\n'));
      // Whatever it left is not to be found in the next mission.
      opened.delete(scenario.name);
      await close(stage);
    }
    await Promise.all([...opened.values()].map(close));
    const kills = sum.program + sum.group + sum.everything;
    const each = ((performance.now() - began) / 1_000 / kills).toFixed(2);
    console.log(
      `${kills} kills in ${missions} missions, ${each} s each: ${sum.group} of the group, ${sum.everything} of everything, ` +
        `${sum.program} of the program alone; ${sum.early} before the run told anything`,
    );
    expect(wrong, wrong.join('\n')).toEqual([]);
  });
