// What surveys, briefs and edits read, for tests: a repository, the format of its list, and a whole configuration.
import type { BriefContext, Texts } from '../../src/engine/definitions.ts';
import type { Config } from '../../src/model/config.ts';
import type { Result } from '../../src/model/result.ts';
import type { RepositoryView } from '../../src/model/repository-view.ts';
import { backlog as features } from '../../src/playbooks/features/backlog.ts';
import { backlog as tasks } from '../../src/playbooks/tasks/backlog.ts';
import { catalogueOf } from '../../src/host/catalogue.ts';
import { sentences } from '../../src/host/sentences/en/all.ts';
import { configOf } from './config.ts';

export const sentence = catalogueOf('en', sentences).problem;

/** The list is of the format that the configuration names. */
export const contextOf = (view: RepositoryView, config: Config = configOf()): BriefContext => ({
  view,
  backlog: config.playbook.backlog === 'tasks' ? tasks : features,
  config,
  sentence,
});

/** A configuration of the tasks playbook; `backlog: 'features'` for its machine on a list of that format. */
export const tasksConfig = (
  parts: Parameters<typeof configOf>[0] = {},
  backlog: 'features' | 'tasks' = 'tasks',
): Config =>
  configOf({
    playbook: { backlog, machine: 'tasks' },
    paths: {
      backlog: backlog === 'tasks' ? 'harness-tasks.json' : 'features.json',
      progress: 'harness-progress.txt',
      stateDir: '.harness',
    },
    ...parts,
  });

/** The texts of an edit that must succeed. */
export function textsFrom(result: Result<Texts>): Texts {
  if (!result.ok) throw new Error(`the edit failed: ${JSON.stringify(result.failure)}`);
  return result.value;
}
