// The configuration as the code reads it: nothing optional that has a default, camelCase, units in the names. Each key with
// its default and meaning is declared once, in src/model/config/schema.ts.
import type { ConfigSchema } from './config/schema.ts';
import type { ProviderName } from './config/names.ts';
import type * as z from 'zod/mini';

export * from './config/names.ts';

/** Deeply read-only, without the keys that have no value (`unread` of src/model/config/values.ts). */
type Values<T> = T extends readonly (infer E)[]
  ? readonly Values<E>[]
  : T extends object
    ? { readonly [K in keyof T as T[K] extends undefined ? never : K]: Values<T[K]> }
    : T;
/** Without `undefined`: missing values have been resolved. */
type Resolved<T> = { readonly [K in keyof T]-?: Exclude<T[K], undefined> };

/** A configuration file as it was written, with defaults. Values that depend on the target may still be missing. */
export type WrittenConfig = Values<z.output<ConfigSchema>>;

export type AgentConfig = {
  readonly provider: ProviderName;
  readonly model: string | null;
  /** acp, codex and scripted: the program and its arguments, started in the folder of the run. */
  readonly command: readonly string[];
  readonly env: { readonly [name: string]: string };
  /** scripted: the scenario file, repository-relative or absolute. */
  readonly scenario: string | null;
  /** acp: whether it reads and writes files through the harness or by itself; left out: as it is known of the agent. */
  readonly files?: 'harness' | 'own';
};

export type Config = Omit<
  WrittenConfig,
  'project' | 'agents' | 'models' | 'isolation' | 'recovery' | 'environment' | 'testing' | 'github' | 'paths'
> & {
  readonly project: { readonly name: string };
  readonly agents: {
    readonly default: AgentConfig;
    readonly roles: { readonly [role: string]: AgentConfig };
    /** Agents that continue, in this order, where the provider of a role's own agent cannot. */
    readonly fallback: readonly AgentConfig[];
    /** Of the second, third, … worker where several attempt the same item. */
    readonly competitors: readonly AgentConfig[];
  };
  /** By role, and what is meant by a model name. */
  readonly models: { readonly [role: string]: string };
  readonly isolation: NonNullable<WrittenConfig['isolation']>;
  readonly recovery: NonNullable<WrittenConfig['recovery']>;
  readonly environment: Resolved<WrittenConfig['environment']>;
  /** `feature`: `{test_file}` is replaced by the item's test file, quoted for the shell. */
  readonly testing: Resolved<Omit<WrittenConfig['testing'], 'unit' | 'e2e' | 'sanity'>> & {
    readonly sanity: Resolved<WrittenConfig['testing']['sanity']>;
  };
  /** `mirrors`: items have issues. `repo`: null: that of the forge. */
  readonly github: Omit<WrittenConfig['github'], 'isGiven' | 'repo' | 'syncMode'> & {
    readonly mirrors: boolean;
    readonly repo: string | null;
  };
  /** Repository-relative. `progress`: the log of the machine. */
  readonly paths: { readonly backlog: string; readonly progress: string; readonly stateDir: string };
  /** What the command line asks of this run alone, by the names that the playbook gives; left out or null: nothing. */
  readonly runOptions: { readonly [name: string]: string | null };
  /** The file this came from, repository-relative; null: defaults only. */
  readonly source: string | null;
};
