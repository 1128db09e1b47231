// `quarantine.json`: the private copy decides; the one in `.harness/` is for people and follows it when no agent is at work.
import { join } from 'node:path';
import type { Result } from '../../model/result.ts';
import { readText } from '../../host/files.ts';
import { quarantineText, readQuarantine, type Quarantine } from '../../verify/quarantine.ts';
import type { RunContext } from '../run-context.ts';

type Folders = Pick<RunContext, 'stateDir' | 'privateDir'>;
const shownAt = ({ stateDir }: Folders): string => join(stateDir, 'quarantine.json');
const keptAt = ({ privateDir }: Folders): string => join(privateDir, 'quarantine.json');

/** Fails with `state-unreadable`. */
export const quarantineOf = (folders: Folders): Result<Quarantine> => readQuarantine(keptAt(folders));

export const keepQuarantine = (context: Pick<RunContext, 'io'> & Folders, tests: Quarantine): void =>
  context.io.replace(keptAt(context), quarantineText(tests));

/** Not while a session is open: the tamper guard would find the change. */
export function showQuarantine(context: Pick<RunContext, 'io'> & Folders, tests: Quarantine): void {
  const now = readText(shownAt(context));
  const text = quarantineText(tests);
  const isThere = now.ok && now.value !== null;
  if ((tests.length === 0 && !isThere) || (now.ok && now.value === text)) return;
  context.io.replace(shownAt(context), text);
}
