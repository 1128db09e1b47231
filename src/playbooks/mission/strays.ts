// What a session changed in the work tree that was not its own to change: kept as a checkpoint, and taken back.
import { readFacts } from '../../engine/definitions.ts';
import type { Run } from '../../engine/types.ts';
import type { Actions, Checkpoint } from '../../model/action.ts';
import { changedSince } from './review-facts.ts';

type Of = { readonly session: number; readonly item: string | null };

/** The paths that are as before again; empty: nothing was changed. */
export async function takeBack(
  run: Run<Actions>,
  before: Checkpoint,
  { session, item }: Of,
): Promise<readonly string[]> {
  const { paths } = await readFacts(run, changedSince, { since: before.commit });
  if (paths.length === 0) return paths;
  await run.do('keep', { kind: 'checkpoint', session, item, why: 'strayed' });
  await run.do('restore', { kind: 'restore', checkpoint: before, paths });
  return paths;
}

/** Work of a role that writes only drafts: whatever else it changed is taken back. */
export async function withoutStrays<T>(run: Run<Actions>, of: Of, work: () => Promise<T>): Promise<T> {
  const before = await run.do('before', { kind: 'checkpoint', ...of, why: 'pre_role' });
  const result = await work();
  await takeBack(run, before, of);
  return result;
}
