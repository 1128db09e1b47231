// The files of the work tree from which defaults are inferred.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { TargetFiles } from '../../model/target-files.ts';

/** The files of a folder, each read at most once. */
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
    return null; // missing, a folder, or not readable: no default is inferred from it
  }
}

/** `name` in package.json. */
export function packageName(files: TargetFiles): string | null {
  try {
    const json: unknown = JSON.parse(files.read('package.json') ?? 'null');
    const name = typeof json === 'object' && json !== null && 'name' in json ? json.name : null;
    return typeof name === 'string' && name.trim() !== '' ? name : null;
  } catch {
    return null;
  }
}
