// What `session_state.json` says when a session ends, kept beside git's own files: `git clean` removes `.harness/` and does not come here. It is
// put back where the file is gone, so that sessions that ended without their item still count. A file that is there always wins.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readText } from '../../host/files.ts';
import { SESSION_STATE } from '../../model/records.ts';
import type { RunHost, RunRepository, RunSettings } from '../run-context.ts';

type Place = Pick<RunRepository, 'stateDir' | 'workspaceDir'>;
type Writing = Place & Pick<RunHost, 'io'> & { readonly machine: Pick<RunSettings['machine'], 'ledger'> };

const keptIn = ({ workspaceDir }: Pick<Place, 'workspaceDir'>): string => join(workspaceDir, 'last-state.json');
const fileIn = ({ stateDir }: Pick<Place, 'stateDir'>): string => join(stateDir, SESSION_STATE);

/** The text; null: none is kept, or it cannot be read. */
export function keptState(place: Pick<Place, 'workspaceDir'>): string | null {
  const text = readText(keptIn(place));
  return text.ok ? text.value : null;
}

/** Keeps the file as it is now, where there is one. Nothing waits for it: after a power failure the one before is there. */
export function keepState(place: Writing): void {
  const text = readText(fileIn(place));
  if (text.ok && text.value !== null && text.value !== keptState(place))
    place.io.replace(keptIn(place), text.value, 'may-be-lost');
}

/** Only under the run lock. */
export function putBackState(place: Writing): void {
  const isCounting = place.machine.ledger === SESSION_STATE;
  const kept = !isCounting || existsSync(fileIn(place)) ? null : keptState(place);
  if (kept !== null) place.io.replace(fileIn(place), kept);
}

/** Nothing is counted any more. */
export function forgetState(place: Pick<Writing, 'workspaceDir' | 'io'>): void {
  if (existsSync(keptIn(place))) place.io.remove(keptIn(place));
}
