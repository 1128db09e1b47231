// Items of a simulated run that wait for an answer: their work out of the work tree and back, and brought onto what landed meanwhile.
import { readFileSync, existsSync } from 'node:fs';
import type { RunContext } from '../../src/loop/run-context.ts';
import { repeatable } from '../../src/loop/performers/repeatable.ts';
import { withdrawQuestions } from '../../src/loop/questions.ts';
import { adoptBaselineAt } from '../../src/loop/records/baseline.ts';
import type { BringOutcome, TakeTurnOutcome } from '../../src/model/landing-action.ts';
import type { Checkpoint } from '../../src/model/checkpoint.ts';
import type { ParkOutcome, UnparkOutcome } from '../../src/model/waiting-item.ts';
import { count } from './ledger.ts';
import { placeIn } from './lanes.ts';
import type { Mission } from './mission.ts';
import type { ProcessRun } from './process-run.ts';
import type { A } from './performers.ts';
import {
  changedBetween,
  headOf,
  history,
  idOf,
  merged,
  pick,
  tipOf,
  withFiles,
  type Commit,
  type Repository,
  type Snapshot,
  type Tree,
} from './repository.ts';

export const simulatedParks = (run: RunContext, processRun: ProcessRun): A<'park'> => ({
  async perform({ item, resumes, lane }): Promise<ParkOutcome> {
    const { context, mission } = await placeIn(run, processRun, lane, item);
    const { repo, ledger } = mission;
    const file = context.ledger;
    if (!repo.parked.has(resumes)) {
      count(ledger.acts, 'parked');
      const text = existsSync(file) ? readFileSync(file, 'utf8') : null;
      const base = headOf(repo).tree;
      await run.io.effect('git park', async () => {
        repo.parked.set(resumes, { tree: repo.work, base, ledger: text });
      });
    }
    await run.io.effect('git restore', async () => void (repo.work = headOf(repo).tree));
    return { isParked: true };
  },
  probe: repeatable,
});

export const simulatedUnparks = (run: RunContext, processRun: ProcessRun): A<'unpark'> => ({
  async perform({ item, resumes, to, lane }): Promise<UnparkOutcome> {
    const kept = processRun.mission.repo.parked.get(resumes);
    if (kept === undefined) return { attempt: null };
    if (to === 'attempt') {
      const { repo } = processRun.mission;
      const withdrawn = await withdrawQuestions(run, item, 'item-over');
      if (!withdrawn.ok) throw new Error('a question cannot be withdrawn');
      const ref = `refs/harness/attempts/${idOf(kept.tree)}`;
      await run.io.effect('git attempt', async () => {
        repo.attempts.set(resumes, { ref, tree: kept.tree, why: 'item-over' });
        repo.parked.delete(resumes);
      });
      return { attempt: ref };
    }
    const { context, mission } = await placeIn(run, processRun, lane, item);
    const { repo, ledger } = mission;
    count(ledger.acts, 'unparked');
    if (context.lane > 0) await context.bring();
    const isWork = changedBetween(kept.base, kept.tree).length > 0;
    if (isWork) await run.io.effect('git unpark', async () => void (repo.work = kept.tree));
    if (kept.ledger !== null) run.io.replace(context.ledger, kept.ledger);
    await run.io.effect('git forget', async () => void repo.parked.delete(resumes));
    return { attempt: null };
  },
  probe: repeatable,
});

/** What was in the work tree when it was taken. */
export const snapshotOf = (
  { trees }: Pick<Mission, 'trees'>,
  { tree, head, branch }: Pick<Checkpoint, 'tree' | 'head' | 'branch'>,
): Snapshot => ({ tree: trees.get(tree)!, head, branch });

/** The checkpoint on top of what landed since: commits of the harness stay, those of the agent above them do not. */
export const checkpointNow = (mission: Pick<Mission, 'repo' | 'trees'>, checkpoint: Checkpoint): Snapshot =>
  checkpointOnto(mission.repo, snapshotOf(mission, checkpoint));

