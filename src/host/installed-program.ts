// Whether a program can be found as a check command finds it: by its name on the PATH.
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { checkEnvironment } from './environment.ts';
import { isBelow, realPath } from './paths.ts';

/** `top`: a folder of the PATH in this one may get the program by the work itself, so that it counts as installed. */
export function isInstalled(name: string, top: string, path: string = checkEnvironment()['PATH'] ?? ''): boolean {
  const folders = path.split(delimiter).filter((folder) => folder !== '');
  const root = realPath(top);
  return folders.some((folder) => isBelow(realPath(folder), root) || isProgram(join(folder, name)));
}

/** A file that may be executed; absolute path. */
export function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
