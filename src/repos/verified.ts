// The tree that a session's checks judged last, under a ref until it lands: a journal names it, and no `git gc` may take it away.
import type { Result } from '../model/result.ts';
import type { Git, ObjectId } from './git.ts';
import { setRef } from './head.ts';

export const VERIFIED = 'refs/harness/verified';
export const verifiedRef = (session: number): string => `${VERIFIED}/${session}`;

export const keepVerified = (git: Git, session: number, tree: ObjectId): Promise<Result<null>> =>
  setRef(git, verifiedRef(session), tree);
