// Whether a disk has room for a session, before an agent is paid for work that could not be recorded.
import { statfsSync } from 'node:fs';
import { failure, type Failure } from '../model/failure.ts';

/** State of one session, and the objects of its commits. Bytes. */
const LEAST_BYTES = 8 * 1024 * 1024;

/** `path-unusable` for the first of these folders on a full disk; null: all have room. A disk that does not say counts as having room. */
export function lacksRoom(folders: readonly string[]): Failure | null {
  const full = folders.find((folder) => {
    try {
      const { bavail, bsize, blocks } = statfsSync(folder);
      return blocks > 0 && bavail * bsize < LEAST_BYTES;
    } catch {
      return false; // what is wrong with it is reported by the first write
    }
  });
  return full === undefined
    ? null
    : failure('path-unusable', { file: full, code: 'ENOSPC', full }, { at: { file: full } });
}
