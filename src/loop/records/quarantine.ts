// `quarantine.json`: the private copy decides; the one in `.harness/` is for people. Checks of several lanes read and change it at the same time.
import { underShortLock } from '../../host/short-lock.ts';
import { readText } from '../../host/files.ts';
import { ok, type Result } from '../../model/result.ts';
import { keptPath, shownPath, type RecordFolders } from '../../repos/records.ts';
import { mergedQuarantine, quarantineText, readQuarantine, type Quarantine } from '../../verify/quarantine.ts';
import type { RunContext } from '../run-context.ts';

type Writable = Pick<RunContext, 'io' | 'privateDir'> & RecordFolders;

/** Fails with `state-unreadable`. */
export const quarantineOf = (folders: RecordFolders): Result<Quarantine> =>
  readQuarantine(keptPath(folders, 'quarantine.json'));

/** `before`: as it was when the checks began. What others changed since stays. Fails as `quarantineOf`, and with `lock-unavailable`. */
export const changeQuarantine = (context: Writable, before: Quarantine, after: Quarantine): Result<Quarantine> =>
  underShortLock(context.privateDir, 'books', () => {
    const now = quarantineOf(context);
    if (!now.ok) return now;
    const merged = mergedQuarantine(now.value, before, after);
    context.io.replace(keptPath(context, 'quarantine.json'), quarantineText(merged));
    return ok(merged);
  });

/** The copy for people. */
export function showQuarantine(context: Writable): Result<null> {
  const kept = quarantineOf(context);
  if (!kept.ok) return kept;
  const now = readText(shownPath(context, 'quarantine.json'));
  const text = quarantineText(kept.value);
  const isThere = now.ok && now.value !== null;
  if ((kept.value.length > 0 || isThere) && !(now.ok && now.value === text))
    context.io.replace(shownPath(context, 'quarantine.json'), text);
  return ok(null);
}
