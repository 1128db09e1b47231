// Which playbooks there are, and which pairs of backlog and machine: the one place that knows them all.
import type { Backlog, Playbook } from '../engine/playbook.ts';
import type { Config, PlaybookName } from '../model/config.ts';
import { add } from '../playbooks/features/add.ts';
import { backlog as features } from '../playbooks/features/backlog.ts';
import { edits } from '../playbooks/features/edits.ts';
import { featuresOver } from '../playbooks/features/over.ts';
import { featuresPlaybook } from '../playbooks/features/playbook.ts';
import { backlog as tasks } from '../playbooks/tasks/backlog.ts';
import { edits as tasksEdits } from '../playbooks/tasks/edits.ts';
import { tasksOver } from '../playbooks/tasks/over.ts';
import { tasksPlaybook } from '../playbooks/tasks/playbook.ts';
import { backlog as workflow } from '../playbooks/workflow/listing.ts';
import { workflowPlaybook } from '../playbooks/workflow/playbook.ts';

const featuresEdits = { flag: edits.flag, add };

/** The configuration accepts no other pair: the key `playbook` says so. */
export function playbookOf({ backlog, machine }: Config['playbook']): Playbook {
  if (machine === 'workflow') return workflowPlaybook;
  if (machine === 'tasks') return backlog === 'tasks' ? tasksPlaybook : tasksOver(features, featuresEdits);
  return backlog === 'features' ? featuresPlaybook : featuresOver(tasks, tasksEdits);
}

const BACKLOGS: { readonly [N in PlaybookName]?: Backlog } = { tasks, workflow };
export const backlogOf = (name: PlaybookName): Backlog => BACKLOGS[name] ?? features;
