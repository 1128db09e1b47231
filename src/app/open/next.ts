// The question "what is next?" for commands, as the loop asks it.
import type { NextFacts } from '../../engine/playbook.ts';
import type { BacklogPath } from '../../loop/run-file.ts';
import type { ItemId } from '../../model/item.ts';
import { contextOf, type Target } from './target.ts';

export const backlogPathOf = ({ config, machine }: Pick<Target, 'config' | 'machine'>): BacklogPath => ({
  backlog: config.paths.backlog,
  isOwn: machine.files(config).own.includes(config.paths.backlog),
});

export const askNext = (target: Target, only: ItemId | null): Promise<NextFacts> =>
  target.machine.next.read(contextOf(target), { only });
