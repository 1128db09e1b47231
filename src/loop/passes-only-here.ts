// Before the first session: tests that pass in the user's work tree but not in a clean checkout, with what the checkout may lack.
import { readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { z } from 'zod';
import type { CheckSpec } from '../model/action.ts';
import { failure, type Failure } from '../model/failure.ts';
import type { Verdict } from '../model/verdict.ts';
import { type CheckDeps, runCheck } from '../verify/checks.ts';
import { ignoredWorkIn } from './ignored-work.ts';
import type { RunContext } from './run-context.ts';

const MOST_TESTS = 10;
const TAIL_LINES = 12;

/** `inClean`: the verdict on the clean checkout. `deps`: those of the work tree. null: nothing that passes here fails there. */
export async function passesOnlyHere(
  context: Pick<RunContext, 'git' | 'root'>,
  checks: readonly CheckSpec[],
  inClean: Verdict,
  deps: CheckDeps,
): Promise<Failure | null> {
  const suite = checks.find(({ against }) => against === 'baseline');
  const there = suite === undefined ? undefined : inClean.checks.find(({ name }) => name === suite.name);
  // A green suite has nothing to hide unless it ran fewer tests, which a second run of a green suite would rarely show.
  if (suite === undefined || there === undefined || there.exit === 0) return null;
  const { exit, read } = await runCheck(suite, deps);
  const passing = read.kind === 'read' ? read.report.cases.filter(({ status }) => status === 'passed') : [];
  const clean = new Set(idsIn(context.root, inClean.passing));
  const tests = [...new Set(passing.map(({ id }) => id))].filter((id) => !clean.has(id) && !inClean.flaky.includes(id));
  if (tests.length === 0 && !(there.tests === null && exit.code === 0)) return null;
  const files = await ignoredWorkIn(context, 0);
  return failure('passes-only-here', {
    count: Math.max(1, tests.length),
    tests: tests.slice(0, MOST_TESTS).join('\n'),
    files: files.join('\n'),
    command: suite.command,
    tail: there.tail.split('\n').slice(-TAIL_LINES).join('\n'),
  });
}

function idsIn(root: string, file: string | null): readonly string[] {
  if (file === null) return [];
  return z.array(z.string()).parse(JSON.parse(readFileSync(isAbsolute(file) ? file : join(root, file), 'utf8')));
}
