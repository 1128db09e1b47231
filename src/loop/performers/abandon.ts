// A session that an earlier process left open and that no position knows any more, since the journal was lost or written by another version:
// its agent is ended, its work is kept as an attempt, and the tree is as it was before it. Questions about the item that nothing waits for any
// more are withdrawn.
import { readCommits } from '../../repos/message.ts';
import { endOrphans } from '../../host/process-tree.ts';
import type { ActionOf, Performer } from '../../engine/types.ts';
import type { AbandonOutcome, Actions } from '../../model/action.ts';
import { ok, type Result } from '../../model/result.ts';
import { closeWindow, isWindowOpen } from '../../verify/window.ts';
import type { Lane } from '../lane.ts';
import { writeSessionRecord } from '../records/session.ts';
import { windowOf } from '../sessions.ts';
import { recordCosts } from './remember.ts';
import { readBegun, undoCut, wasBegun } from './cut-turn.ts';
import { repeatable } from './repeatable.ts';

/** Every session has a first turn. */
const FIRST = 1;

export const abandons = (lane: Lane): Performer<ActionOf<Actions, 'abandon'>, AbandonOutcome> => ({
  async perform({ session, item }) {
    const withdrawn = await withdrawQuestions(lane, item);
    if (!withdrawn.ok) return { blocked: withdrawn.failure };
    const known = lane.sessions.pointer(session);
    if (known === null || !isWindowOpen(windowOf(known.folder))) return { isAbandoned: false, attempt: null };
    await endOrphans(known.token);
    const landed = await hasLanded(lane, known.folder, session);
    if (!landed.ok) return { blocked: landed.failure };
    const undone = landed.value ? ok(null) : await undoCut(lane, { item, session, turn: FIRST }, known.folder);
    if (!undone.ok) return { blocked: undone.failure };
    const attempt = undone.value;
    if (item !== null) {
      const recorded = recordCosts(lane, session, item);
      if (!recorded.ok) return { blocked: recorded.failure };
      const about = { completed: false, termination: 'error', result: 'failed', reason: 'session-lost' };
      writeSessionRecord(lane, session, { item, ...about, attempt });
    }
    // Last: until then the session is open, and all of this is repeated after a crash.
    const closed = closeWindow(lane.io, { into: windowOf(known.folder) });
    return closed.ok ? { isAbandoned: true, attempt } : { blocked: closed.failure };
  },
  probe: repeatable,
});

/** A crash after the landing commit leaves the session open, too: then nothing of it is to be undone. */
async function hasLanded(lane: Lane, folder: string, session: number): Promise<Result<boolean>> {
  if (!wasBegun(folder, FIRST)) return ok(false);
  const since = await readCommits(lane.git, ['HEAD', `^${readBegun(folder, FIRST).head}`]);
  if (!since.ok) return since;
  return ok(since.value.some(({ trailers }) => trailers['Harness-Session'] === String(session)));
}

/** This position has not asked anything yet, so that an answer to an open question of an earlier one, lost or paused, would pass nothing. */
async function withdrawQuestions(lane: Pick<Lane, 'gates'>, item: string | null): Promise<Result<null>> {
  if (item === null) return ok(null);
  const open = lane.gates.list({ open: true });
  if (!open.ok) return open;
  for (const { gate } of open.value) {
    if (gate.item !== item) continue;
    const withdrawn = await lane.gates.withdraw(gate.id, 'session-lost');
    if (!withdrawn.ok && withdrawn.failure.reason !== 'gate-already-answered') return withdrawn;
  }
  return ok(null);
}
