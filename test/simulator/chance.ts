// All chance of a mission comes from its seed: one stream for each who rolls dice, so that none disturbs another's.
import { sha256 } from '../../src/host/files.ts';
import { chanceOf } from '../support/effort.ts';

export type Dice = {
  /** From 0 to below 1. */
  roll(): number;
  /** True in this share of cases. */
  happens(share: number): boolean;
  /** Whole numbers, both ends included. */
  between(least: number, most: number): number;
  oneOf<T>(all: readonly T[]): T;
  /** By weight. */
  weighed<T extends string>(weights: { readonly [K in T]?: number }): T;
};

export function diceOf(seed: number, whose: string): Dice {
  const roll = chanceOf(Number.parseInt(sha256(`${seed} ${whose}`).slice(0, 8), 16));
  const between = (least: number, most: number): number => least + Math.floor(roll() * (most - least + 1));
  return {
    roll,
    happens: (share) => roll() < share,
    between,
    oneOf: (all) => all[between(0, all.length - 1)]!,
    weighed<T extends string>(weights: { readonly [K in T]?: number }) {
      const all = Object.entries(weights) as [T, number][];
      let left = roll() * all.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [one, weight] of all) if ((left -= weight) < 0) return one;
      return all[0]![0];
    },
  };
}
