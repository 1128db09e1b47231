// What the session before this one left: the state file, its record, unfinished work on the branch.
import { z } from 'zod';
import type { ReadContext } from '../../engine/definitions.ts';
import { PROVISIONAL, UNWINDS } from '../../model/provisional.ts';
import { ok, type Result } from '../../model/result.ts';
import { problemSchema, type Problem } from '../../model/verdict.ts';
import type { RepositoryView } from '../../model/repository-view.ts';
import type { ItemFacts } from './facts.ts';
import { emptySessionState, readSessionState, type SessionStateFile } from './session-state.ts';

export async function stateOf({ view, config }: ReadContext): Promise<Result<SessionStateFile>> {
  const file = `${config.paths.stateDir}/session_state.json`;
  const text = await view.read(file);
  return text === null ? ok(emptySessionState('')) : readSessionState(text, file, config.compatibility.onNewerState);
}

const recordShape = z.looseObject({
  feature_id: z.union([z.number(), z.string()]),
  result: z.string().default(''),
  reason: z.string().nullable().default(null),
  problems: z.array(z.unknown()).default([]),
});
type SessionRecord = z.output<typeof recordShape>;

/**
 * `partial`: work in progress of this item, which the next session continues. `failed`: what was wrong with the last attempt; where that says
 * nothing, with the work in progress, which may be of an earlier session.
 */
export async function leftByLast(
  { view, config }: ReadContext,
  state: SessionStateFile,
  item: string,
): Promise<Pick<ItemFacts, 'partial' | 'last' | 'failed'>> {
  const { last_session: session, status, termination_reason: reason, current_feature: current } = state;
  const isSame = current !== null && String(current) === item;
  const { stateDir } = config.paths;
  const record = session === 0 ? null : await recordOf(view, stateDir, session);
  const isPartial = isSame && status === 'partial';
  const partial = await leftUnfinished(view, stateDir, item, isPartial ? { session, reason } : null);
  const failed = isSame && status === 'failed' ? problemsOf(record) : [];
  const asked = (await view.proposals?.())?.find((one) => one.item === item)?.findings ?? [];
  const known =
    failed.length > 0 || partial === null ? failed : problemsOf(await recordOf(view, stateDir, partial.session));
  return {
    partial,
    last: session === 0 ? null : { session, status, reason: record?.reason ?? reason },
    failed: [...asked, ...known],
  };
}

/** `last`: the last session, if it ended in the middle of this item. */
async function leftUnfinished(
  view: RepositoryView,
  stateDir: string,
  item: string,
  last: { readonly session: number; readonly reason: string | null } | null,
): Promise<ItemFacts['partial']> {
  const onBranch = last === null ? null : await onBranchOf(view, item);
  const wip = (await view.worksInProgress()).find((one) => one.item === item);
  if (wip === undefined)
    return onBranch === null || last === null
      ? null
      : { session: last.session, reason: last.reason ?? 'complete', base: onBranch.base };
  // `error` is all that session_state.json has a word for, where a review refused the work.
  const known = last === null || last.reason === 'error' ? null : last.reason;
  const ended = known ?? (await recordOf(view, stateDir, wip.session))?.reason ?? last?.reason;
  const base = onBranch?.base ?? null;
  const { reached } = wip;
  return {
    session: wip.session,
    reason: ended ?? 'complete',
    base,
    wip: wip.commit,
    ...(reached === undefined ? {} : { reached }),
  };
}

/** What a reviewer of its pull request asked for, or a check of it. */
export const isAsked = ({ code }: Problem): boolean =>
  code === 'review-comment' || code === 'merge-refused' || code === 'ci-failed';

/** The files of the work in progress. */
export async function filesInProgress(
  view: RepositoryView,
  { base, wip }: NonNullable<ItemFacts['partial']>,
): Promise<readonly string[]> {
  const [own, onBranch] = await Promise.all([
    wip === undefined ? [] : view.changedBy([wip]),
    base === null ? [] : view.changedSince(base),
  ]);
  return [...new Set([...own.flat(), ...onBranch])];
}

/** Whether the work in progress is on the branch: so older versions left it. */
export const isOnBranch = ({ partial }: Pick<ItemFacts, 'partial'>): boolean =>
  partial !== null && partial.base !== null;

/** How many commits of the branch are read. */
const COMMITS_READ = 200;

/** Problems that this version knows; the rest of a record was written by another version or edited by a user. */
const problemsOf = (record: SessionRecord | null): ItemFacts['failed'] =>
  (record?.problems ?? []).flatMap((one) => {
    const { success, data } = problemSchema.safeParse(one);
    return success ? [data] : [];
  });

async function recordOf(view: RepositoryView, stateDir: string, session: number): Promise<SessionRecord | null> {
  const text = await view.read(`${stateDir}/sessions/${session}/session.json`);
  if (text === null) return null;
  try {
    return recordShape.parse(JSON.parse(text));
  } catch {
    return null; // a record only informs the prompt: a damaged one is ignored
  }
}

/** The base of unfinished work is searched in this many commits. */
const MOST_PROVISIONAL = 50;

/**
 * Provisional commits of this item, made by an older version: the commit below them, which has none of its work in progress; null where there
 * are none. null: they were reverted.
 */
async function onBranchOf(view: RepositoryView, item: string): Promise<{ readonly base: string | null } | null> {
  const commits = await view.recentCommits(COMMITS_READ);
  const last = commits.find(({ trailers }) => trailers[PROVISIONAL] === item || trailers[UNWINDS] === item);
  if (last === undefined) return { base: null };
  if (last.trailers[UNWINDS] === item) return null;
  const below = commits.slice(0, MOST_PROVISIONAL).find(({ trailers }) => trailers[PROVISIONAL] !== item);
  return { base: below?.id ?? null };
}
