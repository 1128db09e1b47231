// Commits, pushes and the stash: what the harness does to the user's history. Each recognises itself by its token.
import type { ActionOf, Performer } from '../../engine/types.ts';
import type { Actions, CommitOutcome, PushOutcome, StashOutcome } from '../../model/action.ts';
import { Bug } from '../../model/bug.ts';
import { commitTree } from '../../repos/commit.ts';
import { pushBranch } from '../../repos/push.ts';
import { stashUserWork } from '../../repos/stash.ts';
import type { Lane } from '../lane.ts';
import { repeatable } from './repeatable.ts';

export const commits = (lane: Lane): Performer<ActionOf<Actions, 'commit'>, CommitOutcome> => ({
  async perform({ style, item, session, subject, body, tree, only, edit }, { token }) {
    const write = edit === null ? null : lane.playbook.edits[edit.name];
    if (edit !== null && !write) throw new Bug(`playbook ${lane.playbook.name} has no edit "${edit.name}"`);
    const files = edit !== null && write ? await write(lane.world, edit.input) : {};
    const made = await commitTree(lane.git, {
      style,
      item,
      session,
      run: lane.run,
      token,
      subject: oneLine(subject),
      body,
      files,
      only,
      expectTree: tree,
    });
    if (!made.ok) return { blocked: made.failure };
    if (made.value.commit !== null && style === 'accept')
      lane.tell({
        type: 'landed',
        level: 'critical',
        session,
        ...(item === null ? {} : { item }),
        data: { commit: made.value.commit },
      });
    return made.value;
  },
  probe: repeatable,
});

/** A title may be anything; a subject is one line of at most 100 characters. */
function oneLine(subject: string): string {
  const line = subject.replace(/\s+/g, ' ').trim();
  return line.length <= 100 ? line : `${line.slice(0, 99)}…`;
}

export const pushes = (lane: Lane): Performer<ActionOf<Actions, 'push'>, PushOutcome> => ({
  async perform({ commit }) {
    const { remote } = lane.config.push;
    if (remote === null) return { pushed: false, remote: null, failure: null };
    const pushed = await pushBranch(lane.git, { remote, commit });
    if (pushed.ok) return { pushed: true, remote, failure: null };
    // Landed is landed: a push that was refused is told, and the next landing pushes both.
    lane.tell({ type: 'push-failed', level: 'critical', data: { remote, reason: pushed.failure.reason } });
    return { pushed: false, remote, failure: pushed.failure };
  },
  probe: repeatable,
});

export const stashes = (lane: Lane): Performer<ActionOf<Actions, 'stash'>, StashOutcome> => ({
  async perform({ session }, { token }) {
    const stashed = await stashUserWork(lane.git, `harness: your work before session ${session} (${token.slice(-12)})`);
    if (!stashed.ok) return { blocked: stashed.failure };
    lane.tell({ type: 'work-stashed', level: 'critical', session, data: { stash: stashed.value } });
    return { stash: stashed.value };
  },
  probe: repeatable,
});
