// Talking to a remote: where it is, under which environment, and what a branch of it is now. No questions, and nothing
// that the repository's own configuration would run.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ok, type Result } from '../model/result.ts';
import type { Git, ObjectId } from './git.ts';
import { readSettings } from './settings.ts';
import { rawFolder, rawView } from './view.ts';

/** `url` as read before an agent could edit the configuration (`remoteUrl`). */
export type RemoteBranch = { readonly remote: string; readonly branch: string; readonly url: string };

type Environment = { readonly [name: string]: string | null };

const FETCH_WALL_MS = 5 * 60_000;

/** Where pushes to a remote go; null where there is no such remote. */
export async function remoteUrl(git: Git, remote: string): Promise<Result<string | null>> {
  const settings = await readSettings(git);
  if (!settings.ok) return settings;
  const { repository, own } = settings.value;
  const of = (key: string) => repository.get(key) ?? own.get(key);
  return ok(of(`remote.${remote}.pushurl`) ?? of(`remote.${remote}.url`) ?? null);
}

/** Under our own git folder, with the user's own configuration: credentials and rewrites are theirs, none the repository's. */
export async function remoteEnvironment(git: Git): Promise<Result<Environment>> {
  const view = await rawView(git);
  if (!view.ok) return view;
  const more = { GIT_WORK_TREE: null, ...shallowEnvironment(git) };
  return ok({ ...view.value.env, ...networkEnvironment(git.userEnv), ...more });
}

/** Our own git folder does not know by itself where a shallow clone ends. */
function shallowEnvironment(git: Git): Environment {
  const file = join(git.commonDir, 'shallow');
  return existsSync(file) ? { GIT_SHALLOW_FILE: file } : {};
}

/**
 * Brings the commits of a remote branch here and says where it is; the tracking ref follows, no branch does. `known` is
 * a commit that both sides may have: what it holds is not sent again. Fails with `git-failed`.
 */
export async function fetchBranch(
  git: Git,
  { remote, branch, url, known }: RemoteBranch & { readonly known: ObjectId },
): Promise<Result<ObjectId>> {
  const env = await remoteEnvironment(git);
  if (!env.ok) return env;
  const quiet = ['-q', '--no-tags', '--no-recurse-submodules', '--no-auto-maintenance'];
  const args = ['fetch', ...quiet, `--negotiation-tip=${known}`, '--', url, `refs/heads/${branch}`];
  const fetched = await git.run(args, { env: env.value, wallMs: FETCH_WALL_MS });
  if (!fetched.ok) return fetched;
  const found = await git.run(['rev-parse', '--verify', '-q', 'FETCH_HEAD^{commit}'], { env: env.value });
  if (!found.ok) return found;
  git.io.remove(join(rawFolder(git), 'FETCH_HEAD'));
  const theirs = found.value.trim();
  const tracked = await git.run(['update-ref', '-m', 'harness: fetch', trackingRef({ remote, branch }), theirs]);
  return tracked.ok ? ok(theirs) : tracked;
}

export const trackingRef = ({ remote, branch }: Pick<RemoteBranch, 'remote' | 'branch'>): string =>
  `refs/remotes/${remote}/${branch}`;

/** Whether a commit is the other one or below it. */
export async function isWithin(git: Git, commit: ObjectId, tip: ObjectId): Promise<Result<boolean>> {
  const beside = await git.run(['rev-list', '-n1', commit, `^${tip}`]);
  return beside.ok ? ok(beside.value.trim() === '') : beside;
}

/** How many commits `tip` has that `commit` has not. */
export async function countBeside(git: Git, commit: ObjectId, tip: ObjectId): Promise<Result<number>> {
  const counted = await git.run(['rev-list', '--count', tip, `^${commit}`]);
  return counted.ok ? ok(Number(counted.value.trim())) : counted;
}

/** The user's environment without a way to ask anybody anything. */
export function networkEnvironment(userEnv: Git['userEnv']): { [name: string]: string | null } {
  const mine = Object.entries(userEnv).filter(
    ([name]) => !/^GIT_(?!SSH|ASKPASS|CONFIG_GLOBAL|CONFIG_SYSTEM)/.test(name),
  );
  return {
    GIT_CONFIG_NOSYSTEM: null,
    GIT_CONFIG_GLOBAL: null,
    ...Object.fromEntries(mine),
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    SSH_ASKPASS: null,
    SSH_ASKPASS_REQUIRE: 'never',
    GIT_SSH_COMMAND: userEnv['GIT_SSH_COMMAND'] ?? (userEnv['GIT_SSH'] === undefined ? 'ssh -o BatchMode=yes' : null),
    GIT_ALLOW_PROTOCOL: 'file:git:http:https:ssh',
  };
}
