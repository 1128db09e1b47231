// Which playbooks there are, and which pairs of backlog and machine: the one place that knows them all.
import type { Backlog, Playbook } from '../engine/playbook.ts';
import type { Config, PlaybookName } from '../model/config.ts';
import { backlog as features } from '../playbooks/features/backlog.ts';
import { featuresPlaybook } from '../playbooks/features/playbook.ts';
import { backlog as tasks } from '../playbooks/tasks/backlog.ts';
import { tasksPlaybook } from '../playbooks/tasks/playbook.ts';

/** The configuration lets no other pair through (config/later.ts). */
export const playbookOf = ({ machine }: Config['playbook']): Playbook =>
  machine === 'tasks' ? tasksPlaybook : featuresPlaybook;

export const backlogOf = (name: PlaybookName): Backlog => (name === 'tasks' ? tasks : features);
