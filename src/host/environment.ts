// The only reader of process.env: what the user has set, what a check command gets, and what an agent gets. Data in, data out.
import { delimiter, join, resolve, sep } from 'node:path';
import { failure } from '../model/failure.ts';
import type { McpServer } from '../model/tools.ts';
import { err, ok, type Result } from '../model/result.ts';
import { packageRoot } from './package-root.ts';
import { realPath } from './paths.ts';
import { isSecretName, shapesIn, type Environment } from './secrets.ts';
import { userEnvironment, type UserEnvironment } from './user-environment.ts';

export type Variables = { readonly [name: string]: string };

/** The user's variables for the harness itself. */
export const readEnvironment = (env: Environment = process.env): UserEnvironment => userEnvironment(env);

/** The environment as it is, for the redactor. */
export const wholeEnvironment = (): Environment => process.env;

/**
 * The whole environment of a check command: the user's, without secrets (by name or by form), without variables for the harness and those
 * that `npm run` adds; with plain output and no prompts. `extra` comes last and is not filtered. Tests that agents wrote run with it, so a
 * variable is left out in case of doubt.
 */
export function checkEnvironment(
  extra: Variables = {},
  env: Environment = process.env,
  ownRoot: string = packageRoot(),
): Variables {
  const kept = keep(env, (name, value) => !isPrivate(name, env) && !isUnfitForChecks(name) && !isSecret(name, value));
  return {
    LANG: 'C.UTF-8',
    TMPDIR: '/tmp',
    ...kept,
    ...pathWithout(ownRoot, env),
    CI: '1',
    // Without a network `npx` would try for more than a minute to fetch a program that is not installed.
    npm_config_fetch_retries: '0',
    NO_COLOR: '1',
    TERM: 'dumb',
    ...extra,
  };
}

/**
 * The whole environment of an agent: the user's, with the secrets that it logs in with, without variables for the harness and those that
 * `npm run` adds; then the configured variables, with `${NAME}` in them replaced from the user's environment. A name that is not set fails
 * with `environment-variable-missing` (`name`: the missing one, `variable`: where it is used).
 */
export function agentEnvironment(
  extra: Variables = {},
  env: Environment = process.env,
  ownRoot: string = packageRoot(),
): Result<Variables> {
  const configured: { [name: string]: string } = {};
  for (const [variable, text] of Object.entries(extra)) {
    const missing = [...text.matchAll(REFERENCE)]
      .map((match) => match[1] ?? '')
      .find((name) => env[name] === undefined);
    if (missing !== undefined) return err(failure('environment-variable-missing', { name: missing, variable }));
    configured[variable] = text.replace(REFERENCE, (_, name: string) => env[name] ?? '');
  }
  const isWanted = (name: string): boolean => name === PROVIDERS || !isPrivate(name, env);
  return ok({ ...keep(env, isWanted), ...pathWithout(ownRoot, env), ...configured });
}

/**
 * The servers with every `${NAME}` in them replaced from the user's environment. A name that is not set fails with
 * `environment-variable-missing` (`name`, `variable`: the key it is used in).
 */
export function filledServers(
  servers: { readonly [name: string]: McpServer },
  env: Environment = process.env,
): Result<{ readonly [name: string]: McpServer }> {
  for (const [server, text, key] of textsOf(servers))
    for (const [, name = ''] of text.matchAll(REFERENCE))
      if (env[name] === undefined)
        return err(failure('environment-variable-missing', { name, variable: `tools.mcp_servers.${server}.${key}` }));
  const fill = (text: string): string => text.replace(REFERENCE, (_, name: string) => env[name] ?? '');
  const filled = Object.entries(servers).map(([name, { command, args, env: own }]): [string, McpServer] => {
    const variables = Object.entries(own).map(([key, value]): [string, string] => [key, fill(value)]);
    return [name, { command: fill(command), args: args.map(fill), env: Object.fromEntries(variables) }];
  });
  return ok(Object.fromEntries(filled));
}

