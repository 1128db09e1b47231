// Failures that the work of a session caused: it is rejected for them, and no user is asked.
import type { Failure } from '../model/failure.ts';
import type { Problem } from '../model/verdict.ts';

/** null where it is another failure. */
export const asProblem = ({ reason, params }: Failure): Problem | null =>
  reason === 'nested-repository' || reason === 'install-failed' ? { code: reason, params } : null;
