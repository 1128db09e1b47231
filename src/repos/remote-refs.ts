// Refs of a remote: where they are, and moving several of them together, only from where they were.
import { failure } from '../model/failure.ts';
import { err, ok, type Result } from '../model/result.ts';
import type { Git, ObjectId } from './git.ts';
import { resolveCommit } from './head.ts';
import { remoteEnvironment } from './remote.ts';

/** null: it does not exist, or is to be removed. */
export type RemoteMove = { readonly ref: string; readonly from: ObjectId | null; readonly to: ObjectId | null };

const WALL_MS = 5 * 60_000;

/** Fails with `forge-unreachable` where the remote cannot be asked. */
export async function remoteRefs(
  git: Git,
  ask: { readonly remote: string; readonly url: string; readonly refs: readonly string[] },
): Promise<Result<ReadonlyMap<string, ObjectId>>> {
  const env = await remoteEnvironment(git);
  if (!env.ok) return env;
  const { remote, url, refs } = ask;
  const listed = await git.run(['ls-remote', '-q', '--', url, ...refs], { env: env.value, wallMs: WALL_MS });
  if (!listed.ok) return unreachable(remote, listed.failure.params['words']);
  const found = listed.value.split('\n').map((line) => line.split('\t'));
  const wanted = new Set(refs);
  // A pattern matches the end of a name too: `refs/x/refs/heads/main`.
  return ok(new Map(found.flatMap(([id = '', ref = '']) => (wanted.has(ref) ? [[ref, id] as const] : []))));
}

const TRIES = 3;

/** The same, with the commits they name and all below these here. No ref of this repository moves. */
export async function fetchRefs(
  git: Git,
  ask: { readonly remote: string; readonly url: string; readonly refs: readonly string[] },
): Promise<Result<ReadonlyMap<string, ObjectId>>> {
  const { remote, url } = ask;
  for (let tries = 1; ; tries += 1) {
    const found = await remoteRefs(git, ask);
    if (!found.ok) return found;
    const missing: string[] = [];
    for (const [ref, id] of found.value) {
      const known = await resolveCommit(git, id);
      if (!known.ok || known.value === null) missing.push(ref);
    }
    if (missing.length === 0) return found;
    const env = await remoteEnvironment(git);
    if (!env.ok) return env;
    const tips = await knownTips(git, remote);
    if (!tips.ok) return tips;
    const quiet = ['-q', '--no-tags', '--no-recurse-submodules', '--no-auto-maintenance', '--no-write-fetch-head'];
    const known = tips.value.map((id) => `--negotiation-tip=${id}`);
    const args = ['fetch', ...quiet, ...known, '--', url, ...missing];
    const fetched = await git.run(args, { env: env.value, wallMs: WALL_MS });
    // A ref that was removed or moved in between is looked at again.
    if (!fetched.ok && tries === TRIES) return unreachable(remote, fetched.failure.params['words']);
    if (tries > TRIES) return unreachable(remote, 'the refs moved again and again');
  }
}

/** Commits that both sides may have: what they hold is not sent again. */
async function knownTips(git: Git, remote: string): Promise<Result<readonly ObjectId[]>> {
  const refs = ['refs/heads/', `refs/remotes/${remote}/`, 'refs/harness/forge'];
  const out = await git.run(['for-each-ref', '--count=50', '--sort=-committerdate', '--format=%(objectname)', ...refs]);
  return out.ok ? ok([...new Set(out.value.split('\n').filter((line) => line !== ''))]) : out;
}

/**
 * All moves or none. `overtaken`: one of the refs is not where it was. A push whose answer was lost counts as done where the refs say so. Fails
 * with `forge-refused` and `forge-unreachable`.
 */
export async function moveRemoteRefs(
  git: Git,
  ask: { readonly remote: string; readonly url: string; readonly moves: readonly RemoteMove[] },
): Promise<Result<'moved' | 'overtaken'>> {
  const { remote, url, moves } = ask;
  const env = await remoteEnvironment(git);
  if (!env.ok) return env;
  const leases = moves.map(({ ref, from }) => `--force-with-lease=${ref}:${from ?? ''}`);
  const specs = moves.map(({ ref, to }) => `${to ?? ''}:${ref}`);
  const args = ['push', '--porcelain', '--no-verify', '--atomic', ...leases, '--', url, ...specs];
  const pushed = await git.run(args, { env: env.value, wallMs: WALL_MS });
  if (pushed.ok) return ok('moved');
  const { exit, words } = pushed.failure.params;
  const refs = moves.map(({ ref }) => ref);
  const now = await remoteRefs(git, { remote, url, refs });
  if (!now.ok) return now;
  const isAt = (which: 'from' | 'to') => moves.every((move) => (now.value.get(move.ref) ?? null) === move[which]);
  if (isAt('to')) return ok('moved');
  if (!isAt('from')) return ok('overtaken');
  // Git ends with 1 where the remote answered.
  if (exit !== 1) return unreachable(remote, words);
  return err(failure('forge-refused', { what: `git push ${remote} ${shortNames(refs)}`, words: String(words ?? '') }));
}

const unreachable = (remote: string, words: unknown): Result<never> =>
  err(failure('forge-unreachable', { host: remote, words: typeof words === 'string' ? words : '' }));

const shortNames = (refs: readonly string[]): string => refs.map((ref) => ref.replace(/^refs\/heads\//, '')).join(', ');
