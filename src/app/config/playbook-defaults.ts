// Defaults that depend on the playbook, and how a target shows which playbook it is worked with: one table, so that each row
// can become a part of its playbook.
import type { Config, PlaybookName } from '../../model/config.ts';
import { tidyPath } from '../../model/config/paths.ts';
import type { TargetFiles } from '../../model/target-files.ts';
import { WORKFLOW_FILE } from '../../model/workflow-file.ts';
import { isMap } from './written.ts';

type BacklogDefaults = {
  /** The backlog, repository-relative; null: `paths.features`. */
  readonly backlog: string | null;
  /** Whether a target without a configured playbook has this backlog. */
  readonly isIn: (files: TargetFiles, backlog: string) => boolean;
  /** Whether work needs `testing.feature`: a task brings the command that proves it. */
  readonly needsTestCommand: boolean;
};
type MachineDefaults = {
  /** The name of its own log; null: `paths.progress`. Over the backlog of another playbook it is in the state folder. */
  readonly log: string | null;
  /** The script that `environment.init` is worked out from. */
  readonly initScript: string;
  readonly recovery: Config['recovery'];
};

/** In the order in which a target is tried: a workflow's state is removed when it ends, so any other list goes before it. */
export const SUPPORTED_PLAYBOOKS = ['features', 'tasks', 'workflow'] as const;
type SupportedPlaybook = (typeof SUPPORTED_PLAYBOOKS)[number];

const FEATURES: BacklogDefaults & MachineDefaults = {
  backlog: null,
  isIn: (files, backlog) => files.has(backlog),
  needsTestCommand: true,
  log: null,
  initScript: 'init.sh',
  recovery: 'restore',
};

const DEFAULTS: { readonly [N in SupportedPlaybook]: BacklogDefaults & MachineDefaults } = {
  features: FEATURES,
  tasks: {
    ...FEATURES,
    backlog: 'harness-tasks.json',
    needsTestCommand: false,
    log: 'harness-progress.txt',
    initScript: 'harness-init.sh',
    recovery: 'checked',
  },
  workflow: {
    ...FEATURES,
    backlog: WORKFLOW_FILE,
    isIn: (files, backlog) => isWorkflowState(files.read(backlog)),
    needsTestCommand: false,
  },
};

/** A playbook that is not supported yet has those of features; a configuration with it is refused. */
export const playbookDefaults = (name: PlaybookName): BacklogDefaults & MachineDefaults => {
  const supported = SUPPORTED_PLAYBOOKS.find((one) => one === name);
  return DEFAULTS[supported ?? 'features'];
};

/** The playbook of a target where none is configured. `features`: the configured `paths.features`. */
export function detectPlaybook(files: TargetFiles, features: string): PlaybookName {
  const has = (name: SupportedPlaybook): boolean => DEFAULTS[name].isIn(files, backlogPath(name, features));
  return SUPPORTED_PLAYBOOKS.find(has) ?? 'features';
}

export const backlogPath = (backlog: PlaybookName, features: string): string =>
  playbookDefaults(backlog).backlog ?? tidyPath(features);

export function progressPath({ backlog, machine }: Config['playbook'], progress: string, stateDir: string): string {
  const { log } = playbookDefaults(machine);
  if (log === null) return tidyPath(progress);
  return backlog === machine ? log : `${tidyPath(stateDir)}/${machine}/${log}`;
}

/** Whether it is one at all; mistakes in it are reported by its reader. */
function isWorkflowState(text: string | null): boolean {
  let value: unknown;
  try {
    value = JSON.parse(text ?? 'null');
  } catch {
    return false;
  }
  if (!isMap(value)) return false;
  const { task, phase, version, skill = 'workflow' } = value;
  const isOne = typeof version === 'string' ? typeof task === 'string' : typeof phase === 'string';
  return isOne && skill === 'workflow';
}
