// This package's own files, found from where its code runs: src/ or dist/.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Bug } from '../model/bug.ts';

/** The folder with this package's package.json: `from` or the nearest folder above it. */
export function packageRoot(from: string = import.meta.dirname): string {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder;
    if (folder === dirname(folder)) throw new Bug(`no package.json above ${from}`);
  }
}

/** As in package.json. */
export function packageVersion(root: string = packageRoot()): string {
  const parsed: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  if (typeof parsed === 'object' && parsed !== null && 'version' in parsed && typeof parsed.version === 'string')
    return parsed.version;
  throw new Bug(`no version in ${join(root, 'package.json')}`);
}

export const promptsFolder = (root: string = packageRoot()): string => join(root, 'prompts');

const ENTRIES = {
  session: 'src/agents/host/main.ts',
  scripted: 'src/agents/scripted/main.ts',
  /** Not a program: the Node of a project under test loads it. */
  'node-reporter': 'src/verify/runners/node/node-reporter.mjs',
} as const;

/** A program of this package that Node runs: the built one, or its source where nothing is built. */
export function entryFile(name: keyof typeof ENTRIES, root: string = packageRoot()): string {
  const built = join(root, 'dist', `${name}.mjs`);
  return existsSync(built) ? built : join(root, ENTRIES[name]);
}
