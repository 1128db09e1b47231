// The forge that the configuration names, with all that it needs. The part that speaks to GitHub is loaded only here.
import { wholeEnvironment } from '../../host/environment.ts';
import type { placeOf } from '../../forge/github/address.ts';
import type { Forge, OpenForge } from '../../forge/port.ts';
import { PATIENCE_MS, type Waiting } from '../../forge/patience.ts';
import { failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { remoteUrl } from '../../repos/remote.ts';
import type { Target } from '../open/target.ts';
import { ciOf } from './ci.ts';
import { localForgeGit } from './local-git.ts';

/**
 * Fails with `forge-not-configured`, `forge-remote-missing`, `forge-repository-unknown`, `forge-address-unsafe` and `forge-not-logged-in`. The
 * network is not used.
 */
export async function openForge(
  target: Target,
  signal: AbortSignal = new AbortController().signal,
): Promise<Result<OpenForge>> {
  const { kind, remote, baseBranch, repository, apiUrl } = target.config.forge;
  if (kind === 'none') return err(failure('forge-not-configured'));
  const found = await remoteUrl(target.git, remote);
  if (!found.ok) return found;
  const url = found.value;
  if (url === null) return err(failure('forge-remote-missing', { remote }));
  const { withoutPassword } = await import('../../forge/github/address.ts');
  const waiting = waitingOf(target, signal);
  const opened = (forge: Forge): Result<OpenForge> => ok({ forge, remote, url, baseBranch });
  if (kind === 'local') {
    const git = await localForgeGit(target.git, { remote, url, shown: withoutPassword(url) });
    if (!git.ok) return git;
    const { localForge } = await import('../../forge/local/forge.ts');
    return opened(localForge({ git: git.value, ci: ciOf(target, signal), waiting }));
  }
  const forge = await githubOf(target, { remote, url, repository, apiUrl }, waiting);
  return forge.ok ? opened(forge.value) : forge;
}

/** Where the issues of the items are; `name`: distinguishes it from others. Without a forge it is the repository on GitHub that `github.repo` names. */
export async function openIssues(
  target: Target,
  signal: AbortSignal,
): Promise<Result<{ readonly forge: Forge; readonly name: string }>> {
  const { forge: config, github } = target.config;
  const { repo } = github;
  if (config.kind === 'local' || (config.kind === 'github' && repo === null)) {
    const open = await openForge(target, signal);
    if (!open.ok) return open;
    const { withoutPassword } = await import('../../forge/github/address.ts');
    return ok({
      forge: open.value.forge,
      name: `${config.kind} ${config.repository ?? withoutPassword(open.value.url)}`,
    });
  }
  if (repo === null) return err(failure('forge-not-configured'));
  const found = await remoteUrl(target.git, config.remote);
  const { readAddress } = await import('../../forge/github/address.ts');
  const url =
    found.ok && found.value !== null && readAddress(found.value) !== null ? found.value : `https://github.com/${repo}`;
  const ask = { remote: config.remote, url, repository: repo, apiUrl: config.apiUrl };
  const forge = await githubOf(target, ask, waitingOf(target, signal));
  return forge.ok ? ok({ forge: forge.value, name: `github ${repo}` }) : forge;
}

const waitingOf = ({ clock, sleep }: Target, signal: AbortSignal): Waiting => ({
  clock,
  sleep,
  signal,
  patienceMs: PATIENCE_MS,
});

async function githubOf(
  { root, workspaceDir }: Target,
  ask: Parameters<typeof placeOf>[0],
  waiting: Waiting,
): Promise<Result<Forge>> {
  const { placeOf: find } = await import('../../forge/github/address.ts');
  const place = find(ask);
  if (!place.ok) return place;
  const { findToken } = await import('../../forge/github/token.ts');
  const token = await findToken({ ...place.value, env: wholeEnvironment(), cwd: root, token: `${workspaceDir}@forge` });
  if (!token.ok) return token;
  const { githubForge } = await import('../../forge/github/forge.ts');
  return ok(githubForge({ ...place.value, token: token.value, waiting }));
}
