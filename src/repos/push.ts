// Sending a branch to a remote: fast-forward only. What was not taken is looked into, and tried once more where that may help.
import { failure } from '../model/failure.ts';
import { err, ok, type Result } from '../model/result.ts';
import type { Git, ObjectId } from './git.ts';
import { asNull } from './head.ts';
import { fetchBranch, isWithin, remoteEnvironment, remoteUrl, trackingRef, type RemoteBranch } from './remote.ts';

export type PushAskOf = Omit<RemoteBranch, 'url'> & {
  readonly commit: ObjectId;
  /** null: as the configuration has it now. */
  readonly url: string | null;
};
/** `behind`: the remote branch went another way, and was left alone; where it is now. null: the commit is there. */
export type Pushed = { readonly behind: ObjectId | null };

type Wait = (ms: number) => Promise<unknown>;

const PUSH_WALL_MS = 5 * 60_000;
/** Long enough for a broken connection, or for a push of others to end. */
export const PUSH_AGAIN_MS = 5_000;
const TRIES = 2;

/**
 * Pushes a commit to a branch of a remote, never by force; pushing again what is there already is fine. Fails with
 * `push-rejected` where the remote said no, with `push-unreachable` where it could not be asked (`remote`, `branch`,
 * `words`: git's own).
 */
export async function pushBranch(git: Git, ask: PushAskOf, wait: Wait): Promise<Result<Pushed>> {
  const { remote, branch, commit } = ask;
  const found = ask.url === null ? await remoteUrl(git, remote) : ok(ask.url);
  if (!found.ok) return found;
  const url = found.value;
  if (url === null) return err(failure('push-rejected', { remote, branch, words: `no remote named ${remote}` }));
  for (let tried = 1; ; tried += 1) {
    const sent = await send(git, { remote, branch, url, commit });
    if (sent.ok || sent.failure.reason !== 'git-failed') return sent.ok ? ok({ behind: null }) : sent;
    // What git says of a refusal depends on the server: where the branch is now is a fact.
    const theirs = await fetchBranch(git, { remote, branch, url, known: commit });
    const next = theirs.ok ? await afterRefusal(git, commit, theirs.value) : ok(null);
    if (!next.ok) return next;
    if (next.value !== null) return ok(next.value);
    const { exit, words } = sent.failure.params;
    // Git ends with 1 where the remote answered, with 128 where it never came to that.
    const reason = exit === 1 ? 'push-rejected' : 'push-unreachable';
    if (tried === TRIES) return err(failure(reason, { remote, branch, words: String(words ?? '') }));
    await wait(PUSH_AGAIN_MS);
  }
}

async function send(git: Git, ask: RemoteBranch & { readonly commit: ObjectId }): Promise<Result<null>> {
  const env = await remoteEnvironment(git);
  if (!env.ok) return env;
  const { branch, url, commit } = ask;
  const args = ['push', '--porcelain', '--no-verify', '--', url, `${commit}:refs/heads/${branch}`];
  const pushed = await git.run(args, { env: env.value, wallMs: PUSH_WALL_MS });
  if (!pushed.ok) return pushed;
  return asNull(await git.run(['update-ref', '-m', 'harness: push', trackingRef(ask), commit]));
}

/**
 * Others may have built on the commit already, after a push whose answer was lost. null: the branch has nothing
 * new, so it was refused for another reason.
 */
async function afterRefusal(git: Git, commit: ObjectId, theirs: ObjectId): Promise<Result<Pushed | null>> {
  const isThere = await isWithin(git, commit, theirs);
  if (!isThere.ok || isThere.value) return isThere.ok ? ok({ behind: null }) : isThere;
  const isBelow = await isWithin(git, theirs, commit);
  if (!isBelow.ok) return isBelow;
  return ok(isBelow.value ? null : { behind: theirs });
}
