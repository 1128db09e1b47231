// A repository that an agent made inside the repository: the session is rejected, and no user is asked.
import type { Failure } from '../model/failure.ts';
import type { Problem } from '../model/verdict.ts';

/** null where it is another failure. */
export const asProblem = ({ reason, params }: Failure): Problem | null =>
  reason === 'nested-repository' ? { code: 'nested-repository', params } : null;
