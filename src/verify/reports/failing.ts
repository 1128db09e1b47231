// Making every test of a run fail from outside: a file for the runner, loaded before any file of the project, and the command
// that loads it. No body of a test runs then, so it takes about as long as loading all test files. Pure.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { RunnerName } from '../../model/config.ts';
import { withFlags } from './flags.ts';
import type { Scripts } from './scripts.ts';
import { quoteWord, withVariable } from './shell.ts';

export type Failing = {
  readonly command: string;
  /** To be written below the root before the command runs. */
  readonly file: { readonly path: string; readonly text: string };
};

type Where = {
  readonly command: string;
  /** Absolute. */
  readonly folder: string;
  /** A name that nothing else has. */
  readonly word: string;
  readonly scripts: Scripts;
};
type How = { readonly command: string; readonly name: string; readonly text: string };

/** null: this runner cannot be told from outside, or not behind this command. `word`: letters and digits. */
export function failingFor(
  runner: RunnerName | null,
  root: string,
  about: Pick<Where, 'command' | 'word' | 'scripts'>,
): Failing | null {
  const folder = `.${about.word}`;
  const how = runner === null ? null : (HOW[runner]?.({ ...about, folder: join(root, folder) }) ?? null);
  return how === null ? null : { command: how.command, file: { path: `${folder}/${how.name}`, text: how.text } };
}

/** Whether this runner can be told at all. */
export const canFail = (runner: RunnerName | null): boolean => runner !== null && HOW[runner] !== undefined;

const THROW = `throw new Error('every test is to fail');`;

const HOW: { readonly [R in RunnerName]?: (where: Where) => How | null } = {
  // The process that only starts the others has no tests of its own, and would tell of one with a hook.
  node({ command, folder, word }) {
    const name = `${word}.mjs`;
    return {
      command: exported(command, 'NODE_OPTIONS', `--import=${pathToFileURL(join(folder, name)).href}`),
      name,
      text: `import { env, execArgv } from 'node:process';
import { beforeEach } from 'node:test';
const said = [...execArgv, env.NODE_OPTIONS ?? ''].join(' ');
const starts = /(^|\\s)--test(\\s|$)/.test(said) && env.NODE_TEST_CONTEXT === undefined;
if (!starts || /isolation=none/.test(said)) beforeEach(() => { ${THROW} });
`,
    };
  },
  // Its module is loaded by every worker before the first test file; what it exports says how differences are shown.
  vitest({ command, folder, word, scripts }) {
    const name = `${word}.mjs`;
    return withFile(
      name,
      withFlags(command, 'vitest', scripts, () => `--diff=${quoteWord(join(folder, name))}`),
    )(
      `import * as vitest from 'vitest';
const before4 = ['vitest', 'runners'].join('/'); // not resolved where it is not there
const Runner = vitest.TestRunner ?? (await import(/* @vite-ignore */ before4)).VitestTestRunner;
Runner.prototype.onBeforeTryTask = () => { ${THROW} };
export default {};
`,
    );
  },
  jest({ command, folder, word, scripts }) {
    const name = `${word}.cjs`;
    const flag = `--setupFilesAfterEnv=${quoteWord(join(folder, name))}`;
    return withFile(
      name,
      withFlags(command, 'jest', scripts, () => flag),
    )(`beforeEach(() => { ${THROW} });\n`);
  },
  mocha({ command, folder, word, scripts }) {
    const name = `${word}.cjs`;
    return withFile(
      name,
      withFlags(command, 'mocha', scripts, () => `--require ${quoteWord(join(folder, name))}`),
    )(`exports.mochaHooks = { beforeEach() { ${THROW} } };\n`);
  },
  pytest({ command, folder, word }) {
    const path = `export PYTHONPATH=${quoteWord(folder)}"\${PYTHONPATH:+:$PYTHONPATH}"`;
    return {
      command: `${path}; ${exported(command, 'PYTEST_ADDOPTS', `-p ${word}`)}`,
      name: `${word}.py`,
      text: `import pytest


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_call(item):
    raise AssertionError("every test is to fail")
`,
    };
  },
};

/** For every command of a line, unless it sets the variable itself: then before what it sets. */
function exported(command: string, name: string, value: string): string {
  const { command: line, env } = withVariable(command, name, value);
  return Object.hasOwn(env, name) ? `export ${name}=${quoteWord(value)}; ${line}` : line;
}

const withFile =
  (name: string, command: string | null) =>
  (text: string): How | null =>
    command === null ? null : { command, name, text };
