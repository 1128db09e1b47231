// The configuration in effect: resolved, with inferred values, keys that have no effect, and missing values.
import { wholeEnvironment } from '../../host/environment.ts';
import { createRedactor, redactJson } from '../../host/redact.ts';
import { isSecretName } from '../../host/secrets.ts';
import type { Config } from '../../model/config.ts';
import type { Failure } from '../../model/failure.ts';
import type { Json } from '../../model/json.ts';
import { ok, type Result } from '../../model/result.ts';
import { defaultsOf, WITHOUT_GIT } from '../../playbooks/registry.ts';
import { blindLimits, type BlindLimit } from '../config/blind-limits.ts';
import { resolveConfig, type Resolution } from '../config/resolve.ts';
import { snakeCase } from '../config/written.ts';
import { repositoryFolders, type Where } from '../open/project-view.ts';

export type ConfigReport = {
  readonly source: string | null;
  /** Keys as the file spells them; secrets are masked. */
  readonly config: { readonly [key: string]: Json };
  readonly inferred: Resolution['inferred'];
  readonly inert: readonly string[];
  readonly needed: readonly Failure[];
  /** Budgets that cannot act with an agent of this configuration. */
  readonly blind: readonly BlindLimit[];
};

/** Fails as `resolveConfig`. */
export async function reportConfig(where: Where): Promise<Result<ConfigReport>> {
  const folders = await repositoryFolders(where);
  if (!folders.ok) return folders;
  const resolved = await resolveConfig(folders.value.root, {
    configFile: where.configFile,
    ...(folders.value.isPrivate && WITHOUT_GIT !== undefined ? { playbook: WITHOUT_GIT.name } : {}),
  });
  if (!resolved.ok) return resolved;
  const { config, inferred, inert, needed } = resolved.value;
  const { source, runOptions: _ofOneRun, ...settings } = { ...config, paths: written(config) };
  const plain: { readonly [name: string]: Json } = JSON.parse(JSON.stringify(settings));
  const redactor = createRedactor(wholeEnvironment());
  const sections = Object.entries(plain).map(([name, value]) => [
    snakeCase(name),
    redactJson(redactor, spell(value, name)),
  ]);
  return ok({ source, config: Object.fromEntries(sections), inferred, inert, needed, blind: blindLimits(config) });
}

/** Paths as the file names them, without files whose name the playbook fixes. */
function written({ paths: { backlog, progress, ...paths }, playbook }: Config): object {
  return {
    ...(defaultsOf(playbook.backlog).list.path === null ? { features: backlog } : {}),
    ...(defaultsOf(playbook.machine).machine.log === null ? { progress } : {}),
    ...paths,
  };
}

/** Maps whose keys are names chosen by the user. */
const NAMED = new Set(['roles', 'env', 'prices', 'models']);

/** Keys as the file spells them. Values of environment variables with a secret's name are masked. */
function spell(value: Json, under: string): Json {
  if (isList(value)) return value.map((one) => spell(one, ''));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => {
      const key = NAMED.has(under) ? name : snakeCase(name);
      const isReference = typeof one === 'string' && /^\$\{\w+\}$/.test(one);
      if (under === 'env' && isSecretName(name) && !isReference) return [key, '[masked:variable]'];
      return [key, spell(one, NAMED.has(under) ? '' : name)];
    }),
  );
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);
