// Commits and the stash: what the harness does to the user's history. Each recognises itself by its token.
import { textsOf, type Texts } from '../../engine/definitions.ts';
import type { ActionOf, Performer } from '../../engine/types.ts';
import { sha256 } from '../../host/files.ts';
import { duringShortLock } from '../../host/short-lock.ts';
import type { Actions, StashOutcome } from '../../model/action.ts';
import type { CommitAsk, CommitOutcome } from '../../model/landing-action.ts';
import { ok, type Result } from '../../model/result.ts';
import { inRounds, tryCommit, type CommitPlace, type Overtaken, type TreeCommitAsk } from '../../repos/commit.ts';
import { findByToken } from '../../repos/by-token.ts';
import { dropBundle } from '../../repos/evidence.ts';
import { landBaseline } from '../records/baseline.ts';
import { readHead } from '../../repos/head.ts';
import { dropLanded } from '../../repos/pending-log.ts';
import { stashUserWork } from '../../repos/stash.ts';
import { readNewest } from '../newest-list.ts';
import type { RunContext, RunEvents, RunRepository } from '../run-context.ts';
import { asProblem } from '../nested.ts';
import { timedFiles } from '../record-turn.ts';
import { addedSecrets, withoutSecrets } from '../secrets.ts';
import { sealOf } from '../seal.ts';
import { checkpointNow } from './newer-commits.ts';
import { repeatable } from './repeatable.ts';
import { tellUsersFiles, usersFiles, type UsersFiles } from './users-files.ts';

export const commits = (context: RunContext): Performer<ActionOf<Actions, 'commit'>, CommitOutcome> => ({
  async perform(ask, { token }) {
    // A change of the list is made from the newest commit: what landed since the run's own work tree was last looked at counts.
    const brought =
      ask.checkpoint === null && context.lanes !== null && context.lane === 0 ? await context.bring() : ok(null);
    if (!brought.ok) return { blocked: brought.failure };
    const head = await readHead(context.git);
    if (!head.ok) return { blocked: head.failure };
    const from = ask.mergedWith ?? ask.checkpoint?.head ?? head.value.commit;
    const theirs = ask.checkpoint === null ? ok(null) : await usersFiles(context, ask.session);
    if (!theirs.ok) return { blocked: theirs.failure };
    const made = await inRounds(() => commitOnce(context, ask, token, { from, theirs: theirs.value }));
    const refused = made.ok || ask.checkpoint === null ? null : asProblem(made.failure);
    if (!made.ok && refused === null) return { blocked: made.failure };
    const outcome: CommitOutcome = made.ok ? made.value : { commit: null, tree: '', refused };
    const { commit } = outcome;
    const { bundle, session, item, onto } = ask;
    if (bundle !== undefined && commit === null) {
      // Of an earlier try of this landing, which a kill or another commit cut.
      const dropped = await dropBundle(context.git, markOf(token));
      if (!dropped.ok) return { blocked: dropped.failure };
    } else if (bundle !== undefined && commit !== null && onto === undefined) {
      const landed = await landBaseline(context, session, { verdict: bundle.verdict, commit });
      if (!landed.ok) return { blocked: landed.failure };
    }
    notifyOf(context, ask, outcome);
    if (commit !== null && theirs.value !== null && onto === undefined) {
      const { stay: users = [] } = outcome;
      tellUsersFiles(context, { ...theirs.value, users }, { session, item, ends: 'landed' });
    }
    return outcome;
  },
  probe: repeatable,
});

/** Commits travel: they carry no path of this machine. */
const markOf = (token: string): string => sha256(token).slice(0, 20);

async function commitOnce(
  context: RunContext,
  {
    style,
    item,
    session,
    subject,
    body,
    tree,
    only,
    edit,
    checkpoint,
    bundle,
    merges,
    unwinds,
    proof,
    onto,
  }: CommitAsk,
  token: string,
  { from, theirs }: { readonly from: string | null; readonly theirs: UsersFiles | null },
): Promise<Result<CommitOutcome | Overtaken>> {
  const mark = markOf(token);
  const known = await findByToken(context.git, mark, onto);
  if (!known.ok) return known;
  if (checkpoint !== null && known.value === null) {
    // Own files are made from its ref, which is on top of what a user has committed since.
    const now = await checkpointNow(context, checkpoint, { item, session, token });
    if (!now.ok) return now;
  }
  const { lands } = context.git;
  const newest = lands === null ? null : (checkpoint?.ref ?? `refs/heads/${lands.branch}`);
  const files = edit === null ? ok<Texts>({}) : await textsOf(edit, readNewest(context, newest));
  if (!files.ok) return files;
  const timed = timedFiles(
    context,
    JSON.stringify([session, style, item, oneLine(subject), nameInRecording(edit)]),
    files.value,
  );
  if (!timed.ok) return timed;
  const shown = (text: string): string => withoutSecrets(context, text);
  const { progress } = context.config.paths;
  // Files that the commit has as the one before are the harness's own too.
  const own = [...new Set([...Object.keys(timed.value), ...context.git.carried])];
  const seal =
    bundle === undefined || item === null ? {} : { seal: sealOf(context, { item, session, token, mark, own, bundle }) };
  const asked = {
    style,
    item,
    session,
    run: context.run,
    token: mark,
    subject: shown(oneLine(subject)),
    body: shown(body),
    files: own.includes(progress) ? { ...timed.value, [progress]: shown(timed.value[progress] ?? '') } : timed.value,
    only,
    expectTree: tree,
    // Commits of others were made by others, and a single file is the harness's own.
    ...(merges !== undefined || only !== null
      ? {}
      : { judge: ({ parentTree, tree: next }: CommitPlace) => addedSecrets(context, parentTree, next) }),
    ...(from === null ? {} : { from }),
    // In a work tree of the harness's own there are no edits of a user.
    ...(theirs === null || context.git.lands !== null ? {} : { users: theirs.users }),
    ...seal,
    ...(merges === undefined ? {} : { merges }),
    ...(unwinds === undefined ? {} : { unwinds }),
    ...(proof === undefined ? {} : { proof }),
    ...(onto === undefined ? {} : { onto }),
  } satisfies TreeCommitAsk;
  const landing = (): Promise<Result<CommitOutcome | Overtaken>> => tryCommit(context.git, asked);
  // A bundle names the one before it: no other run of the repository lands from the making of a bundle until it is in the chain.
  const done = 'seal' in seal ? await duringShortLock(context.privateDir, 'landing', landing) : ok(await landing());
  const made = done.ok ? done.value : done;
  if (made.ok && 'commit' in made.value && made.value.commit !== null)
    dropLanded(context.io, context.workspaceDir, timed.value);
  return made;
}

function notifyOf(
  context: RunEvents,
  { style, item, session, unwinds, proof, onto }: CommitAsk,
  made: CommitOutcome,
): void {
  if (made.commit === null || onto !== undefined) return;
  if (style === 'accept')
    context.notify({
      type: 'landed',
      level: 'critical',
      session,
      ...(item === null ? {} : { item }),
      data: { commit: made.commit, evidence: made.evidence ?? '', proof: proof ?? '' },
    });
  if (item !== null && unwinds === true)
    context.notify({ type: 'unwound', level: 'important', item, data: { commit: made.commit } });
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
