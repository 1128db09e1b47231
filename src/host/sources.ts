// What an answer was made of: facts about paths that can be compared without reading anything again. Loaded by the smallest start of the
// program (src/cli/glance.ts), so it needs no package. Who collects them: source-watch.ts.
import { existsSync, realpathSync } from 'node:fs';
import { codeOf } from './error-code.ts';
import { exactStatsOf, exactTargetStatsOf } from './paths.ts';

/**
 * `text`: of a file, links followed; a folder has none · `whole`: of a file or folder, with its entries and times, links followed · `link`: of
 * what is at the path itself · `presence`: whether anything is there · `place`: where it really is.
 */
export const SOURCE_KINDS = ['text', 'whole', 'link', 'presence', 'place'] as const;
export type SourceKind = (typeof SOURCE_KINDS)[number];
export type SourceFact = { readonly kind: SourceKind; readonly path: string; readonly fact: string };

export type Sources = {
  readonly list: readonly SourceFact[];
  /** Milliseconds: when the reading began. */
  readonly from: number;
  /** When the answer ends although its sources are the same; null: never. */
  readonly until: number | null;
};

const FOLDER = 'folder';

/** Equal as long as what can be read there is the same; '' where nothing is there; null: it cannot be judged. */
export function factOf(kind: SourceKind, path: string): string | null {
  try {
    if (kind === 'presence') return existsSync(path) ? 'there' : '';
    if (kind === 'place') return realpathSync(path);
    const facts = kind === 'link' ? exactStatsOf(path) : exactTargetStatsOf(path);
    if (facts === null) return '';
    // What comes and goes in a folder, such as the locks of git, is nothing to those who found no file.
    if (kind === 'text' && facts.isDirectory()) return FOLDER;
    const { dev, ino, size, mtimeNs, ctimeNs } = facts;
    return `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`;
  } catch (error) {
    return ['ENOENT', 'ENOTDIR'].includes(codeOf(error)) ? '' : null;
  }
}

/** Whether an answer still holds at this time. By a clock that was put back nothing holds. */
export const isCurrent = ({ list, from, until }: Sources, now: number): boolean =>
  from <= now && (until === null || now < until) && list.every(({ kind, path, fact }) => factOf(kind, path) === fact);

/** Times of files move in steps: of at most 10 ms with most kernels, of whole seconds in some file systems. */
const STEP_NS = 100_000_000n;
const COARSE_STEP_NS = 2_100_000_000n;
const SECOND_NS = 1_000_000_000n;

/**
 * Whether a source may have been changed once more, after it was read, without a difference in its facts: it was changed so shortly before
 * `from` that the next change can have the same time. All times in nanoseconds. `ofDevice`: a device, and what its own clock said then.
 */
export function isRacy(
  { kind, fact }: SourceFact,
  from: bigint,
  ofDevice: { readonly dev: bigint; readonly from: bigint },
): boolean {
  if (kind === 'presence' || kind === 'place' || fact === '' || fact === FOLDER) return false;
  const [dev = 0n, , , mtime = 0n, ctime = 0n] = fact.split(':').map(BigInt);
  const start = dev === ofDevice.dev && ofDevice.from < from ? ofDevice.from : from;
  // The clock of another disk is not known, and may be that of another machine.
  const isFine = dev === ofDevice.dev && ctime % SECOND_NS !== 0n;
  const step = isFine ? STEP_NS : COARSE_STEP_NS;
  return (mtime > ctime ? mtime : ctime) > start - step;
}
