// Names of runs: kind, start time, and a random part.
import { randomBytes } from 'node:crypto';
import type { Clock } from '../../host/clock.ts';

/** `r`: works on items and reads the inbox · `c`: applies requested changes · `v`: verifies only. */
export type RunKind = 'r' | 'c' | 'v';

export const runName = (clock: Clock, kind: RunKind): string =>
  `${kind}-${clock.iso().slice(0, 19).replace(/\D/g, '')}-${randomBytes(2).toString('hex')}`;

/** Whether a run of this name works on items. */
export const isWorking = (run: string | null): boolean => run?.startsWith('r-') ?? false;
