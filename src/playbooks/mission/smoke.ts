// The smoke test of a mission: one command that must succeed on the work as a whole.
import type { Run } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import type { Config } from '../../model/config.ts';
import type { Problem } from '../../model/verdict.ts';
import { checkOf } from '../session/checks.ts';

/** Why it fails; empty: it succeeds, or none is configured. */
export async function smokeTest(
  run: Run<Actions>,
  session: number | null,
  config: Config,
): Promise<readonly Problem[]> {
  const { smoke } = config.mission;
  if (smoke === null) return [];
  const checks = [checkOf('smoke', smoke, 'must', Math.round(config.testing.timeoutMinutes * 60_000))];
  const verdict = await run.do('check', { kind: 'check', purpose: 'smoke', session, checks });
  return verdict.holds ? [] : verdict.problems;
}
