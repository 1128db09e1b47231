// The work tree as it was, in a simulated run: checkpoints, what is taken back to them, what is put aside, patches.
import { sha256 } from '../../src/host/files.ts';
import type { RunContext } from '../../src/loop/run-context.ts';
import { repeatable } from '../../src/loop/performers/repeatable.ts';
import { writeCheckpointRecord } from '../../src/loop/records/checkpoints.ts';
import type { Checkpoint } from '../../src/model/checkpoint.ts';
import type { PatchOutcome } from '../../src/model/action.ts';
import { checkpointNow } from './parked.ts';
import type { ProcessRun } from './process-run.ts';
import { patched } from './patch.ts';
import type { A } from './performers.ts';
import { changedBetween, headOf, idOf, withFiles, type Tree } from './repository.ts';

export const simulatedCheckpoints = (lane: RunContext, { mission: { repo, trees } }: ProcessRun): A<'checkpoint'> => ({
  async perform({ session, item, why, of }, { token }) {
    const id = sha256(token).slice(0, 12);
    const ref = `refs/harness/checkpoints/${id}`;
    const commit = of === undefined ? null : of === 'HEAD' ? headOf(repo) : repo.commits.get(of)!;
    const at =
      commit === null
        ? { tree: repo.work, head: repo.head, branch: repo.branch }
        : { tree: commit.tree, head: commit.id, branch: repo.branch };
    await lane.io.effect('git checkpoint', async () => {
      repo.refs.set(ref, at);
      trees.set(idOf(at.tree), at.tree);
    });
    const { head, branch } = at;
    const checkpoint: Checkpoint = { id, ref, commit: ref, tree: idOf(at.tree), head, branch };
    const written = await writeCheckpointRecord(lane, checkpoint, { session, item, why });
    return written.ok ? checkpoint : { blocked: written.failure };
  },
  probe: repeatable,
});

/** What is in the work tree now and not in the checkpoint, by what reverts it. */
export function keepAttempt({ mission: { repo } }: ProcessRun, token: string, base: Tree, why: string): string | null {
  if (changedBetween(base, repo.work).length === 0) return repo.attempts.get(token)?.ref ?? null;
  const ref = `refs/harness/attempts/${sha256(token).slice(0, 12)}`;
  repo.attempts.set(repo.attempts.has(token) ? `${token} ${idOf(repo.work)}` : token, { ref, tree: repo.work, why });
  return ref;
}

export const simulatedRollbacks = (lane: RunContext, processRun: ProcessRun): A<'rollback'> => ({
  async perform({ checkpoint, why }, { token }) {
    const { repo } = processRun.mission;
    const before = checkpointNow(processRun.mission, checkpoint);
    let attempt: string | null = null;
    await lane.io.effect('git attempt', async () => void (attempt = keepAttempt(processRun, token, before.tree, why)));
    await lane.io.effect('git restore', async () => {
      repo.work = before.tree;
      repo.head = before.head;
      repo.branch = before.branch;
    });
    return { attempt, head: before.head };
  },
  probe: repeatable,
});

export const simulatedRestores = (lane: RunContext, { mission: { repo } }: ProcessRun): A<'restore'> => ({
  async perform({ checkpoint, paths }) {
    const before = repo.refs.get(checkpoint.ref)!.tree;
    const texts = Object.fromEntries(paths.map((path) => [path, before.get(path) ?? null]));
    await lane.io.effect('restore files', async () => void (repo.work = withFiles(repo.work, texts)));
    return { restored: paths };
  },
  probe: repeatable,
});

export const simulatedPatches = (lane: RunContext, processRun: ProcessRun): A<'patch'> => ({
  async perform({ checkpoint, diff, paths }, { token }): Promise<PatchOutcome> {
    const { repo } = processRun.mission;
    const before = repo.refs.get(checkpoint.ref)!.tree;
    const after = patched(before, diff);
    const beyond = after === null ? [] : changedBetween(before, after).filter((path) => !paths.includes(path));
    const why = after === null ? 'patch does not apply' : beyond.length > 0 ? `beyond: ${beyond.join(' ')}` : '';
    const wanted = why === '' && after !== null ? after : before;
    if (changedBetween(repo.work, wanted).length === 0) return { applied: why === '', why };
    await lane.io.effect('git attempt', async () => void keepAttempt(processRun, token, before, 'patch'));
    await lane.io.effect('git patch', async () => void (repo.work = wanted));
    return { applied: why === '', why };
  },
  probe: repeatable,
});

export const simulatedStashes = (lane: RunContext, processRun: ProcessRun): A<'stash'> => ({
  async perform(_ask, { token }) {
    const { repo } = processRun.mission;
    await lane.io.effect('git stash', async () => {
      keepAttempt(processRun, token, headOf(repo).tree, 'stash');
      repo.work = headOf(repo).tree;
    });
    return { stash: 'stash@{0}' };
  },
  probe: repeatable,
});
