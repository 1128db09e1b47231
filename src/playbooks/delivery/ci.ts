// The checks of a pull request: waited for, also through restarts, and problems of the next session where they fail.
import type { Run } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import type { CiOutcome } from '../../model/forge-action.ts';
import type { Problem } from '../../model/verdict.ts';
import type { ClosingSession } from '../session/endings.ts';

/** The checks are asked again after so long, at first and later. */
const FIRST_MS = 10_000;
const LATER_MS = 60_000;
/** Four hours. */
const MOST_ASKED = 240;
/** How often checks are waited for that are not registered yet. */
const MOST_NONE = 6;

export const STILL_PENDING: Problem = { code: 'ci-failed', params: { name: 'ci', summary: 'it has not ended' } };

/** The checks once they have ended; null: they did not. */
export async function awaited(
  run: Run<Actions>,
  commit: string,
  { facts, session }: ClosingSession,
): Promise<CiOutcome | null> {
  for (let asked = 1; asked <= MOST_ASKED; asked += 1) {
    const step = run.scope(`look-${asked}`);
    const ci = await step.do('ci', { kind: 'ci', commit });
    const isOpen = ci.state === 'pending' || (ci.state === 'none' && ci.mayCome && asked < MOST_NONE);
    if (!isOpen) return ci;
    const delayMs = asked < MOST_NONE ? FIRST_MS : LATER_MS;
    const about = { attempt: asked, of: MOST_ASKED, delayMs, item: facts.id, session };
    await step.do('wait', { kind: 'wait', why: 'forge-checks-pending', ...about });
  }
  return null;
}

export const failedChecks = ({ checks }: CiOutcome): readonly Problem[] =>
  checks
    .filter(({ state }) => state === 'failed')
    .map(({ name, summary }) => ({
      code: 'ci-failed',
      params: { name, summary: summary.slice(-2_000).toWellFormed() },
    }));

export const shownCi = ({ state, checks }: CiOutcome): string =>
  state === 'none' ? 'No checks are configured.' : checks.map((one) => `${one.name}: ${one.state}`).join('\n');
