// Durations as people write them: `90s`, `30m`, `4h`, `2d`.
import { entryOf } from './entry.ts';

const UNIT_MS: { readonly [unit: string]: number } = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds; 0 for what is no duration. */
export function durationMs(text: string): number {
  const [, number = '', unit = ''] = /^\s*(\d+(?:\.\d+)?)\s*([smhd])\s*$/.exec(text) ?? [];
  return Number(number) * (entryOf(UNIT_MS, unit) ?? 0);
}
