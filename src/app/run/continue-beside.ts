// A user saves a file in the folder in which the agents of a run work (`isolation: in-place`), and the next item cannot begin there. The run then
// continues as with `isolation: worktree`: the file stays as it is, is in no commit, and is asked about where a landing changes it too.
import type { RunMode } from '../../model/run.ts';
import type { Target } from '../open/target.ts';

type Ended = {
  readonly result: string;
  readonly reason: string;
  /** Of the items, in the order in which they ended. */
  readonly items: readonly { readonly result: string; readonly reason: string }[];
};
type Project = Pick<Target, 'hasGit'> & {
  readonly config: Pick<Target['config'], 'isolation'>;
  readonly playbook: Pick<Target['playbook'], 'oneTask'>;
};

const isHindered = ({ result, reason }: Pick<Ended, 'result' | 'reason'>): boolean =>
  result === 'blocked' && reason === 'dirty-tree';

/** What was there when the run began is the user's to decide; so is the one task of a machine that has one. */
export function continuesBeside({ config, hasGit, playbook }: Project, { result, reason, items }: Ended): boolean {
  if (config.isolation !== 'in-place' || !hasGit || playbook.oneTask !== undefined) return false;
  const hasWorked = items.some((item) => !isHindered(item));
  return isHindered({ result, reason }) && hasWorked;
}

export const besideOf = (target: Target): Target => ({
  ...target,
  config: { ...target.config, isolation: 'worktree' },
});

/** What could not begin was no session. */
export const modeBeside = (mode: RunMode): RunMode => ({
  ...mode,
  maxSessions: mode.maxSessions === null ? null : mode.maxSessions + 1,
});

/** A run that continues in another place. `hindered`: the number of its item that could not begin in the first one. */
export type MovedRun = { readonly run: string; readonly hindered: number };

export const movedBeside = ({ run, items }: Ended & { readonly run: string }): MovedRun => ({
  run,
  hindered: items.findLastIndex(isHindered),
});

export const withoutHindered = <T>(items: readonly T[], moved: MovedRun | null): readonly T[] =>
  items.filter((_, n) => n !== moved?.hindered);
