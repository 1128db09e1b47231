// Which repository on which server an address of a git remote means, and where the server's API is. Pure.
import { failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';

export type RemoteAddress = { readonly host: string; readonly owner: string; readonly repo: string };

/** `git@host:owner/name.git`, `https://host/owner/name`, `ssh://git@host:22/owner/name.git`; null: none of these. */
export function readAddress(url: string): RemoteAddress | null {
  const scp = /^(?:[^@/:]+@)?([^/:]{2,}):(?!\/)([^/]+)\/([^/]+?)(?:\.git)?\/?$/.exec(url);
  if (scp !== null) return { host: (scp[1] ?? '').toLowerCase(), owner: scp[2] ?? '', repo: scp[3] ?? '' };
  const parsed = URL.parse(url);
  if (parsed === null || !/^(?:https?|ssh|git):$/.test(parsed.protocol)) return null;
  const [, owner = '', repo = ''] = /^\/([^/]+)\/([^/]+?)(?:\.git)?\/?$/.exec(parsed.pathname) ?? [];
  return owner === '' ? null : { host: parsed.hostname, owner, repo };
}

/** An address as people may see it: without the password that some have in it. */
export function withoutPassword(url: string): string {
  const parsed = URL.parse(url);
  if (parsed === null || parsed.password === '') return url;
  parsed.password = '';
  return parsed.href;
}

export type GithubPlace = {
  readonly apiUrl: string;
  readonly host: string;
  readonly owner: string;
  readonly repo: string;
  /** Whose repository the branches are pushed to. */
  readonly headOwner: string;
};

/** Fails with `forge-repository-unknown` and `forge-address-unsafe`. */
export function placeOf(ask: {
  readonly remote: string;
  readonly url: string;
  /** `owner/name`; null: of the remote. */
  readonly repository: string | null;
  readonly apiUrl: string | null;
}): Result<GithubPlace> {
  const { remote, repository } = ask;
  const found = readAddress(ask.url);
  const url = withoutPassword(ask.url);
  const [owner, repo, ...rest] = repository === null ? [found?.owner, found?.repo] : repository.split('/');
  if (owner === undefined || owner === '' || repo === undefined || repo === '' || rest.length > 0)
    return err(failure('forge-repository-unknown', { remote, url }));
  if (ask.apiUrl === null && found === null) return err(failure('forge-repository-unknown', { remote, url }));
  const apiUrl = ask.apiUrl ?? apiOf(found?.host ?? '');
  const parsed = URL.parse(apiUrl);
  const isSafe = parsed !== null && (parsed.protocol === 'https:' || (parsed.protocol === 'http:' && isHere(parsed)));
  if (!isSafe) return err(failure('forge-address-unsafe', { url: withoutPassword(apiUrl) }));
  return ok({ apiUrl, host: hostOf(parsed), owner, repo, headOwner: found?.owner ?? owner });
}

const isHere = ({ hostname }: URL): boolean => ['127.0.0.1', '[::1]', 'localhost'].includes(hostname);

const apiOf = (host: string): string => {
  if (host === 'github.com' || host === 'ssh.github.com') return 'https://api.github.com';
  return host.endsWith('.ghe.com') ? `https://api.${host}` : `https://${host}/api/v3`;
};
/** The host as people and `gh` name it. */
const hostOf = ({ host }: URL): string => host.replace(/^api\.(?=github\.com$|.*\.ghe\.com$)/, '');
