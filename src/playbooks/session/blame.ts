// Whose tests a session broke, after its work was rolled back.
import { editCall, readFacts } from '../../engine/definitions.ts';
import { changeItem } from '../../engine/list-edits.ts';
import type { Run } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import type { Config } from '../../model/config.ts';
import { featureChecks } from './checks.ts';
import type { BrokenItem, ClosingSession } from './ending-hooks.ts';
import type { Rejection } from './facts.ts';
import { owners } from './surveys.ts';

/** The items that own the broken tests. One that also fails on the rolled-back tree is marked as failing and is next. */
export async function blame(
  run: Run<Actions>,
  { session, why }: ClosingSession & { readonly why: Rejection },
  config: Config,
): Promise<readonly BrokenItem[]> {
  const found = await readFacts(run, owners, { tests: why.regressions });
  const broken: BrokenItem[] = [];
  for (const { id, testFile, title, dependents } of found.owners) {
    const step = run.scope(`feature-${id}`);
    // Only the item's own test: the whole suite would fail for every owner.
    const checks = featureChecks({ testFile }, config).filter((check) => check.name === 'feature');
    const isFailing =
      checks.length > 0 &&
      !(await step.do('check', { kind: 'check', purpose: 'aftermath', session: null, checks })).holds;
    const change = { type: 'failing', why: `found failing in session ${session}` } as const;
    if (isFailing)
      await step.do('flag', {
        kind: 'commit',
        style: 'plain',
        item: id,
        session,
        subject: `fix(harness): #${id} does not hold any more`,
        body: '',
        checkpoint: null,
        tree: null,
        only: [config.paths.backlog],
        edit: editCall(changeItem, { item: id, change, base: null }),
      });
    broken.push({ id, title: title ?? '', testFile, dependents, isFailing });
  }
  return broken;
}
