// Items from failing tests: the suite of the project runs once, as before a session, and each file with failing tests is an item whose proof it is.
import { performersOf } from '../../loop/performers/all.ts';
import { createMessageQueue } from '../../engine/message-queue.ts';
import { Bug } from '../../model/bug.ts';
import { failure } from '../../model/failure.ts';
import { fileOfTest } from '../../model/report.ts';
import { err, ok, type Result } from '../../model/result.ts';
import type { Verdict } from '../../model/verdict.ts';
import { baselineCheck, featureCommand } from '../../playbooks/session/checks.ts';
import { baselineFailing } from '../../playbooks/session/preflight.ts';
import { playbookNamed } from '../../playbooks/registry.ts';
import type { Watcher } from '../open/run-context.ts';
import { tokenBase, withRunLock } from '../open/run-lock.ts';
import { runName } from '../open/run-name.ts';
import type { Target } from '../open/target.ts';
import type { Imported } from '../list/import-sources.ts';

const COMMAND = 'harness import tests';
const nothing = (what: string, hint: string) => err(failure('usage', { what, hint }));

/** Fails with `usage` where no test fails or no suite is known, and with `tests-not-runnable` where it cannot be run. */
export async function failingTests(
  target: Target,
  watcher: Watcher,
  signal: AbortSignal,
): Promise<Result<readonly Imported[]>> {
  const [suite] = baselineCheck(target.config);
  if (suite === undefined) return nothing('no command runs every test', 'set testing.full in the configuration');
  // What fails is asked here, not what has become worse.
  const check = { ...suite, against: null, needsTests: true };
  const run = runName(target.clock, 'v');
  const ran = await withRunLock(target, run, COMMAND, 'box', watcher, async ({ context }): Promise<Result<Verdict>> => {
    context.notify({ type: 'suite-tried', level: 'routine', data: { command: suite.command } });
    const ask = { kind: 'check', key: 'suite', purpose: 'import', session: null, checks: [check] } as const;
    const how = { token: `${tokenBase(target)}${run}/suite`, epoch: 0, signal };
    const verdict = await performersOf(context, createMessageQueue()).check.perform(ask, how);
    if ('blocked' in verdict) return err(verdict.blocked);
    if ('parked' in verdict) throw new Bug('a check was parked');
    return ok(verdict);
  });
  if (!ran.ok) return ran;
  const { holds, problems } = ran.value;
  if (holds) return nothing('no test fails', 'harness import TODO.md | harness add "…"');
  const failed = problems.find(({ code }) => code === 'tests-failed');
  if (failed === undefined) return err(baselineFailing(ran.value));
  const items = itemsOf(target, failed.ids ?? []);
  if (items.length === 0)
    return nothing('the runner does not report in which file a test is', 'harness add "…" --verify PROOF');
  const open = await withoutOwner(target, items);
  return open.length === 0 ? nothing('each failing test is the proof of an item already', 'harness items') : ok(open);
}

/** The proof of another item fails because that item is still to be done. */
async function withoutOwner(target: Target, found: readonly Imported[]): Promise<readonly Imported[]> {
  const file = target.config.paths.backlog;
  const listed = target.backlog.read((await target.view.read(file)) ?? '', file, {
    maxSteps: target.config.features.maxVerificationSteps,
  });
  if (!listed.ok) return found; // reported where the items are added
  const list = listed.value;
  const owned = new Map(list.items.map(({ id, title }) => [list.subject(id)?.testFile ?? '', title]));
  return found.filter(({ verify, title }) => (owned.get(verify ?? '') ?? title) === title);
}

/** By file, in the order of the report. Names of tests are the steps, as many as an item may have. */
function itemsOf({ config }: Target, ids: readonly string[]): readonly Imported[] {
  const byFile = new Map<string, string[]>();
  for (const id of ids) {
    const file = fileOfTest(id);
    if (file !== '') byFile.set(file, [...(byFile.get(file) ?? []), nameOf(id)]);
  }
  const { needsTestCommand } = playbookNamed(config.playbook.backlog).list;
  const most = config.features.maxVerificationSteps;
  return [...byFile].map(([file, names]) => ({
    title: `Failing tests of ${file} pass`,
    steps: names.length <= most ? names : [...names.slice(0, most - 1), `${names.length - most + 1} more of its tests`],
    verify: needsTestCommand ? file : (featureCommand(config, file) ?? config.testing.full),
  }));
}

/** Suites and name, as the runner reports them. */
const nameOf = (id: string): string =>
  id
    .split('|')
    .slice(2)
    .filter((part) => part !== '')
    .join(' › ')
    .replace(/\s+/g, ' ')
    .trim();
