// Texts and paths that a configuration may hold, without the schema. Pure.
import { ENGINE_FOLDER } from '../engine-folder.ts';

/** Repository-relative. */
export const DEFAULT_PATHS = {
  features: 'features.json',
  progress: 'claude-progress.txt',
  stateDir: '.harness',
} as const;

export const isText = (text: string): boolean => /\S/.test(text) && !text.includes('\0');

/** A path that stays in the repository, out of git's own folder and the harness's, and is not the repository itself. */
export function isInsideRepository(path: string): boolean {
  const parts = partsOf(path);
  return (
    parts.length > 0 &&
    isText(path) &&
    !/^[/~]|\\|^[A-Za-z]:/.test(path) &&
    !parts.includes('..') &&
    !['.git', ENGINE_FOLDER].includes(parts[0]?.toLowerCase() ?? '')
  );
}

/** One spelling of a path inside the repository: no `./`, no `//`, no slash at the end. */
export const tidyPath = (path: string): string => partsOf(path).join('/');

const partsOf = (path: string): string[] => path.split('/').filter((part) => part !== '' && part !== '.');
