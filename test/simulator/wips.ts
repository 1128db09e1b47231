// Work in progress of a simulated run: kept beside the branch, brought back file by file.
import { sha256 } from '../../src/host/files.ts';
import type { RunContext } from '../../src/loop/run-context.ts';
import { repeatable } from '../../src/loop/performers/repeatable.ts';
import type { SessionAsk } from '../../src/model/action.ts';
import { count } from './ledger.ts';
import { checkpointNow, snapshotOf } from './parked.ts';
import type { ProcessRun } from './process-run.ts';
import type { A } from './performers.ts';
import { changedBetween, idOf, merged, pick, withFiles, type Repository, type Wip } from './repository.ts';
import { keepAttempt } from './snapshots.ts';

export const simulatedKeepsWip = (lane: RunContext, processRun: ProcessRun): A<'keep-wip'> => ({
  async perform({ item, session, subject, checkpoint, own, tree: verified, reached }, { token }) {
    const { repo, trees } = processRun.mission;
    const now = checkpointNow(processRun.mission, checkpoint);
    const { tree: base } = snapshotOf(processRun.mission, checkpoint);
    if (repo.wips.get(item)?.token !== token) {
      const work = verified === undefined ? repo.work : trees.get(verified)!;
      const tree = withFiles(work, pick(base, own));
      await lane.io.effect('git keep', async () => {
        // What others changed since is kept with what was in the work tree.
        if (verified !== undefined) keepAttempt(processRun, `${token}#beside`, work, 'overtaken');
        if (changedBetween(base, tree).length === 0) {
          drop(repo, item);
          return;
        }
        const ref = `refs/harness/wip/${item}`;
        const commit = sha256(`${token} ${idOf(tree)}`).slice(0, 40);
        const about = { item, ref, commit, session, subject, at: lane.clock.iso(), token };
        const earlier = repo.wips.get(item) ?? null;
        const done = reached === undefined ? {} : { reached };
        repo.wips.set(item, { ...about, ...done, tree, base, before: earlier });
      });
    }
    await lane.io.effect('git restore', async () => {
      repo.work = now.tree;
      repo.head = now.head;
      repo.branch = now.branch;
    });
    return { commit: repo.wips.get(item)?.commit ?? null, refused: null };
  },
  probe: repeatable,
});

export const simulatedDropsWip = (lane: RunContext, { mission: { repo, ledger } }: ProcessRun): A<'drop-wip'> => ({
  async perform({ item }) {
    const attempt = repo.wips.get(item)?.commit ?? null;
    if (attempt !== null) {
      count(ledger.acts, 'work in progress given up');
      await lane.io.effect('git drop', async () => drop(repo, item));
    }
    return { attempt };
  },
  probe: repeatable,
});

function drop(repo: Repository, item: string): void {
  const wip = repo.wips.get(item);
  if (wip === undefined) return;
  for (let one: Wip | null = wip; one !== null; one = one.before)
    repo.attempts.set(one.commit, { ref: `refs/harness/attempts/${one.commit}`, tree: one.tree, why: one.subject });
  repo.wips.delete(item);
}

/** In the work tree, or, where it does not fit, set aside. */
export async function bringIn(lane: RunContext, { mission: { repo } }: ProcessRun, ask: SessionAsk): Promise<void> {
  const wip = repo.wips.get(ask.item ?? '');
  if (ask.continues !== true || ask.turn !== 1 || wip === undefined) return;
  await lane.io.effect('git resume', async () => {
    const tree = merged(wip.base, repo.work, wip.tree);
    if (tree === null) drop(repo, wip.item);
    else repo.work = tree;
  });
}

/** For work that needs no agent. */
export const simulatedTakesWip = (lane: RunContext, { mission: { repo, ledger } }: ProcessRun): A<'take-wip'> => ({
  async perform({ item, checkpoint }) {
    const before = repo.refs.get(checkpoint.ref)!.tree;
    const wip = repo.wips.get(item);
    const tree = wip === undefined ? null : merged(wip.base, before, wip.tree);
    await lane.io.effect('git resume', async () => {
      repo.work = tree ?? before;
      if (tree === null) drop(repo, item);
    });
    if (tree !== null) count(ledger.acts, 'work continued without an agent');
    return { isThere: tree !== null };
  },
  probe: repeatable,
});
