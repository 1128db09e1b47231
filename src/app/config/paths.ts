// Paths as a configuration writes them, and those it need not write.

import type { Config, PlaybookName } from '../../model/config.ts';

/** Repository-relative. */
export const STANDARD_PATHS = {
  features: 'features.json',
  progress: 'claude-progress.txt',
  stateDir: '.harness',
} as const;

/** The tasks reference names its files itself. */
const TASKS = { backlog: 'harness-tasks.json', progress: 'harness-progress.txt' } as const;

/** Where nobody says: whose list is there. */
export const usualPlaybook = (has: (path: string) => boolean, features: string): 'features' | 'tasks' =>
  has(TASKS.backlog) && !has(tidyPath(features)) ? 'tasks' : 'features';

export const backlogPath = (backlog: PlaybookName, features: string): string =>
  backlog === 'tasks' ? TASKS.backlog : tidyPath(features);

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
