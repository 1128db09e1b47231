// End-to-end tests of a plan, as one command that the harness runs itself, in a clean workspace with the files of the plan. Files that passed once are
// not tried again.
import { readFacts } from '../../engine/definitions.ts';
import type { Run } from '../../engine/types.ts';
import type { Actions, CheckSpec } from '../../model/action.ts';
import type { Config } from '../../model/config.ts';
import { failure, type Failure } from '../../model/failure.ts';
import { checkOf } from '../session/checks.ts';
import type { ClosingSession } from '../session/ending-hooks.ts';
import { program } from '../session/surveys.ts';
import type { JudgedFinding } from './convergence.ts';
import { e2eFindings } from './e2e-output.ts';
import { e2eFolder } from './paths.ts';
import { isE2eSkipped } from './phases.ts';
import { keepRecord } from './record.ts';

export type E2eResult =
  /** None are configured, or this run leaves them out. */
  | { readonly is: 'none' }
  | { readonly is: 'passed'; readonly tree: string }
  /** `output`: its end. */
  | { readonly is: 'failed'; readonly findings: readonly JudgedFinding[]; readonly output: string };

export const e2eCheck = ({ command, timeoutMinutes }: NonNullable<Config['e2e']>): CheckSpec =>
  checkOf('e2e', command, 'must', Math.round(timeoutMinutes * 60_000));

/** Before an agent is paid: why the tests cannot be started here; null: they can, as far as the name of their program says. */
export async function e2eMissing(run: Run<Actions>, item: string, config: Config): Promise<Failure | null> {
  if (config.e2e === null || isE2eSkipped(config)) return null;
  const { command } = config.e2e;
  const { failure: missing } = await readFacts(run, program, { item, command });
  return missing === null ? null : failure('command-missing', { check: 'e2e', command, tail: '' });
}

/** On the files of the work tree as they are. A command that cannot be started stops the run there: no fixer could help. */
export async function endToEnd(
  run: Run<Actions>,
  { facts: { id: item }, session }: Pick<ClosingSession, 'facts' | 'session'>,
  config: Config,
): Promise<E2eResult> {
  const { e2e } = config;
  if (e2e === null) return { is: 'none' };
  if (isE2eSkipped(config)) {
    await keepRecord(run, item, { e2e: { result: 'skipped', tree: '' } });
    return { is: 'none' };
  }
  const keeps = e2e.artifactDirs.length === 0 ? {} : { keeps: { folders: e2e.artifactDirs, into: e2eFolder(item) } };
  const verdict = await run.do('check', {
    kind: 'check',
    purpose: 'e2e',
    session,
    checks: [e2eCheck(e2e)],
    once: true,
    mustStart: true,
    ...keeps,
  });
  if (verdict.holds) {
    await keepRecord(run, item, { e2e: { result: 'passed', tree: verdict.tree } });
    return { is: 'passed', tree: verdict.tree };
  }
  const output = verdict.checks.map(({ tail }) => tail).join('\n');
  const isLate = verdict.problems.some(({ code }) => code === 'check-timed-out');
  return { is: 'failed', output, findings: e2eFindings(output, { minutes: isLate ? e2e.timeoutMinutes : null }) };
}
