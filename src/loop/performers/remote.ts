// The remote: landed work is pushed; where the remote branch has diverged, it is merged. Also notifies listeners of landings.
import type { ActionOf, Performer } from '../../engine/types.ts';
import type { Actions, MergeOutcome } from '../../model/action.ts';
import type { PushOutcome } from '../../model/push.ts';
import { failure, type Failure, filesNamed } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { readHead } from '../../repos/head.ts';
import { mergeIntoWorkTree, type Merged } from '../../repos/merge.ts';
import { pushBranch } from '../../repos/push.ts';
import { countBeside } from '../../repos/remote.ts';
import type { RunEvents, RunHost, RunRepository, RunSettings } from '../run-context.ts';
import { reservedPaths } from '../protected.ts';
import { forgetUnpushed, noteUnpushed } from '../records/unpushed.ts';
import { repeatable } from './repeatable.ts';

type Place = { readonly remote: string; readonly branch: string };

export const pushes = (
  context: RunRepository & RunSettings & RunHost & RunEvents,
): Performer<ActionOf<Actions, 'push'>, PushOutcome> => ({
  async perform({ commit }, { signal }) {
    const { remote } = context.config.push;
    if (remote === null || context.pushUrl === null) return { pushed: false, remote: null, failure: null };
    const head = await readHead(context.git);
    if (!head.ok) return { blocked: head.failure };
    const branch = head.value.branch ?? '';
    const wait = (ms: number) => context.sleep(ms, signal);
    const pushed = await pushBranch(context.git, { remote, branch, commit, url: context.pushUrl }, wait);
    // A refused push does not undo the landing: it is reported, and the next landing pushes both.
    if (!pushed.ok) return { pushed: false, remote, failure: reportFailure(context, remote, pushed.failure) };
    const { behind } = pushed.value;
    if (behind === null) {
      forgetUnpushed(context);
      return { pushed: true, remote, failure: null };
    }
    const why = failure('push-behind', { remote, branch });
    noteUnpushed(context, why);
    context.notify({ type: 'push-behind', level: 'important', data: { remote } });
    return { pushed: false, remote, failure: why, theirs: behind };
  },
  probe: repeatable,
});

export const merges = (
  context: RunRepository & RunSettings & RunHost & RunEvents,
): Performer<ActionOf<Actions, 'merge'>, MergeOutcome> => ({
  async perform({ checkpoint, mine, theirs }) {
    const place = { remote: context.config.push.remote ?? '', branch: checkpoint.branch };
    const isReserved = reservedPaths(context);
    const merged = await mergeIntoWorkTree(context.git, { before: checkpoint, mine, theirs, isReserved });
    if (!merged.ok) return { blocked: merged.failure };
    const refused = refusalOf(merged.value, place);
    if (!refused.ok) {
      const isTouched = merged.value.is === 'unfinished';
      return { tree: null, failure: reportFailure(context, place.remote, refused.failure), isTouched };
    }
    const count = await countBeside(context.git, mine, theirs);
    if (!count.ok) return { blocked: count.failure };
    context.notify({ type: 'merged', level: 'important', data: { remote: place.remote, count: count.value } });
    const subject = `Merge remote-tracking branch '${place.remote}/${place.branch}'`;
    return { tree: refused.value, subject, count: count.value, failure: null };
  },
  probe: repeatable,
});

/** The merged tree, or why there is none. */
function refusalOf(merged: Merged, place: Place): Result<string> {
  switch (merged.is) {
    case 'merged':
      return ok(merged.tree);
    case 'conflict':
      return err(failure('pull-conflict', { ...place, ...filesNamed(merged.files) }));
    case 'reserved':
      return err(failure('pull-protected', { ...place, ...filesNamed(merged.files) }));
    default:
      return err(failure('push-behind', place));
  }
}

function reportFailure(context: RunRepository & RunHost & RunEvents, remote: string, why: Failure): Failure {
  noteUnpushed(context, why);
  context.notify({ type: 'push-failed', level: 'critical', data: { remote, reason: why.reason } });
  return why;
}

export const publishes = (context: RunEvents): Performer<ActionOf<Actions, 'publish'>, { readonly told: number }> => ({
  async perform({ item, commit }) {
    for (const listener of context.mirrors) await listener({ item, commit });
    return { told: context.mirrors.length };
  },
  probe: repeatable,
});
