// Names of runs: kind, start time, and a random part. They sort in the order in which the runs began.
import { randomBytes } from 'node:crypto';
import type { Clock } from '../../host/clock.ts';

/** `r`: works on items and reads the inbox · `c`: applies requested changes · `v`: verifies only. */
export type RunKind = 'r' | 'c' | 'v';

/** `r-20261126153041-1c828e8`: milliseconds are the first three digits of the last part, in hexadecimal notation. */
export function runName(clock: Clock, kind: RunKind): string {
  const at = clock.iso();
  const ms = Number(at.slice(20, 23)).toString(16).padStart(3, '0');
  return `${kind}-${at.slice(0, 19).replace(/\D/g, '')}-${ms}${randomBytes(2).toString('hex')}`;
}

/** Whether a run of this name works on items. */
export const isWorking = (run: string | null): boolean => run?.startsWith('r-') ?? false;
