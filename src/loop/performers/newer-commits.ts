// Commits that are on the branch since a session began. The user's stay, and the session ends on top of them; the agent's are kept as an
// attempt and taken off the branch, since the harness commits.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod/mini';
import type { Checkpoint } from '../../model/checkpoint.ts';
import { ok, type Result } from '../../model/result.ts';
import { keepAttempt, type Attempt } from '../../repos/attempts.ts';
import type { Snapshot } from '../../repos/checkpoint.ts';
import { checkpointOnto } from '../../repos/checkpoint-onto.ts';
import { tipOf } from '../../repos/follow.ts';
import type { ObjectId } from '../../repos/git.ts';
import { moveHead, readHead, type Head } from '../../repos/head.ts';
import { readCommits } from '../../repos/message.ts';
import { asUser } from '../../repos/settings.ts';
import type { RunEvents, RunHost, RunRepository, RunSettings, RunStores } from '../run-context.ts';

type About = {
  readonly item: string | null;
  readonly session: number;
  readonly token: string;
  /** The attempt that has everything already; left out: it is made. */
  readonly kept?: Attempt | null;
  /** The caller names the commits. */
  readonly isNamed?: true;
  /** The session continues: in a work tree of the harness's own it stays where it began, and is brought onto what others landed at its end. */
  readonly continues?: true;
};
type Context = RunRepository & RunStores & RunHost & RunEvents;

/** Where an agent of this session works: in a box that cannot write `.git`, every newer commit is a user's. */
export const cannotCommit = ({ config, box }: RunSettings & RunHost, provider: string): boolean =>
  config.sandbox.agents !== 'outside' &&
  provider !== 'scripted' &&
  provider !== 'replay' &&
  (box.level === 'bwrap' || box.level === 'srt');

const closedSchema = z.object({ head: z.nullable(z.string()), branch: z.nullable(z.string()) });
const closedFile = (folder: string): string => join(folder, 'closed.json');

/** Noted once, when the agent's processes have ended: what is committed later is a user's. */
export async function noteClosed(context: RunRepository & RunHost, folder: string): Promise<Result<null>> {
  if (existsSync(closedFile(folder)) || !existsSync(folder)) return ok(null);
  const head = await readHead(context.git);
  if (!head.ok) return head;
  const { commit, branch } = head.value;
  context.io.replace(closedFile(folder), `${JSON.stringify({ head: commit, branch })}\n`);
  return ok(null);
}

/**
 * The checkpoint that a session's end is based on: the one of its start, or the same on top of the user's newer commits. Commits of the
 * agent are kept as an attempt, and HEAD is brought back, unless a user has committed on top of them. Repeatable.
 */
export async function checkpointNow(
  context: Context,
  checkpoint: Checkpoint,
  about: About,
): Promise<Result<Checkpoint>> {
  const taken = await takeOffBranch(context, checkpoint, about);
  if (!taken.ok) return taken;
  if (taken.value === 'same') return about.continues === true ? ok(checkpoint) : onTip(context, checkpoint);
  return taken.value === 'taken' ? ok(checkpoint) : checkpointOnto(context.git, checkpoint, taken.value.users);
}

/**
 * Commits since `start`: the agent's are kept as an attempt and taken off the branch, the user's stay. Repeatable.
 * 'same': there are none. 'taken': HEAD is back where it was. `users`: the newest of the user's.
 */
export async function takeOffBranch(
  context: Context,
  start: Snapshot,
  about: About,
): Promise<Result<'same' | 'taken' | { readonly users: ObjectId }>> {
  const head = await readHead(context.git);
  if (!head.ok) return head;
  const { commit, branch } = head.value;
  if (commit === start.head && (branch ?? '') === start.branch) return ok('same');
  if (commit !== null && isUsers(context, start, about, head.value)) return ok({ users: commit });
  const dropped = await dropAgentCommits(context, start, about, head.value);
  return dropped.ok ? ok('taken') : dropped;
}

/** From a work tree of the harness's own the branch is the user's: what came onto it is theirs. */
async function onTip({ git }: Context, checkpoint: Checkpoint): Promise<Result<Checkpoint>> {
  if (git.lands === null) return ok(checkpoint);
  const tip = await tipOf(git);
  if (!tip.ok) return tip;
  return tip.value === null || tip.value === checkpoint.head
    ? ok(checkpoint)
    : checkpointOnto(git, checkpoint, tip.value);
}

function isUsers(context: RunStores, start: Snapshot, { session }: About, head: Head): boolean {
  if ((head.branch ?? '') !== start.branch) return false;
  const pointer = context.sessions.pointer(session);
  if (pointer?.cannotCommit === true) return true;
  const file = pointer === null ? null : closedFile(pointer.folder);
  if (file === null || !existsSync(file)) return false;
  const closed = closedSchema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  return closed.success && closed.data.head !== head.commit;
}

const MOST_NAMED = 3;

async function dropAgentCommits(
  context: Context,
  start: Snapshot,
  { item, session, token, kept: known, isNamed }: About,
  now: Head,
): Promise<Result<null>> {
  const why = 'commits of the agent';
  const made =
    now.commit === null ? ok([]) : await readCommits(context.git, [`-n${MOST_NAMED}`, now.commit, `^${start.head}`]);
  if (!made.ok) return made;
  const kept =
    known === undefined
      ? await keepAttempt(context.git, { item, session, token: `${token}#commits`, why, base: start })
      : ok(known);
  if (!kept.ok) return kept;
  const user = await asUser(context.git);
  if (!user.ok) return user;
  const moved = await moveHead(
    context.git,
    { commit: start.head, branch: start.branch },
    "harness: the agent's commits are squashed",
    user.value,
    now,
  );
  if (!moved.ok || isNamed === true) return moved;
  context.notify({
    type: 'commits-kept',
    level: 'important',
    session,
    ...(item === null ? {} : { item }),
    // They may be the user's, who must be able to find them.
    data: {
      attempt: kept.value?.ref ?? null,
      number: kept.value?.number ?? null,
      item,
      commits: made.value.map(({ subject }) => context.redact(subject).slice(0, 60)),
    },
  });
  return ok(null);
}
