// Every test runner. Adding one is a folder and a line here.
import { Bug } from '../../model/bug.ts';
import { cargo } from './cargo/runner.ts';
import { command } from './command/runner.ts';
import { go } from './go/runner.ts';
import { jest } from './jest/runner.ts';
import { junit } from './junit/runner.ts';
import { mocha } from './mocha/runner.ts';
import { node } from './node/runner.ts';
import { pytest } from './pytest/runner.ts';
import type { TestRunner } from './runner.ts';
import { tap } from './tap/runner.ts';
import { vitest } from './vitest/runner.ts';

/** In the order in which they are listed to people and recognised in a command. */
export const RUNNERS: readonly TestRunner[] = [pytest, vitest, jest, mocha, node, go, cargo, junit, tap, command];

export const RUNNER_NAMES: readonly string[] = RUNNERS.map(({ name }) => name);

/** null for null: a check that has no runner. The configuration accepts no name that is not in the list. */
export function runnerNamed(name: string): TestRunner;
export function runnerNamed(name: string | null): TestRunner | null;
export function runnerNamed(name: string | null): TestRunner | null {
  const runner = RUNNERS.find((one) => one.name === name) ?? null;
  if (runner === null && name !== null) throw new Bug(`no test runner is called ${name}`);
  return runner;
}
