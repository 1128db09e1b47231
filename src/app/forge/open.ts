// The forge that the configuration names, with all that it needs. The part that speaks to GitHub is loaded only here.
import { wholeEnvironment } from '../../host/environment.ts';
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
  const { placeOf, withoutPassword } = await import('../../forge/github/address.ts');
  const waiting: Waiting = { clock: target.clock, sleep: target.sleep, signal, patienceMs: PATIENCE_MS };
  const opened = (forge: Forge): Result<OpenForge> => ok({ forge, remote, url, baseBranch });
  if (kind === 'local') {
    const git = await localForgeGit(target.git, { remote, url, shown: withoutPassword(url) });
    if (!git.ok) return git;
    const { localForge } = await import('../../forge/local/forge.ts');
    return opened(localForge({ git: git.value, ci: ciOf(target, signal), waiting }));
  }
  const place = placeOf({ remote, url, repository, apiUrl });
  if (!place.ok) return place;
  const { findToken } = await import('../../forge/github/token.ts');
  const ask = { ...place.value, env: wholeEnvironment(), cwd: target.root, token: `${target.workspaceDir}@forge` };
  const token = await findToken(ask);
  if (!token.ok) return token;
  const { githubForge } = await import('../../forge/github/forge.ts');
  return opened(githubForge({ ...place.value, token: token.value, waiting }));
}
