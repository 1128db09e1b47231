// The playbook's question "what is next?", as the loop asks it, for everybody else who wants to know.
import type { NextFacts } from '../loop/run-file.ts';
import type { ItemId } from '../model/item.ts';
import type { Target } from './target.ts';

/** Where the backlog, the log and the state are, and what holds for state of a newer version. */
export const placesOf = ({ config, playbook }: Pick<Target, 'config' | 'playbook'>) => ({
  backlog: config.paths.backlog,
  progress: config.paths.progress,
  stateDir: config.paths.stateDir,
  newer: config.compatibility.onNewerState,
  isOwn: (playbook.own?.(config) ?? []).includes(config.paths.backlog),
});

export async function askNext(target: Target, only: ItemId | null): Promise<NextFacts> {
  const asked = await target.playbook.surveys['next']?.(target.world, { ...placesOf(target), only });
  return asked as unknown as NextFacts;
}
