// The few settings that read-only commands need: names and paths, without building the schema. Anything unusual is left to the
// full resolution, which reports what is wrong.
import { basename, resolve } from 'node:path';
import { NEWER_STATE, OLDER_STATE, type Config, type PlaybookName } from '../../model/config.ts';
import { DEFAULT_PATHS, isInsideRepository, isText, tidyPath } from '../../model/config/paths.ts';
import { ok, type Result } from '../../model/result.ts';
import { folderFiles, packageName } from './files.ts';
import { findConfig } from './find.ts';
import { detectPlaybook, findPlaybook, listPath, logPath } from '../../playbooks/registry.ts';
import { isMap, snakeCase, valueAt } from './written.ts';

export type ConfigBasics = {
  readonly playbook: PlaybookName;
  readonly project: string;
  /** Paths are repository-relative. */
  readonly backlog: string;
  /** The log of the machine. */
  readonly progress: string;
  readonly stateDir: string;
  /** The configured handling of state of another version. */
  readonly onOlderState: Config['compatibility']['onOlderState'];
  readonly onNewerState: Config['compatibility']['onNewerState'];
  /** The configuration file; null: none. */
  readonly source: string | null;
  /** `land: branch`. */
  readonly landsOnBranch: boolean;
};

/** `standard`: the playbook if none is written. Fails as `resolveConfig`. */
export async function readBasics(
  root: string,
  configFile: string | null,
  standard?: PlaybookName,
): Promise<Result<ConfigBasics>> {
  const found = findConfig(root, configFile);
  if (!found.ok) return found;
  const source = found.value?.file ?? null;
  const basics = basicsIn(root, found.value === null ? {} : await valueOf(found.value), standard);
  return basics === null ? fromResolution(root, configFile, standard) : ok({ ...basics, source });
}

/** undefined: the text cannot be parsed. */
async function valueOf({ file, text }: { readonly file: string; readonly text: string }): Promise<unknown> {
  const { readTree } = await import('./read.ts');
  const tree = readTree(file, text);
  return tree.ok ? (tree.value.value ?? {}) : undefined;
}

/** Null: it has unusual values. */
function basicsIn(
  root: string,
  written: unknown,
  standard: PlaybookName | undefined,
): Omit<ConfigBasics, 'source'> | null {
  const files = folderFiles(root);
  const isUsual = ['project', 'paths', 'compatibility'].every((section) => isMap(valueAt(written, [section]) ?? {}));
  const at = (section: string, key: string): unknown =>
    valueAt(written, [section, key]) ?? valueAt(written, [section, snakeCase(key)]);
  const pathIn = (value: unknown, standard: string): string | null => {
    const path = value ?? standard;
    return typeof path === 'string' && isInsideRepository(path) ? path : null;
  };
  const features = pathIn(at('paths', 'features'), DEFAULT_PATHS.features);
  const progress = pathIn(at('paths', 'progress'), DEFAULT_PATHS.progress);
  const stateDir = pathIn(at('paths', 'stateDir'), DEFAULT_PATHS.stateDir);
  if (!isMap(written) || !isUsual || features === null || progress === null || stateDir === null) return null;
  const name = at('project', 'name') ?? packageName(files) ?? (basename(resolve(root)) || 'project');
  const asked = Object.hasOwn(written, 'playbook')
    ? written['playbook']
    : (standard ?? detectPlaybook(files, features));
  const playbook = findPlaybook(asked)?.name;
  const older = at('compatibility', 'onOlderState') ?? 'migrate';
  const newer = at('compatibility', 'onNewerState') ?? 'abort';
  const onOlderState = OLDER_STATE.find((one) => one === older);
  const onNewerState = NEWER_STATE.find((one) => one === newer);
  if (typeof name !== 'string' || !isText(name) || playbook === undefined) return null;
  if (onOlderState === undefined || onNewerState === undefined) return null;
  return {
    playbook,
    project: name,
    backlog: listPath(playbook, features),
    progress: logPath({ backlog: playbook, machine: playbook }, progress, stateDir),
    stateDir: tidyPath(stateDir),
    onOlderState,
    onNewerState,
    landsOnBranch: valueAt(written, ['land']) === 'branch',
  };
}

async function fromResolution(
  root: string,
  configFile: string | null,
  playbook: PlaybookName | undefined,
): Promise<Result<ConfigBasics>> {
  const { resolveConfig } = await import('./resolve.ts');
  const resolved = await resolveConfig(root, playbook === undefined ? { configFile } : { configFile, playbook });
  if (!resolved.ok) return resolved;
  const { playbook: pair, project, paths, compatibility, source, land } = resolved.value.config;
  const { onOlderState, onNewerState } = compatibility;
  const landsOnBranch = land === 'branch';
  const names = { playbook: pair.backlog, project: project.name, landsOnBranch };
  return ok({ ...names, ...paths, onOlderState, onNewerState, source });
}
