// Agents that lie, stall, crash and cheat, as programs of their own (bench/liars): each gets one of the verdicts that are
// right, what is rejected leaves no trace, and the reason is named. docs/liars.md says how to write another one.
// A fixed sample of them plays in `npm test`, all of them and their variants with HARNESS_EXHAUSTIVE=1.
import { describe, expect, test, vi } from 'vitest';
import { allCards } from '../../bench/liars/card.ts';
import { judge, type Judgement } from '../../bench/liars/judge.ts';
import { harness } from '../../bench/liars/tools/harness.ts';
import { sampleOfRows } from '../support/effort.ts';
import { heldLevels } from '../support/levels.ts';
import { canPlay } from '../../bench/liars/world.ts';

/** Agents that this version judges wrongly, how, and why. Remove the row with the fix. */
const KNOWN_WRONG: { readonly [agent: string]: readonly [Judgement, string] } = {};

/** Agents that write outside their work tree: without a box that encloses them, only the verdict is checked. */
const REACHING_OUT: readonly string[] = [
  'baseline-emptied',
  'branch-moved',
  'checkpoint-deleted',
  'git-config-planted',
  'gitattributes-filter',
  'hook-planted',
  'info-attributes-filter',
  'late-writer',
  'outside',
];
const areEnclosed = (await heldLevels()).has('bwrap');

/** Played at the same time. */
vi.setConfig({ maxConcurrency: 2 });
const SAMPLE = { fast: 5, inCi: 9 };
const everybody = await allCards();
const cards = sampleOfRows(
  everybody.filter(({ world }) => canPlay(world)),
  SAMPLE.fast,
  SAMPLE.inCi,
);

for (const world of new Set(everybody.map((card) => card.world)))
  if (!canPlay(world))
    console.warn(`SKIPPED: agents that play on ${world}, which is not installed, or lies below the temporary folder`);

test('there are thirty liars at least, five honest ones, and every row of the table is an agent', () => {
  const isHonest = ({ name }: { readonly name: string }): boolean => name.startsWith('honest-');
  expect(everybody.filter((card) => !isHonest(card)).length).toBeGreaterThanOrEqual(30);
  expect(everybody.filter(isHonest).length).toBeGreaterThanOrEqual(5);
  expect(everybody.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(KNOWN_WRONG)));
});

describe(`the verdict is right, nothing else has changed, the reason is named`, () => {
  test.concurrent.each(cards)('$name: $does', async (card) => {
    const { name } = card;
    const result = await judge(card, harness);
    const shown = { judgement: result.judgement, verdict: result.verdict, differences: result.differences };
    if (!areEnclosed && REACHING_OUT.includes(name) && result.judgement === 'left behind') return;
    const known = KNOWN_WRONG[name];
    if (known !== undefined) {
      expect(shown, `${name} is judged rightly now: take its row away`).toMatchObject({ judgement: known[0] });
      return;
    }
    expect(shown, result.said).toMatchObject({ judgement: 'right', differences: [] });
    if (result.verdict !== 'land') expect(result.reasons.join(' '), result.said).toMatch(/[a-z]/);
  });
});
