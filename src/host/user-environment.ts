// The user's variables for the harness itself, of a given environment: environment.ts reads that of the process.
import { isAbsolute, join } from 'node:path';

export type UserEnvironment = {
  /** HARNESS_REPO, else HARNESS_TARGET_REPO. */
  readonly repo: string | null;
  /** HARNESS_LANG, as written. */
  readonly lang: string | null;
  /** The first set of LC_ALL, LC_MESSAGES, LANG, as written. */
  readonly locale: string | null;
  readonly noColor: boolean;
  /** FORCE_COLOR is set and not "0" or "false"; NO_COLOR takes precedence. */
  readonly forceColor: boolean;
  readonly ci: boolean;
  readonly term: string | null;
  readonly path: string;
  readonly home: string | null;
  /** XDG_STATE_HOME, else its default; null: there is no home. */
  readonly stateHome: string | null;
  /** Where agents are installed that the user adds: HARNESS_AGENTS_DIR, else below XDG_DATA_HOME or its default; null: there is no home. */
  readonly agentsDir: string | null;
};

/** An empty variable counts as not set. */
export function userEnvironment(env: { readonly [name: string]: string | undefined }): UserEnvironment {
  const first = (...names: readonly string[]): string | null =>
    names.map((name) => env[name] ?? '').find((value) => value !== '') ?? null;
  return {
    repo: first('HARNESS_REPO', 'HARNESS_TARGET_REPO'),
    lang: first('HARNESS_LANG'),
    locale: first('LC_ALL', 'LC_MESSAGES', 'LANG'),
    noColor: first('NO_COLOR') !== null,
    forceColor: isOn(first('FORCE_COLOR')),
    ci: isOn(first('CI')),
    term: first('TERM'),
    path: first('PATH') ?? '',
    home: first('HOME'),
    stateHome: baseFolder(first('XDG_STATE_HOME'), first('HOME'), 'state'),
    agentsDir: agentsDir(first('HARNESS_AGENTS_DIR'), baseFolder(first('XDG_DATA_HOME'), first('HOME'), 'share')),
  };
}

/** By the XDG Base Directory Specification a relative path is ignored. */
function baseFolder(named: string | null, home: string | null, kind: 'state' | 'share'): string | null {
  if (named !== null && isAbsolute(named)) return named;
  return home === null ? null : join(home, '.local', kind);
}

function agentsDir(named: string | null, dataHome: string | null): string | null {
  if (named !== null && isAbsolute(named)) return named;
  return dataHome === null ? null : join(dataHome, 'harness', 'agents');
}

const isOn = (value: string | null): boolean => value !== null && value !== '0' && value.toLowerCase() !== 'false';
