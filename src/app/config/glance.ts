// The few settings that commands need which only look, without building the schema: names and places. Anything odd is
// left to the full resolution, which says exactly what is wrong.
import { basename, resolve } from 'node:path';
import type { Config, PlaybookName } from '../../model/config.ts';
import { ok, type Result } from '../../model/result.ts';
import { folderFiles } from './files.ts';
import { findConfig } from './find.ts';
import { backlogPath, progressPath, STANDARD_PATHS, tidyPath, usualPlaybook } from './paths.ts';
import type { ResolveOptions } from './resolve.ts';
import { packageName } from './files.ts';

export type Glance = {
  readonly playbook: PlaybookName;
  readonly project: string;
  /** All repository-relative. */
  readonly backlog: string;
  readonly progress: string;
  readonly stateDir: string;
  readonly onOlderState: Config['compatibility']['onOlderState'];
  readonly onNewerState: Config['compatibility']['onNewerState'];
  /** The file this came from; null: there is none. */
  readonly source: string | null;
};

/** `standard`: where nothing is written. Fails as `resolveConfig` where it had to look closer. */
export async function glanceAtConfig(
  root: string,
  configFile: string | null,
  standard?: PlaybookName,
): Promise<Result<Glance>> {
  const found = findConfig(root, configFile);
  if (!found.ok) return found;
  const files = folderFiles(root);
  const name = (): string => packageName(files) ?? (basename(resolve(root)) || 'project');
  if (found.value === null) {
    if (standard !== undefined) return lookCloser(root, { configFile, playbook: standard });
    const playbook = usualPlaybook(files, STANDARD_PATHS.features);
    return ok({ playbook, project: name(), ...placesOf(playbook), ...STANDARD_FIT, source: null });
  }
  const { file, text } = found.value;
  const { readTree } = await import('./read.ts');
  const tree = readTree(file, text);
  const written = tree.ok ? tree.value.value : undefined;
  const project = at(written, 'project', 'name');
  const features = at(written, 'paths', 'features') ?? STANDARD_PATHS.features;
  const asked = at(written, 'playbook');
  const playbook = asked === undefined && isInside(features) ? (standard ?? usualPlaybook(files, features)) : asked;
  const progress = at(written, 'paths', 'progress') ?? STANDARD_PATHS.progress;
  const stateDir = at(written, 'paths', 'state_dir') ?? at(written, 'paths', 'stateDir') ?? STANDARD_PATHS.stateDir;
  const maps = [written, at(written, 'project'), at(written, 'paths'), at(written, 'compatibility')];
  const onOlderState = fitIn(written, 'on_older_state', 'onOlderState') ?? STANDARD_FIT.onOlderState;
  const onNewerState = fitIn(written, 'on_newer_state', 'onNewerState') ?? STANDARD_FIT.onNewerState;
  const isPlain =
    maps.every(isMapOrNothing) &&
    (playbook === 'features' || playbook === 'tasks' || playbook === 'workflow') &&
    isName(project ?? 'x') &&
    isInside(features) &&
    isInside(progress) &&
    isInside(stateDir) &&
    (onOlderState === 'migrate' || onOlderState === 'abort') &&
    (onNewerState === 'abort' || onNewerState === 'warn');
  if (tree.ok && isPlain)
    return ok({
      playbook,
      project: typeof project === 'string' ? project : name(),
      backlog: backlogPath(playbook, features),
      progress: progressPath({ backlog: playbook, machine: playbook }, progress, stateDir),
      stateDir: tidyPath(stateDir),
      onOlderState,
      onNewerState,
      source: file,
    });
  return lookCloser(root, { configFile, ...(standard === undefined ? {} : { playbook: standard }) });
}

async function lookCloser(root: string, options: ResolveOptions): Promise<Result<Glance>> {
  const { resolveConfig } = await import('./resolve.ts');
  const whole = await resolveConfig(root, options);
  if (!whole.ok) return whole;
  const { config } = whole.value;
  return ok({
    playbook: config.playbook.backlog,
    project: config.project.name,
    backlog: config.paths.backlog,
    progress: config.paths.progress,
    stateDir: config.paths.stateDir,
    onOlderState: config.compatibility.onOlderState,
    onNewerState: config.compatibility.onNewerState,
    source: config.source,
  });
}

/** Where nothing is written. */
const placesOf = (playbook: PlaybookName) => ({
  backlog: backlogPath(playbook, STANDARD_PATHS.features),
  progress: progressPath({ backlog: playbook, machine: playbook }, STANDARD_PATHS.progress, STANDARD_PATHS.stateDir),
  stateDir: STANDARD_PATHS.stateDir,
});
const STANDARD_FIT = { onOlderState: 'migrate', onNewerState: 'abort' } as const;
const fitIn = (written: unknown, ...names: readonly string[]): unknown =>
  names.map((name) => at(written, 'compatibility', name)).find((value) => value !== undefined);

function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (map, name) =>
      typeof map === 'object' && map !== null && Object.hasOwn(map, name)
        ? (map as { readonly [key: string]: unknown })[name]
        : undefined,
    value,
  );
}

const isMapOrNothing = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'object' && !Array.isArray(value));
const isName = (value: unknown): boolean => typeof value === 'string' && /\S/.test(value) && !value.includes('\0');
const isInside = (value: unknown): value is string =>
  typeof value === 'string' &&
  /^[\w.][\w./ -]*$/.test(value) &&
  !value.split('/').includes('..') &&
  !/^\.(git|harness-engine)(\/|$)/i.test(value);
