// The time by which kept things grow old. A clock that is far ahead once costs no more than some days of them: between two checks of the logs, of
// which a file records the time, no more than a week counts as passed.
import { join } from 'node:path';
import type { Clock } from '../../host/clock.ts';
import { readText } from '../../host/files.ts';
import { numberAt, plainObject } from './loose-json.ts';

/** `at`: the time that counted at the last check, `clock`: what the clock said. */
export type CheckNote = { readonly [field in 'at' | 'clock' | 'due' | 'cap']: number | null };

const MOST_STEP_MS = 7 * 86_400_000;

export const checkNoteFile = (workspaceDir: string): string => join(workspaceDir, 'log-retention.json');

export function checkNoteIn(workspaceDir: string): CheckNote {
  const text = readText(checkNoteFile(workspaceDir));
  const note = plainObject(text.ok ? text.value : null);
  const at = numberAt(note, 'at');
  return { at, clock: numberAt(note, 'clock') ?? at, due: numberAt(note, 'due'), cap: numberAt(note, 'cap') };
}

export const countedNow = (
  { workspaceDir, clock }: { readonly workspaceDir: string; readonly clock: Pick<Clock, 'now'> },
  { at }: CheckNote = checkNoteIn(workspaceDir),
): number => Math.min(clock.now(), (at ?? Number.POSITIVE_INFINITY) + MOST_STEP_MS);
