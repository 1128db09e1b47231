// Items of a simulated run that wait for an answer: their work out of the work tree and back, and brought onto what landed meanwhile.
import { readFileSync, existsSync } from 'node:fs';
import type { RunContext } from '../../src/loop/run-context.ts';
import { repeatable } from '../../src/loop/performers/repeatable.ts';
import { withdrawQuestions } from '../../src/loop/questions.ts';
import type { BringOutcome, Checkpoint } from '../../src/model/action.ts';
import type { ParkOutcome, UnparkOutcome } from '../../src/model/waiting-item.ts';
import { count } from './ledger.ts';
import type { ProcessRun } from './process-run.ts';
import type { A } from './performers.ts';
import { changedBetween, headOf, history, idOf, merged, type Repository, type Snapshot } from './repository.ts';

export const simulatedParks = (lane: RunContext, { mission: { repo, ledger } }: ProcessRun): A<'park'> => ({
  async perform({ resumes }): Promise<ParkOutcome> {
    const file = lane.ledger;
    if (!repo.parked.has(resumes)) {
      count(ledger.acts, 'parked');
      const text = existsSync(file) ? readFileSync(file, 'utf8') : null;
      const base = headOf(repo).tree;
      await lane.io.effect('git park', async () => {
        repo.parked.set(resumes, { tree: repo.work, base, ledger: text });
      });
    }
    await lane.io.effect('git restore', async () => void (repo.work = headOf(repo).tree));
    return { isParked: true };
  },
  probe: repeatable,
});

export const simulatedUnparks = (lane: RunContext, { mission: { repo, ledger } }: ProcessRun): A<'unpark'> => ({
  async perform({ item, resumes, to }): Promise<UnparkOutcome> {
    const kept = repo.parked.get(resumes);
    if (kept === undefined) return { attempt: null };
    if (to === 'attempt') {
      const withdrawn = await withdrawQuestions(lane, item, 'item-over');
      if (!withdrawn.ok) throw new Error('a question cannot be withdrawn');
      const ref = `refs/harness/attempts/${idOf(kept.tree)}`;
      await lane.io.effect('git attempt', async () => {
        repo.attempts.set(resumes, { ref, tree: kept.tree, why: 'item-over' });
        repo.parked.delete(resumes);
      });
      return { attempt: ref };
    }
    count(ledger.acts, 'unparked');
    const isWork = changedBetween(kept.base, kept.tree).length > 0;
    if (isWork) await lane.io.effect('git unpark', async () => void (repo.work = kept.tree));
    if (kept.ledger !== null) lane.io.replace(lane.ledger, kept.ledger);
    await lane.io.effect('git forget', async () => void repo.parked.delete(resumes));
    return { attempt: null };
  },
  probe: repeatable,
});

/** The checkpoint on top of what landed since: commits of the harness stay, those of the agent above them do not. */
export const checkpointNow = (repo: Repository, checkpoint: Pick<Checkpoint, 'ref' | 'head'>): Snapshot =>
  checkpointOnto(repo, repo.refs.get(checkpoint.ref)!);

export function checkpointOnto(repo: Repository, before: Snapshot): Snapshot {
  const newer = [...history(repo)];
  const since = newer.slice(
    0,
    newer.findIndex(({ id }) => id === before.head),
  );
  const tip = since.find(({ trailers }) => trailers['Harness-Token'] !== undefined);
  if (tip === undefined) return before;
  const base = repo.commits.get(before.head)!.tree;
  return { tree: merged(base, tip.tree, before.tree) ?? tip.tree, head: tip.id, branch: before.branch };
}

export const simulatedBrings = (lane: RunContext, { mission: { repo, trees } }: ProcessRun): A<'bring'> => ({
  async perform({ checkpoint, tree }): Promise<BringOutcome> {
    const now = checkpointNow(repo, checkpoint);
    const ours = trees.get(tree)!;
    const base = repo.refs.get(checkpoint.ref)!.tree;
    const both = merged(base, now.tree, ours);
    if (both === null) {
      const ids = changedBetween(now.tree, ours);
      return { tree: null, problem: { code: 'landing-conflict', params: { commit: now.head }, ids } };
    }
    const ref = `${checkpoint.ref}@${now.head}`;
    await lane.io.effect('git bring', async () => {
      repo.refs.set(ref, now);
      trees.set(idOf(both), both);
      repo.work = both;
    });
    const { head, branch } = now;
    const moved = { ...checkpoint, ref, commit: ref, tree: idOf(now.tree), head, branch };
    return { tree: idOf(both), checkpoint: moved, problem: null };
  },
  probe: repeatable,
});
