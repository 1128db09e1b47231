// Plans from a specification, beside those that are there: session 0 of a playbook that can add to its list, or the first plan of another.
import { basename } from 'node:path';
import { ok, type Result } from '../../model/result.ts';
import type { Watcher } from '../open/run-context.ts';
import type { Target } from '../open/target.ts';
import { initFromSpec } from './from-spec.ts';
import type { InitReport } from './init.ts';

/** The specification where the user names none, and the playbook has no name for it. */
const SPEC = 'SPEC.md';

export type MadePlan = {
  readonly id: string;
  readonly title: string;
  readonly dependsOn: readonly string[];
  readonly testFile: string | null;
};
export type PlanReport = {
  readonly spec: string;
  readonly report: InitReport;
  /** Those that were added. */
  readonly plans: readonly MadePlan[];
};

/** `spec` null: the playbook's own. Fails as `initFromSpec`. */
export async function planFrom(
  target: Target,
  { spec: named, cwd }: { readonly spec: string | null; readonly cwd: string },
  stop: AbortSignal,
  watcher: Watcher,
): Promise<Result<PlanReport>> {
  const spec = named ?? target.playbook.specFile ?? SPEC;
  const before = new Set((await plansOf(target)).map(({ id }) => id));
  const how = { stop, withSuite: false, command: 'harness plan' };
  const made = await initFromSpec(target, spec, named === null ? target.root : cwd, how, watcher);
  if (!made.ok) return made;
  const report = made.value;
  // One that was interrupted after its commit is listed by its files.
  const isNew = (id: string): boolean =>
    !before.has(id) || report.made.some((path) => basename(path).startsWith(`${id}-`));
  const plans = report.commit === null ? [] : (await plansOf(target)).filter(({ id }) => isNew(id));
  return ok({ spec, report, plans });
}

async function plansOf({ view, backlog, config }: Target): Promise<readonly MadePlan[]> {
  const file = config.paths.backlog;
  const text = await view.read(file);
  const read = text === null ? null : backlog.read(text, file, { allowCycles: true });
  if (read?.ok !== true) return [];
  return read.value.items.map(({ id, title, dependsOn }) => ({
    id,
    title,
    dependsOn,
    testFile: read.value.subject(id)?.testFile ?? null,
  }));
}
