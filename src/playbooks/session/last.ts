// What the session before this one left behind: the state file, its record, unfinished work on the branch.
import { z } from 'zod';
import { PROVISIONAL, UNWINDS } from '../../model/provisional.ts';
import { ok, type Result } from '../../model/result.ts';
import { PROBLEM_CODES } from '../../model/verdict.ts';
import type { World } from '../../model/world.ts';
import type { ItemFacts } from './facts.ts';
import { emptySessionState, readSessionState, type SessionState } from './session-state.ts';

export const stateInput = { stateDir: z.string(), newer: z.enum(['abort', 'warn']).default('abort') };
type StateInput = { readonly stateDir: string; readonly newer: 'abort' | 'warn' };

export async function stateOf(world: World, { stateDir, newer }: StateInput): Promise<Result<SessionState>> {
  const file = `${stateDir}/session_state.json`;
  const text = await world.read(file);
  return text === null ? ok(emptySessionState('')) : readSessionState(text, file, newer);
}

const recordShape = z.looseObject({
  feature_id: z.union([z.number(), z.string()]),
  result: z.string().default(''),
  reason: z.string().nullable().default(null),
  problems: z.array(z.unknown()).default([]),
});

/** As briefs and records write a problem. */
export const problemInput = z.object({
  code: z.enum(PROBLEM_CODES),
  params: z.record(z.string(), z.union([z.string(), z.number()])).default({}),
  ids: z.array(z.string()).optional(),
});

/** `partial`: work in progress of this very item, which the next session goes on with. */
export async function leftByLast(
  world: World,
  state: SessionState,
  { item, stateDir }: { readonly item: string; readonly stateDir: string },
): Promise<Pick<ItemFacts, 'partial' | 'last' | 'failed'>> {
  const { last_session: session, status, termination_reason: reason, current_feature: current } = state;
  const isSame = current !== null && String(current) === item;
  const record = session === 0 ? null : await recordOf(world, `${stateDir}/sessions/${session}/session.json`);
  const unfinished = isSame && status === 'partial' ? await unfinishedOf(world, item) : null;
  return {
    partial: unfinished === null ? null : { session, reason: reason ?? 'complete', base: unfinished.base },
    last: session === 0 ? null : { session, status, reason: record?.reason ?? reason },
    failed: isSame && status === 'failed' ? problemsOf(record?.problems ?? []) : [],
  };
}

/** How far back the branch is looked through. */
const COMMITS_READ = 200;

/** What this version knows to say of a session; the rest of a record is of another version or of a person's hand. */
const problemsOf = (stored: readonly unknown[]): ItemFacts['failed'] =>
  stored.flatMap((one) => {
    const { success, data } = problemInput.safeParse(one);
    if (!success) return [];
    const { ids, ...problem } = data;
    return [ids === undefined ? problem : { ...problem, ids }];
  });

async function recordOf(world: World, file: string): Promise<z.output<typeof recordShape> | null> {
  const text = await world.read(file);
  if (text === null) return null;
  try {
    return recordShape.parse(JSON.parse(text));
  } catch {
    return null; // a record only informs the prompt: a damaged one is as good as none
  }
}

/** Of these the base of unfinished work is looked for. */
const MOST_PROVISIONAL = 50;

/**
 * The commit below the provisional commits of this item: what was there before its work in progress. null: the last that the
 * branch tells of the item is that its work was taken back.
 */
async function unfinishedOf(world: World, item: string): Promise<{ readonly base: string | null } | null> {
  const commits = await world.recentCommits(COMMITS_READ);
  const last = commits.find(({ trailers }) => trailers[PROVISIONAL] === item || trailers[UNWINDS] === item);
  if (last?.trailers[UNWINDS] === item) return null;
  const below = commits.slice(0, MOST_PROVISIONAL).find(({ trailers }) => trailers[PROVISIONAL] !== item);
  return { base: below?.id ?? null };
}
