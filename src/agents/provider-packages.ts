// Where the packages of providers are searched for: where `harness agents add` installs them, next to the harness, in a folder that the
// environment names, and in the install for the tests of a clone. Never in the target repository: what an agent may have written must not run as ours.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Variables } from '../host/environment.ts';
import { addedFolders } from './added.ts';

/** Names a folder with the providers' packages in its `node_modules`, in the environment of a session or of its agent. */
const FOLDER = 'HARNESS_PROVIDERS_DIR';

export const namedFolders = (...environments: readonly Variables[]): string[] =>
  environments.flatMap((env) => env[FOLDER] ?? []);

/** Where to search, in this order. The install for tests is only searched where no folder is named. */
export const searchFolders = (named: readonly string[]): readonly string[] => [
  ...(named.length > 0 ? named : addedFolders()),
  import.meta.dirname,
  ...(named.length > 0 ? [] : testFolders()),
];

/** The version in the package.json of a folder; null: there is none. */
export function versionIn(folder: string): string | null {
  try {
    const read: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return typeof read === 'object' && read !== null && 'version' in read ? String(read.version) : null;
  } catch {
    return null;
  }
}

/** `test/providers` of every folder above this file: it exists in a clone, not in the published package. */
function testFolders(): string[] {
  const folders: string[] = [];
  for (let at = import.meta.dirname; dirname(at) !== at; at = dirname(at)) {
    const folder = join(at, 'test', 'providers');
    if (existsSync(join(folder, 'node_modules'))) folders.push(folder);
  }
  return folders;
}
