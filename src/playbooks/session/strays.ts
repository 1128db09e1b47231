// What a session changed in the work tree that was not its own to change: kept as a checkpoint, and taken back.
import { z } from 'zod';
import { defineSurvey, readFacts } from '../../engine/definitions.ts';
import type { Run } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import type { Checkpoint } from '../../model/checkpoint.ts';
import type { Problem } from '../../model/verdict.ts';

type R = Run<Actions>;
type Of = { readonly session: number; readonly item: string | null };

/** Paths of the work tree that differ from a revision. */
export const changedSince = defineSurvey({
  id: 'changed-since',
  input: z.object({ since: z.string() }),
  facts: z.object({ paths: z.array(z.string()).readonly() }),
  read: async ({ view }, { since }) => ({ paths: await view.changedSince(since) }),
});

/** The paths that are as before again; empty: nothing was changed. */
export async function takeBack(run: R, before: Checkpoint, { session, item }: Of): Promise<readonly string[]> {
  const { paths } = await readFacts(run, changedSince, { since: before.commit });
  if (paths.length === 0) return paths;
  await run.do('keep', { kind: 'checkpoint', session, item, why: 'strayed' });
  await run.do('restore', { kind: 'restore', checkpoint: before, paths });
  return paths;
}

/** Work of a role that writes only drafts: whatever else it changed is taken back. */
export async function withoutStrays<T>(run: R, of: Of, work: () => Promise<T>): Promise<T> {
  const before = await run.do('before', { kind: 'checkpoint', ...of, why: 'pre_role' });
  const result = await work();
  await takeBack(run, before, of);
  return result;
}

/** How often a role is asked whose verdict is void. */
const MOST_VOID = 2;

/** A role that judges changes nothing. What it changed all the same is taken back, and its verdict is void: it is asked again, once. */
export async function judgedUnchanged<T>(
  run: R,
  { role, before, ...of }: Of & { readonly role: string; readonly before: Checkpoint },
  judge: (step: R) => Promise<T>,
): Promise<{ readonly found: T; readonly isVoid: Problem | null }> {
  for (let round = 1; ; round += 1) {
    const step = run.scope(`round-${round}`);
    const found = await judge(step);
    const paths = await takeBack(step, before, of);
    const [path] = paths;
    if (path === undefined) return { found, isVoid: null };
    const isVoid: Problem = { code: 'verdict-void', params: { role, path, count: paths.length } };
    if (round >= MOST_VOID) return { found, isVoid };
  }
}
