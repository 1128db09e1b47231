// Names of runs: when they began, and something by chance, so that no two are one.
import { randomBytes } from 'node:crypto';
import type { Clock } from '../../host/clock.ts';

/** `r`: works on items and reads the inbox until it ends · `c`: applies what people asked for · `v`: only looks. */
export type RunKind = 'r' | 'c' | 'v';

export const runName = (clock: Clock, kind: RunKind): string =>
  `${kind}-${clock.iso().slice(0, 19).replace(/\D/g, '')}-${randomBytes(2).toString('hex')}`;

/** Whether a run of this name works on items. */
export const isWorking = (run: string | null): boolean => run?.startsWith('r-') ?? false;