export function checkpointOnto(repo: Repository, before: Snapshot): Snapshot {
  const tip = repo.user === null ? newestOfHarness(repo, before.head) : tipOf(repo);
  if (tip === undefined || tip.id === before.head) return before;
  const base = repo.commits.get(before.head)!.tree;
  return { tree: merged(base, tip.tree, before.tree) ?? tip.tree, head: tip.id, branch: before.branch };
}

/** Commits that its agent made in a work tree of the harness's own. */
export const hasAgentCommits = (repo: Repository): boolean =>
  repo.user !== null && ![...history(repo, tipOf(repo).id)].some(({ id }) => id === repo.head);

/** In the user's own work tree agents may have committed too. */
function newestOfHarness(repo: Repository, since: string): Commit | undefined {
  const newer = [...history(repo)];
  const made = newer.slice(
    0,
    newer.findIndex(({ id }) => id === since),
  );
  return made.find(({ trailers }) => trailers['Harness-Token'] !== undefined);
}

export const simulatedBrings = (lane: RunContext, { mission }: ProcessRun): A<'bring'> => ({
  async perform({ checkpoint, tree, work = tree, own }): Promise<BringOutcome> {
    const { repo, trees } = mission;
    const verified = trees.get(tree)!;
    const { now, whole } = onNewest(mission, { checkpoint, own }, trees.get(work)!);
    if (whole === null) {
      const ids = changedBetween(now.tree, verified);
      return { tree: null, problem: { code: 'landing-conflict', params: { commit: now.head }, ids } };
    }
    const ref = `${checkpoint.ref}@${now.head}`;
    await lane.io.effect('git bring', async () => {
      repo.refs.set(ref, now);
      for (const one of [whole, now.tree]) trees.set(idOf(one), one);
      repo.work = whole;
    });
    const adopted = await adoptBaselineAt(lane, now.head);
    if (!adopted.ok) throw new Error('a simulated tree is always there');
    const { head, branch } = now;
    const moved = { ...checkpoint, ref, commit: ref, tree: idOf(now.tree), head, branch };
    return { tree: idOf(whole), checkpoint: moved, problem: null };
  },
  probe: repeatable,
});

/** The work merged with what landed since it began; null: both changed the same. The harness's own files are written on the newer commits, and not merged. */
function onNewest(
  mission: Mission,
  { checkpoint, own }: { readonly checkpoint: Checkpoint; readonly own: readonly string[] },
  work: Tree,
): { readonly now: Snapshot; readonly whole: Tree | null } {
  const now = checkpointNow(mission, checkpoint);
  const { tree: base } = snapshotOf(mission, checkpoint);
  const both = merged(base, withFiles(work, pick(base, own)), now.tree);
  return { now, whole: both === null ? null : withFiles(both, pick(work, own)) };
}

export const simulatedTakesTurns = (lane: RunContext, { mission }: ProcessRun): A<'take-turn'> => ({
  async perform({ item, checkpoint, own }, { signal }): Promise<TakeTurnOutcome> {
    const { repo, trees } = mission;
    const noTurn: TakeTurnOutcome = { has: false, newest: null };
    if (lane.lanes === null || item === null || !(await lane.lanes.tryTurn(item, signal))) return noTurn;
    const work = repo.work;
    const { now, whole } = onNewest(mission, { checkpoint, own }, work);
    if (now.head === checkpoint.head) return { has: true, newest: null };
    if (whole === null) {
      lane.lanes.endTurn(item);
      return noTurn;
    }
    for (const one of [whole, now.tree, work]) trees.set(idOf(one), one);
    const adopted = await adoptBaselineAt(lane, now.head);
    if (!adopted.ok) throw new Error('a simulated tree is always there');
    return { has: true, newest: { tree: idOf(whole), base: idOf(now.tree), work: idOf(work) } };
  },
  probe: repeatable,
});
