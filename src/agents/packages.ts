// Owns where the packages of providers are looked for: beside the harness, in a folder that somebody names, in the
// install of a clone's own tests. Never in the target repository: what an agent could have written must not run as ours.
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { packageRoot } from '../host/package-root.ts';

type Variables = { readonly [name: string]: string };

/** Names a folder that has the providers' packages in its `node_modules`, in a session's or the agent's environment. */
const FOLDER = 'HARNESS_PROVIDERS_DIR';

export const namedFolders = (...environments: readonly Variables[]): string[] =>
  environments.flatMap((env) => env[FOLDER] ?? []);

/** Where to look, in this order. `named`: folders somebody named; the tests' install is looked into where there are none. */
export const searchFolders = (named: readonly string[]): readonly string[] => [
  import.meta.dirname,
  ...(named.length > 0 ? named : testFolders()),
];

/** What a person types to get a package, a parameter of `agent-not-installed`: beside the harness, whether a clone or installed. */
export function installLine(name: string, root: string = packageRoot()): string {
  const isInstalled = basename(dirname(root)) === 'node_modules';
  return `npm install ${isInstalled ? '-g' : `--prefix ${root}`} ${name}`;
}

/** As in the package's own package.json; null: it says none. */
export function versionIn(folder: string): string | null {
  try {
    const read: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return typeof read === 'object' && read !== null && 'version' in read ? String(read.version) : null;
  } catch {
    return null;
  }
}

/** `test/providers` of every folder above this file: there in a clone, not in the published package. */
function testFolders(): string[] {
  const folders: string[] = [];
  for (let at = import.meta.dirname; dirname(at) !== at; at = dirname(at)) {
    const folder = join(at, 'test', 'providers');
    if (existsSync(join(folder, 'node_modules'))) folders.push(folder);
  }
  return folders;
}
