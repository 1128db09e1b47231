// `quarantine.json`: the private copy decides; the one in `.harness/` is for people.
import type { Result } from '../../model/result.ts';
import { readText } from '../../host/files.ts';
import { quarantineText, readQuarantine, type Quarantine } from '../../verify/quarantine.ts';
import { keptPath, shownPath, type RecordFolders } from '../../repos/records.ts';
import type { RunContext } from '../run-context.ts';

type Folders = RecordFolders;

/** Fails with `state-unreadable`. */
export const quarantineOf = (folders: Folders): Result<Quarantine> =>
  readQuarantine(keptPath(folders, 'quarantine.json'));

export const keepQuarantine = (context: Pick<RunContext, 'io'> & Folders, tests: Quarantine): void =>
  context.io.replace(keptPath(context, 'quarantine.json'), quarantineText(tests));

export function showQuarantine(context: Pick<RunContext, 'io'> & Folders, tests: Quarantine): void {
  const now = readText(shownPath(context, 'quarantine.json'));
  const text = quarantineText(tests);
  const isThere = now.ok && now.value !== null;
  if ((tests.length === 0 && !isThere) || (now.ok && now.value === text)) return;
  context.io.replace(shownPath(context, 'quarantine.json'), text);
}
