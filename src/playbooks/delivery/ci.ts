// The checks of a pull request: waited for, also through restarts, and problems of the next session where they fail.
import type { Run } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import type { CiAsk, CiOutcome } from '../../model/forge-action.ts';
import type { Problem } from '../../model/verdict.ts';
import type { ClosingSession } from '../session/ending-hooks.ts';

/** The checks are asked again after so long, at first and later. */
const FIRST_MS = 10_000;
const LATER_MS = 60_000;
/** Four hours. */
const MOST_ASKED = 240;
/** How often checks are waited for that are not registered yet. */
const MOST_NONE = 6;

/** The checks once they have ended; `pending`: they did not in all that time. */
export async function awaited(
  run: Run<Actions>,
  ask: CiAsk,
  { facts, session }: Pick<ClosingSession, 'facts' | 'session'>,
): Promise<CiOutcome> {
  let before = '';
  for (let asked = 1; ; asked += 1) {
    const step = run.scope(`look-${asked}`);
    const ci = await step.do('ci', { kind: 'ci', ...ask });
    const isFresh = isPassedFirst(ci, before);
    before = shownCi(ci);
    const isOpen = ci.state === 'pending' || isFresh || (ci.state === 'none' && ci.mayCome && asked < MOST_NONE);
    if (!isOpen || asked > MOST_ASKED) return ci;
    const delayMs = asked < MOST_NONE ? FIRST_MS : LATER_MS;
    const about = { attempt: asked, of: MOST_ASKED, delayMs, item: facts.id, session };
    await step.do('wait', { kind: 'wait', why: 'forge-checks-pending', ...about });
  }
}

/** A job that follows another is registered once that has ended: what has passed is looked at once more. */
const isPassedFirst = (ci: CiOutcome, before: string): boolean =>
  ci.state === 'passed' && ci.mayCome && shownCi(ci) !== before;

/** Why nothing is merged by these checks; empty: they passed, or there are none. */
export function notPassed(ci: CiOutcome): readonly Problem[] {
  if (ci.state === 'failed') return failedChecks(ci);
  return ci.state !== 'pending'
    ? []
    : ci.checks
        .filter(({ state }) => state === 'pending')
        .map(({ name, summary }) => ({
          code: 'ci-failed',
          params: {
            name,
            summary: summary === '' ? 'it has not ended' : `it has not ended: ${summary.slice(-500).toWellFormed()}`,
          },
        }));
}

const failedChecks = ({ checks }: CiOutcome): readonly Problem[] =>
  checks
    .filter(({ state }) => state === 'failed')
    .map(({ name, summary }) => ({
      code: 'ci-failed',
      params: { name, summary: summary.slice(-2_000).toWellFormed() },
    }));

export const shownCi = ({ state, checks }: CiOutcome): string =>
  state === 'none' ? 'No checks are configured.' : checks.map((one) => `${one.name}: ${one.state}`).join('\n');
