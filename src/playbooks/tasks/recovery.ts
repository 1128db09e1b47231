// A task that was under way when its session was cut (reference 003, Context Window Recovery Protocol): what was found decides what is
// done. The table is the reference's; rows are looked through from the top.
import { Bug } from '../../model/bug.ts';

/** What lies there: changes that nobody committed, commits that name the task since it began, steps its agent told of. */
export type Found = { readonly uncommitted: boolean; readonly commits: boolean; readonly checkpoints: boolean };

/**
 * `no-progress`: it failed, with nothing to show. `compare`: resumed if the files are what the steps say, else failed.
 * `validate`: its command decides; `commit` says what becomes of changes that nobody committed: `before` it is run, `after` it
 * passed, `nothing`: there are none.
 */
export type Recovery =
  | { readonly do: 'no-progress' }
  | { readonly do: 'compare' }
  | { readonly do: 'validate'; readonly commit: 'before' | 'after' | 'nothing' };

type Row = { readonly [K in keyof Found]: boolean | 'any' } & { readonly action: Recovery };
export const RECOVERY_TABLE: readonly Row[] = [
  { uncommitted: false, commits: false, checkpoints: false, action: { do: 'no-progress' } },
  { uncommitted: false, commits: false, checkpoints: true, action: { do: 'compare' } },
  { uncommitted: false, commits: true, checkpoints: 'any', action: { do: 'validate', commit: 'nothing' } },
  { uncommitted: true, commits: false, checkpoints: 'any', action: { do: 'validate', commit: 'after' } },
  { uncommitted: true, commits: true, checkpoints: 'any', action: { do: 'validate', commit: 'before' } },
];

export function recoveryFor(found: Found): Recovery {
  const fits = (row: Row): boolean =>
    (['uncommitted', 'commits', 'checkpoints'] as const).every((key) => row[key] === 'any' || row[key] === found[key]);
  const row = RECOVERY_TABLE.find(fits);
  if (row === undefined) throw new Bug(`no row of the recovery table fits ${JSON.stringify(found)}`);
  return row.action;
}
