// The few files of the target that defaults are worked out from, as a port: the work tree here, a commit elsewhere
// (an agent can write the work tree, so a run resolves its configuration from the last accepted commit).
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

export type TargetFiles = {
  /** Text of a repository-relative file; null where it is not there or cannot be read. */
  readonly read: (path: string) => string | null;
  readonly has: (path: string) => boolean;
};

/** The files of a folder as they are now, each read at most once. */
export function folderFiles(root: string): TargetFiles {
  const seen = new Map<string, string | null>();
  return {
    read(path) {
      const known = seen.get(path);
      if (known !== undefined) return known;
      const text = readOrNull(join(root, path));
      seen.set(path, text);
      return text;
    },
    has(path) {
      try {
        return statSync(join(root, path)).isFile();
      } catch {
        return false;
      }
    },
  };
}

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null; // not there, a folder, not ours to read: nothing can be worked out from it
  }
}
