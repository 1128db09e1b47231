// Which part of the suite a change can affect: where a runner keeps test files apart, the ones that load a changed file. The others were
// proved with the very files that they load.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readRegular } from '../../host/files.ts';
import { isBelow, realPath } from '../../host/paths.ts';
import { fileOfTest, type TestBaseline } from '../../model/report.ts';
import { shellWord } from '../../model/shell-quote.ts';
import type { CheckSpec } from '../../model/action.ts';
import { runnerNamed } from '../runners/all.ts';
import { scriptsIn } from '../run-once.ts';
import { isCode, testsThatLoad } from './reach.ts';
import type { ClassifiedFile } from './judge.ts';

export type Affected = {
  /** Repository-relative; never empty. */
  readonly files: readonly string[];
  /** Runs just these. */
  readonly command: string;
};
type Suite = {
  readonly full: CheckSpec;
  /** The command that tests one file, with `{test_file}`. */
  readonly ofFile: string | null;
  readonly baseline: TestBaseline | null;
};

const MOST_BYTES = 2 * 1024 * 1024;
/** More than this share of the suite is run by its own command. */
const MOST_OF_SUITE = 0.6;

/**
 * The test files among those of the baseline and of the change that load one of the changed files. `none`: no test file does. null: the whole
 * suite has to run. `root`: a workspace with the candidate.
 */
export function affectedBy(
  changed: readonly ClassifiedFile[],
  root: string,
  { full, ofFile, baseline }: Suite,
): Affected | 'none' | null {
  const runner = runnerNamed(full.runner);
  const scripts = scriptsIn(root);
  const config = configOf(root);
  const isApart = runner?.runsFilesApart?.({ command: `${full.command} ${ofFile ?? ''}`, scripts, config }) === true;
  if (!isApart || baseline === null || ofFile?.includes('{test_file}') !== true) return null;
  if (changed.some(({ kind }) => kind === 'runner' || kind === 'guarded')) return null;
  const paths = changed.filter(({ kind }) => kind !== 'docs').map(({ path }) => path);
  // Data is read at run time, by no import.
  if (!paths.every((path) => isCode(path))) return null;
  const old = baseline.passing_tests.map(fileOfTest);
  const tests = [
    ...new Set([...old, ...changed.filter((f) => f.kind === 'test' && f.after !== null).map((f) => f.path)]),
  ];
  if (tests.includes('')) return null;
  const found = testsThatLoad(
    new Set(paths),
    tests.filter((path) => existsSync(join(root, path))),
    {
      read: (path) => textIn(root, path),
      isPackage: (name) => isInstalled(root, name),
    },
  );
  if (found.length === 0) return 'none';
  if (found.length > tests.length * MOST_OF_SUITE) return null;
  return { files: found, command: ofFile.replaceAll('{test_file}', () => found.map(shellWord).join(' ')) };
}

function textIn(root: string, path: string): string | null {
  const read = readRegular(join(root, path), MOST_BYTES);
  return read.kind === 'file' ? read.bytes.toString('utf8') : null;
}

/** A package of the repository itself is a link into it, with sources that change. */
function isInstalled(root: string, name: string): boolean {
  const path = join(root, 'node_modules', name);
  return existsSync(join(path, 'package.json')) && !isBelow(realPath(path), realPath(root));
}

function configOf(root: string): string {
  const names = readdirSync(root).filter((name) => /^(?:vite|vitest)\.(?:config|workspace)\.\w+$/.test(name));
  return names.map((name) => textIn(root, name) ?? '').join('\n');
}
