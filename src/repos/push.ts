// Sending a branch to a remote: fast-forward only, no questions, nothing the repository's own configuration would run.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { failure } from '../model/failure.ts';
import { err, ok, type Result } from '../model/result.ts';
import type { Git, ObjectId } from './git.ts';
import { asNull } from './head.ts';
import { readSettings } from './settings.ts';
import { rawView } from './view.ts';

export type PushAskOf = {
  readonly remote: string;
  /** Local and remote name of the branch, without refs/heads/. */
  readonly branch: string;
  readonly commit: ObjectId;
  /** As read before an agent could edit the configuration (`remoteUrl`); null: as it is now. */
  readonly url: string | null;
};

const PUSH_WALL_MS = 5 * 60_000;

/** Where pushes to a remote go; null where there is no such remote. */
export async function remoteUrl(git: Git, remote: string): Promise<Result<string | null>> {
  const settings = await readSettings(git);
  if (!settings.ok) return settings;
  const { repository, own } = settings.value;
  const of = (key: string) => repository.get(key) ?? own.get(key);
  return ok(of(`remote.${remote}.pushurl`) ?? of(`remote.${remote}.url`) ?? null);
}

/**
 * Pushes a commit to a branch of a remote, never by force; pushing again what is there already is fine. Fails with
 * `push-rejected` (`remote`, `branch`, `words`: git's own).
 */
export async function pushBranch(git: Git, ask: PushAskOf): Promise<Result<null>> {
  const { remote, branch, commit } = ask;
  const rejected = (words: string) => err(failure('push-rejected', { remote, branch, words }));
  const found = ask.url === null ? await remoteUrl(git, remote) : ok(ask.url);
  if (!found.ok) return found;
  if (found.value === null) return rejected(`no remote named ${remote}`);
  const view = await rawView(git);
  if (!view.ok) return view;
  // Under our own git folder, with the user's own configuration: credentials and rewrites are theirs, none the repository's.
  const env = {
    ...view.value.env,
    ...networkEnvironment(git.userEnv),
    GIT_WORK_TREE: null,
    ...shallowEnvironment(git),
  };
  const args = ['push', '--porcelain', '--no-verify', '--', found.value, `${commit}:refs/heads/${branch}`];
  const pushed = await git.run(args, { env, wallMs: PUSH_WALL_MS });
  if (!pushed.ok) {
    const { reason, params } = pushed.failure;
    return reason === 'git-failed' ? rejected(String(params['words'] ?? '')) : pushed;
  }
  const tracking = `refs/remotes/${remote}/${branch}`;
  return asNull(await git.run(['update-ref', '-m', 'harness: push', tracking, commit]));
}

/** Our own git folder does not know by itself where a shallow clone ends. */
function shallowEnvironment(git: Git): { [name: string]: string } {
  const file = join(git.commonDir, 'shallow');
  return existsSync(file) ? { GIT_SHALLOW_FILE: file } : {};
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
