// Commits and the stash: what the harness does to the user's history. Each recognises itself by its token.
import { textsOf, type Texts } from '../../engine/definitions.ts';
import type { ActionOf, Performer } from '../../engine/types.ts';
import { sha256 } from '../../host/files.ts';
import { duringShortLock } from '../../host/short-lock.ts';
import type { Actions, Checkpoint, CommitAsk, CommitOutcome, StashOutcome } from '../../model/action.ts';
import { ok, type Result } from '../../model/result.ts';
import { keepAttempt } from '../../repos/attempts.ts';
import { commitTree, findByToken } from '../../repos/commit.ts';
import { moveHead, readHead } from '../../repos/head.ts';
import { asUser } from '../../repos/settings.ts';
import { stashUserWork } from '../../repos/stash.ts';
import { readContext, type RunContext, type RunEvents, type RunRepository } from '../run-context.ts';
import { asProblem } from '../nested.ts';
import { timedFiles } from '../record-turn.ts';
import { sealOf } from '../seal.ts';
import { repeatable } from './repeatable.ts';

export const commits = (context: RunContext): Performer<ActionOf<Actions, 'commit'>, CommitOutcome> => ({
  async perform(
    { style, item, session, subject, body, tree, only, edit, checkpoint, bundle, merges, unwinds },
    { token },
  ) {
    const mark = sha256(token).slice(0, 20); // commits travel: they carry no path of this machine
    const known = await findByToken(context.git, mark);
    if (!known.ok) return { blocked: known.failure };
    if (checkpoint !== null && known.value === null) {
      const back = await dropAgentCommits(context, checkpoint, { item, session, token });
      if (!back.ok) return { blocked: back.failure };
    }
    const files = edit === null ? ok<Texts>({}) : await textsOf(edit, readContext(context));
    if (!files.ok) return { blocked: files.failure };
    const timed = timedFiles(
      context,
      JSON.stringify([session, style, item, oneLine(subject), nameInRecording(edit)]),
      files.value,
    );
    if (!timed.ok) return { blocked: timed.failure };
    const about = { style, item, session, run: context.run, token: mark, subject: oneLine(subject), body };
    const own = Object.keys(timed.value);
    const seal =
      bundle === undefined || item === null
        ? {}
        : { seal: sealOf(context, { item, session, token, mark, own, bundle }) };
    const joined = { ...(merges === undefined ? {} : { merges }), ...(unwinds === undefined ? {} : { unwinds }) };
    const asked = { ...about, files: timed.value, only, expectTree: tree, ...seal, ...joined };
    // A bundle names the one before it: no other run of the repository lands from the making of a bundle until it is in the chain.
    const landing = () => commitTree(context.git, asked);
    const done = 'seal' in seal ? await duringShortLock(context.privateDir, 'landing', landing) : ok(await landing());
    const made = done.ok ? done.value : done;
    if (!made.ok) {
      const refused = checkpoint === null ? null : asProblem(made.failure);
      return refused === null ? { blocked: made.failure } : { commit: null, tree: '', refused };
    }
    if (made.value.commit !== null && style === 'accept')
      context.notify({
        type: 'landed',
        level: 'critical',
        session,
        ...(item === null ? {} : { item }),
        data: { commit: made.value.commit, evidence: made.value.evidence ?? '' },
      });
    if (made.value.commit !== null && item !== null && unwinds === true)
      context.notify({ type: 'unwound', level: 'important', item, data: { commit: made.value.commit } });
    return made.value;
  },
  probe: repeatable,
});

/** Who commits is the harness: what an agent committed or switched to is kept as an attempt, and HEAD is brought back. */
async function dropAgentCommits(
  context: RunRepository,
  checkpoint: Checkpoint,
  about: { readonly item: string | null; readonly session: number; readonly token: string },
): Promise<Result<null>> {
  const head = await readHead(context.git);
  if (!head.ok) return head;
  if (head.value.commit === checkpoint.head && (head.value.branch ?? '') === checkpoint.branch) return ok(null);
  const kept = await keepAttempt(context.git, { ...about, why: 'commits of the agent', base: checkpoint });
  if (!kept.ok) return kept;
  const user = await asUser(context.git);
  if (!user.ok) return user;
  return moveHead(
    context.git,
    { commit: checkpoint.head, branch: checkpoint.branch },
    "harness: the agent's commits are squashed",
    user.value,
  );
}

/** Recordings name an edit without its playbook. */
const nameInRecording = (edit: CommitAsk['edit']): string => edit?.edit.replace(/^\w+\./, '') ?? '';

/** A title may be anything; a subject is one line of at most 100 characters. */
function oneLine(subject: string): string {
  const line = subject.replace(/\s+/g, ' ').trim();
  return line.length <= 100 ? line : `${line.slice(0, 99)}…`;
}

export const stashes = (context: RunRepository & RunEvents): Performer<ActionOf<Actions, 'stash'>, StashOutcome> => ({
  async perform({ session }, { token }) {
    const stashed = await stashUserWork(
      context.git,
      `harness: your work before session ${session} (${token.slice(-12)})`,
    );
    if (!stashed.ok) return { blocked: stashed.failure };
    context.notify({ type: 'work-stashed', level: 'critical', session, data: { stash: stashed.value } });
    return { stash: stashed.value };
  },
  probe: repeatable,
});
