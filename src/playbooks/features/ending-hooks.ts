// What the features machine adds to the endings of a session: list and log are part of its commits, and an item that a session broke is marked
// in the list.
import { editCall, readFacts } from '../../engine/definitions.ts';
import { changeItem } from '../../engine/list-edits.ts';
import type { Run } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import type { Config } from '../../model/config.ts';
import { featureChecks } from '../session/checks.ts';
import type { BrokenItem, ClosingSession, EndingHooks, LogFacts } from '../session/endings.ts';
import type { ItemFacts, Rejection } from '../session/facts.ts';
import { owners } from '../session/surveys.ts';
import { accept, pendingEntry } from './edits.ts';

export const roleOf = (facts: Pick<ItemFacts, 'partial'>): 'coding' | 'continuation' =>
  facts.partial === null ? 'coding' : 'continuation';

const entryOf = ({ facts, session, endedAt, checkpoint }: ClosingSession, entry: LogFacts) => ({
  item: facts.id,
  session,
  at: endedAt,
  base: checkpoint.ref,
  ...entry,
});

/** Agents claim in a list of the features format. */
export const hooksFor = ({ playbook }: Config): EndingHooks => ({
  role: roleOf,
  claim: playbook.backlog === 'features' ? 'flip' : 'command',
  claimedIn: ({ paths }) => (playbook.backlog === 'features' ? [paths.backlog] : []),
  accepting: (closing, _config, entry) => editCall(accept, entryOf(closing, entry)),
  logging: (closing, _config, entry) => editCall(pendingEntry, entryOf(closing, entry)),
  blame,
});

/** The items that own the broken tests. One that also fails on the rolled-back tree is marked as failing and is next. */
async function blame(
  run: Run<Actions>,
  { session, why }: ClosingSession & { readonly why: Rejection },
  config: Config,
): Promise<readonly BrokenItem[]> {
  const found = await readFacts(run, owners, { tests: why.regressions });
  const broken: BrokenItem[] = [];
  for (const { id, testFile, dependents } of found.owners) {
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
    broken.push({ id, dependents, isFailing });
  }
  return broken;
}
