// The token for a server. It comes from the user's environment or their `gh`, and only for a server that the user is known to mean: an
// address in the configuration of a repository is no reason to send it there.
import { runCommand } from '../../host/process.ts';
import { failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';

type Environment = { readonly [name: string]: string | undefined };
export type TokenAsk = {
  readonly host: string;
  readonly apiUrl: string;
  readonly env: Environment;
  readonly cwd: string;
  /** Marks the process of `gh`. */
  readonly token: string;
};

/** Fails with `forge-not-logged-in`. */
export async function findToken(ask: TokenAsk): Promise<Result<string>> {
  const found = fromEnvironment(ask) ?? (await fromGh(ask));
  return found === null ? err(failure('forge-not-logged-in', { host: ask.host, words: '' })) : ok(found);
}

/** As `gh` reads it: the names with ENTERPRISE are for other servers than github.com. */
export function fromEnvironment({ host, apiUrl, env }: Pick<TokenAsk, 'host' | 'apiUrl' | 'env'>): string | null {
  const first = (...names: readonly string[]): string | null =>
    names.map((name) => env[name]?.trim() ?? '').find((value) => value !== '') ?? null;
  const isGithub = host === 'github.com' || host.endsWith('.ghe.com');
  const isNamed = env['GH_HOST'] === host || env['GITHUB_API_URL']?.replace(/\/$/, '') === apiUrl.replace(/\/$/, '');
  if (isGithub) return first('GH_TOKEN', 'GITHUB_TOKEN');
  if (!isNamed) return null;
  return first('GH_ENTERPRISE_TOKEN', 'GITHUB_ENTERPRISE_TOKEN', 'GH_TOKEN', 'GITHUB_TOKEN');
}

const GH_MS = 20_000;

/** null: there is no `gh`, or it is not logged in to this server. */
async function fromGh({ host, env, cwd, token }: TokenAsk): Promise<string | null> {
  const own = Object.entries(env).filter((one): one is [string, string] => one[1] !== undefined);
  const done = await runCommand({
    argv: ['gh', 'auth', 'token', '--hostname', host],
    cwd,
    env: { ...Object.fromEntries(own), GH_PROMPT_DISABLED: '1' },
    token,
    wallMs: GH_MS,
    idleMs: null,
    keepBytes: 64 * 1024,
    floodBytes: null,
  });
  const word = done.stdout.trim();
  return done.code === 0 && /^\S+$/.test(word) ? word : null;
}
