// Which playbooks there are, and which pairs of backlog and machine: the one place that knows them all.
import type { Backlog, Playbook } from '../engine/playbook.ts';
import type { Config, PlaybookName } from '../model/config.ts';
import { backlog as features } from '../playbooks/features/backlog.ts';
import { featuresPlaybook } from '../playbooks/features/playbook.ts';

const PLAYBOOKS = { features: featuresPlaybook } as const;

/** The configuration lets nothing else through (config/later.ts). */
export const playbookOf = (_pair: Config['playbook']): Playbook => PLAYBOOKS.features;

export const backlogOf = (_name: PlaybookName): Backlog => features;
