// Paths as a configuration writes them, and those it need not write.

import type { Config, PlaybookName } from '../../model/config.ts';
import { WORKFLOW_FILE } from '../../model/workflow-file.ts';
import type { TargetFiles } from '../../model/target-files.ts';

/** Repository-relative. */
export const STANDARD_PATHS = {
  features: 'features.json',
  progress: 'claude-progress.txt',
  stateDir: '.harness',
} as const;

/** The tasks reference names its files itself. */
const TASKS = { backlog: 'harness-tasks.json', progress: 'harness-progress.txt' } as const;

/** So does the workflow reference. */
const WORKFLOW = { backlog: WORKFLOW_FILE } as const;

export type WorkedPlaybook = Extract<PlaybookName, 'features' | 'tasks' | 'workflow'>;

/** Where nobody says: whose list is there. A workflow lies there until it ends: any list that is somebody's goes before it. */
export function usualPlaybook(files: TargetFiles, features: string): WorkedPlaybook {
  if (files.has(tidyPath(features))) return 'features';
  if (files.has(TASKS.backlog)) return 'tasks';
  return isWorkflowState(files.read(WORKFLOW.backlog)) ? 'workflow' : 'features';
}

/** Whose it is, no more: mistakes in it are said by whoever reads it in full. */
function isWorkflowState(text: string | null): boolean {
  if (text === null) return false;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return false;
  }
  const { task, phase, version, skill = 'workflow' } = (value ?? {}) as { readonly [field: string]: unknown };
  const isOne = typeof version === 'string' ? typeof task === 'string' : typeof phase === 'string';
  return isOne && skill === 'workflow';
}

export const backlogPath = (backlog: PlaybookName, features: string): string =>
  backlog === 'tasks' ? TASKS.backlog : backlog === 'workflow' ? WORKFLOW.backlog : tidyPath(features);

/** The log is the machine's: over another format's backlog it keeps its own files apart. */
export const progressPath = ({ backlog, machine }: Config['playbook'], progress: string, stateDir: string): string => {
  if (machine !== 'tasks') return tidyPath(progress);
  return backlog === 'tasks' ? TASKS.progress : `${tidyPath(stateDir)}/tasks/${TASKS.progress}`;
};

/** One spelling of a path inside the repository: no `./`, no `//`, no slash at the end. */
export const tidyPath = (path: string): string =>
  path
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/');
