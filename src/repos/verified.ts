// The tree that a session's checks judged last, under a ref until it lands: a journal names it, and no `git gc` may take it away.
import { ok, type Result } from '../model/result.ts';
import type { Git, ObjectId } from './git.ts';

export const VERIFIED = 'refs/harness/verified';
export const verifiedRef = (session: number): string => `${VERIFIED}/${session}`;

export async function keepVerified(git: Git, session: number, tree: ObjectId): Promise<Result<null>> {
  const kept = await git.run(['update-ref', verifiedRef(session), tree]);
  return kept.ok ? ok(null) : kept;
}
