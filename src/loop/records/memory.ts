// What a session leaves in the memory, and what a curator made of it. The file of a curator is read once, never through a link; what it became is data.
import { join, relative } from 'node:path';
import type { ActionOf, Blocked } from '../../engine/types.ts';
import { readRegular } from '../../host/files.ts';
import { isBelow, realPath } from '../../host/paths.ts';
import type { Actions } from '../../model/action.ts';
import type { RememberOutcome } from '../../model/remember.ts';
import type { MemoryRepair } from '../../model/memory.ts';
import type { RunContext } from '../run-context.ts';

type Ask = ActionOf<Actions, 'remember'>;
type Place = Pick<RunContext, 'root' | 'userRoot' | 'memory' | 'notify'>;

/** A larger file is no summary: it is not read. */
const MOST_BYTES = 4 * 1024 * 1024;

export function takeNote(
  { memory, userRoot }: Pick<Place, 'memory' | 'userRoot'>,
  { session, role, item, lines }: Extract<Ask, { what: 'memory' }>,
  token: string,
): RememberOutcome | Blocked {
  const done = memory.append([{ session, role, item, lines }], token);
  return done.ok ? { file: relative(userRoot, memory.files.raw) } : { blocked: done.failure };
}

export function takeCuration(
  { memory, root, userRoot, notify }: Place,
  { session, file, upTo, isLast }: Extract<Ask, { what: 'curated' }>,
): RememberOutcome | Blocked {
  const path = join(root, file);
  const read = isBelow(realPath(path), realPath(root)) ? readRegular(path, MOST_BYTES) : null;
  const text = read?.kind === 'file' ? read.bytes.toString('utf8') : '';
  const shown = relative(userRoot, memory.files.summary);
  if (text.trim() === '') {
    const problems = [{ code: 'output-missing', params: { file } }] as const;
    return { file: shown, curated: { isWritten: false, problems, repairs: [], promoted: [], refused: [] } };
  }
  const about = { session, ...(upTo === undefined ? {} : { upTo }), ...(isLast === undefined ? {} : { isLast }) };
  const done = memory.curated(text, about);
  if (!done.ok) return { blocked: done.failure };
  notifyRepairs(notify, session, done.value.repairs);
  const files = done.value.isWritten ? { files: [relative(userRoot, memory.files.memory)] } : {};
  return { file: shown, ...files, curated: done.value };
}

/** One event for each file that was not as the harness wrote it. */
export function notifyRepairs(
  notify: RunContext['notify'],
  session: number,
  repairs: readonly MemoryRepair[] = [],
): void {
  for (const { file, why } of repairs)
    notify({ type: 'memory-repaired', level: 'important', session, data: { file, why } });
}
