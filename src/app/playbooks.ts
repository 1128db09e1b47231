// Which playbooks there are: the one place that knows them all.
import type { Playbook } from '../engine/playbook.ts';
import type { PlaybookName } from '../model/config.ts';
import { Bug } from '../model/bug.ts';
import { featuresPlaybook } from '../playbooks/features/playbook.ts';
import { tasksPlaybook } from '../playbooks/tasks/playbook.ts';
import { workflowPlaybook } from '../playbooks/workflow/playbook.ts';

const PLAYBOOKS: readonly Playbook[] = [featuresPlaybook, tasksPlaybook, workflowPlaybook];

/** The configuration lets no other name through. */
export function playbookNamed(name: PlaybookName): Playbook {
  const found = PLAYBOOKS.find((playbook) => playbook.name === name);
  if (found === undefined) throw new Bug(`there is no playbook ${name}`);
  return found;
}
