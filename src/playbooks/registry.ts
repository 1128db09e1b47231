// Which playbooks there are: the one place that knows them all.
import type { PlaybookManifest } from '../engine/manifest.ts';
import { Bug } from '../model/bug.ts';
import { DEFAULT_PLAYBOOK, type Config, type PlaybookName } from '../model/config.ts';
import { tidyPath } from '../model/config/paths.ts';
import type { PlaybookSentences } from '../model/sentences.ts';
import type { TargetFiles } from '../model/target-files.ts';
import { deliveryManifest } from './delivery/manifest.ts';
import { featuresManifest } from './features/manifest.ts';
import { missionManifest } from './mission/manifest.ts';
import { tasksManifest } from './tasks/manifest.ts';
import { workflowManifest } from './workflow/manifest.ts';

/** In the order in which a target is searched for their lists. */
export const PLAYBOOKS: readonly PlaybookManifest[] = [
  featuresManifest,
  tasksManifest,
  workflowManifest,
  missionManifest,
  deliveryManifest,
];

export const findPlaybook = (name: unknown): PlaybookManifest | undefined =>
  PLAYBOOKS.find((playbook) => playbook.name === name);

/** The configuration lets no name through that is not supported. */
export function playbookNamed(name: PlaybookName): PlaybookManifest {
  const found = findPlaybook(name);
  if (found === undefined) throw new Bug(`there is no playbook ${name}`);
  return found;
}

/** A playbook that is not supported yet gets the defaults of the default one; a configuration with it is refused. */
export const defaultsOf = (name: PlaybookName): Pick<PlaybookManifest, 'list' | 'machine' | 'oneTask'> =>
  findPlaybook(name) ?? playbookNamed(DEFAULT_PLAYBOOK);

/** Every value of the key `playbook` that is supported: each by its name, and each list with each machine that works on it. */
export const SUPPORTED_PAIRS: readonly (PlaybookName | Config['playbook'])[] = [
  ...PLAYBOOKS.map(({ name }) => name),
  ...PLAYBOOKS.flatMap((machine) =>
    PLAYBOOKS.filter((list) => list === machine || !(list.isInseparable || machine.isInseparable)).map((list) => ({
      backlog: list.name,
      machine: machine.name,
    })),
  ),
];

/** Those of them whose machine fits. */
export const pairsWhere = (fits: (machine: PlaybookManifest) => boolean): typeof SUPPORTED_PAIRS =>
  SUPPORTED_PAIRS.filter((pair) => fits(playbookNamed(typeof pair === 'string' ? pair : pair.machine)));

/** What each of them adds to the sentences of a language. */
export const playbookSentences = (lang: 'en' | 'de'): Promise<readonly PlaybookSentences[]> =>
  Promise.all(PLAYBOOKS.flatMap(({ sentences }) => (sentences === undefined ? [] : [sentences[lang]()])));

/** The one that works in a folder without git. */
export const WITHOUT_GIT = PLAYBOOKS.find(({ withoutGit }) => withoutGit !== undefined);

/** The one that makes a specification from a site. */
export const OF_SITES = PLAYBOOKS.find(({ readsSites }) => readsSites === true);

/** The playbook of a target where none is configured. `features`: the configured `paths.features`. */
export const detectPlaybook = (files: TargetFiles, features: string): PlaybookName =>
  PLAYBOOKS.find(({ name, list }) => list.isIn(files, listPath(name, features)))?.name ?? DEFAULT_PLAYBOOK;

export const listPath = (name: PlaybookName, features: string): string =>
  defaultsOf(name).list.path ?? tidyPath(features);

export function logPath({ backlog, machine }: Config['playbook'], progress: string, stateDir: string): string {
  const { log } = defaultsOf(machine).machine;
  if (log === null) return tidyPath(progress);
  return backlog === machine ? log : `${tidyPath(stateDir)}/${machine}/${log}`;
}