/** The values of `${NAME}` in servers, under names that the redactor treats as secrets. */
export function serverSecrets(
  servers: { readonly [name: string]: McpServer },
  env: Environment = process.env,
): Variables {
  const names = textsOf(servers).flatMap(([, text]) => [...text.matchAll(REFERENCE)].map((match) => match[1] ?? ''));
  return Object.fromEntries(names.map((name) => [`${name}_SECRET`, env[name] ?? '']));
}

const textsOf = (servers: { readonly [name: string]: McpServer }): readonly (readonly [string, string, string])[] =>
  Object.entries(servers).flatMap(([name, { command, args, env }]) => [
    [name, command, 'command'] as const,
    ...args.map((arg) => [name, arg, 'args'] as const),
    ...Object.entries(env).map(([key, value]) => [name, value, `env.${key}`] as const),
  ]);

/** Where provider SDKs are installed: the one variable for the harness that a session needs too. */
const PROVIDERS = 'HARNESS_PROVIDERS_DIR';

const REFERENCE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** Git sets these around hooks and aliases: they would point git at another repository, ours and that of a check. */
const GIT_VARIABLES =
  /^GIT_(?:DIR|WORK_TREE|INDEX_FILE|COMMON_DIR|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|PREFIX|NAMESPACE|GRAFT_FILE|SHALLOW_FILE|CONFIG|CONFIG_PARAMETERS|CONFIG_COUNT|CONFIG_KEY_\d+|CONFIG_VALUE_\d+|INTERNAL_.*)$/;

function isPrivate(name: string, env: Environment): boolean {
  if (/^(?:HARNESS|npm)_/i.test(name) || GIT_VARIABLES.test(name)) return true;
  // `npm run` sets these too; without it they are the user's own.
  return env['npm_lifecycle_event'] !== undefined && ['NODE', 'INIT_CWD', 'COLOR'].includes(name);
}

/** Options that change what a test command does, and colour where plain text is expected. */
const isUnfitForChecks = (name: string): boolean =>
  /^(?:NODE_OPTIONS|NODE_CHANNEL_.*|VITEST.*|JEST_WORKER_ID|PYTEST_ADDOPTS|FORCE_COLOR|CLICOLOR_FORCE|COLORTERM|OLDPWD|PWD)$/.test(
    name,
  );

/** The names of the variables that are not secrets, by name and by form: what a shell of an agent may see. */
export const openNames = (env: Environment): readonly string[] =>
  Object.entries(env).flatMap(([name, value]) => (value === undefined || isSecret(name, value) ? [] : [name]));

/** A password for this machine itself is no secret: test databases have one. */
const isSecret = (name: string, value: string): boolean =>
  isSecretName(name) ||
  shapesIn(value).some(
    ({ kind, to }) => kind !== 'url' || !/^@(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/?]|$)/.test(value.slice(to)),
  );

function keep(env: Environment, wanted: (name: string, value: string) => boolean): { [name: string]: string } {
  const kept: { [name: string]: string } = {};
  for (const [name, value] of Object.entries(env)) if (value !== undefined && wanted(name, value)) kept[name] = value;
  return kept;
}

/** The user's PATH without this package's own programs: a target's `node` or `vitest` must never be ours. */
function pathWithout(ownRoot: string, env: Environment): { [name: string]: string } {
  if (env['PATH'] === undefined) return {};
  const modules = [join(ownRoot, 'node_modules'), realPath(join(ownRoot, 'node_modules'))];
  const own = new Set(modules.flatMap((folder) => [join(folder, '.bin'), join(folder, 'node', 'bin')]));
  const entries = env['PATH'].split(delimiter).filter((entry) => {
    if (entry === '') return false; // means the current folder, where agents write
    const folder = resolve(entry);
    if (own.has(folder) || own.has(realPath(folder))) return false;
    return !folder.endsWith(join(sep, '@npmcli', 'run-script', 'lib', 'node-gyp-bin'));
  });
  return { PATH: entries.join(delimiter) };
}
