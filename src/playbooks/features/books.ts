// The books of the features machine: backlog and log are part of its commits; a broken feature is marked in the backlog.
import type { Run } from '../../engine/types.ts';
import type { Actions, CommitAsk } from '../../model/action.ts';
import type { Config } from '../../model/config.ts';
import { ask } from '../session/asks.ts';
import type { Books, Broken, Told } from '../session/books.ts';
import { featureChecks } from '../session/checks.ts';
import { land, reject, save, type CloseInput } from '../session/endings.ts';
import type { Accepted, CutReason, Holding, Put, Rejection } from '../session/facts.ts';
import { entryOf } from './entries.ts';
import { roleOf } from './work.ts';

export const LIST_BOOKS: Books = {
  role: roleOf,
  claimedIn: (config) => [config.paths.backlog],
  accepting: (told, config, entry) => ({ name: 'accept', input: entryOf(told, config, entry) }),
  logging: (told, config, entry) => ({ name: 'log-entry', input: entryOf(told, config, entry) }),
  blame,
};

type R = Run<Actions>;

export async function acceptFeature(
  run: R,
  input: CloseInput & Holding,
  config: Config,
  books = LIST_BOOKS,
): Promise<Accepted> {
  const landed = await land(run, input, config, books);
  if (landed.commit === null) return landed;
  const { backlog } = config.paths;
  const interval = config.quality.cleanupInterval;
  const { isDue } = await ask<{ isDue: boolean }>(run, 'cleanup-due', { backlog, interval });
  return { ...landed, isCleanupDue: isDue };
}

export const saveFeature = (
  run: R,
  input: CloseInput & { readonly why: CutReason },
  config: Config,
  books = LIST_BOOKS,
): Promise<Put> => save(run, input, config, books);

export const rejectFeature = (
  run: R,
  input: CloseInput & { readonly why: Rejection },
  config: Config,
  books = LIST_BOOKS,
): Promise<Put> => reject(run, input, config, books);

type Owner = { readonly id: string; readonly testFile: string; readonly dependents: readonly string[] };

/** Which features own the broken tests. One that fails on the rolled-back tree too is marked failing and goes first next. */
async function blame(
  run: Run<Actions>,
  input: Told & { readonly why: Rejection },
  config: Config,
): Promise<readonly Broken[]> {
  const { backlog } = config.paths;
  const owners = await ask<{ owners: readonly Owner[] }>(run, 'owners', { backlog, tests: input.why.regressions });
  const broken: Broken[] = [];
  for (const { id, testFile, dependents } of owners.owners) {
    const step = run.scope(`feature-${id}`);
    // Its own test alone: the whole suite would blame every owner for the one that is broken.
    const checks = featureChecks({ testFile }, config).filter((check) => check.name === 'feature');
    const isFailing =
      checks.length > 0 &&
      !(await step.do('check', { kind: 'check', purpose: 'aftermath', session: null, checks })).holds;
    if (isFailing) await step.do('flag', flagFailing(id, input, config));
    broken.push({ id, dependents, isFailing });
  }
  return broken;
}

const flagFailing = (id: string, input: Told, config: Config): { readonly kind: 'commit' } & CommitAsk => ({
  kind: 'commit',
  style: 'plain',
  item: id,
  session: input.session,
  subject: `fix(harness): #${id} does not hold any more`,
  body: '',
  checkpoint: null,
  tree: null,
  only: [config.paths.backlog],
  edit: {
    name: 'flag',
    input: {
      backlog: config.paths.backlog,
      item: id,
      change: { type: 'failing', why: `found failing in session ${input.session}` },
    },
  },
});
