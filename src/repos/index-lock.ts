// Git's `index.lock` of a user's work tree, held by the harness while branch and index move: `git commit` and `git add` wait or fail
// meanwhile. What it contains says whose it is; a note beside says so after a crash.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { codeOf } from '../host/error-code.ts';
import { readText } from '../host/files.ts';
import { failure } from '../model/failure.ts';
import { err, ok, type Result } from '../model/result.ts';
import type { Git } from './git.ts';

const lockOf = (git: Git): string => join(git.gitDir, 'index.lock');

export function holdsIndex(git: Git, token: string): boolean {
  const text = readText(lockOf(git));
  return text.ok && text.value === token;
}

const WAITS_MS = [20, 50, 100, 200, 400, 800, 1_600];

/** Fails with `git-busy`: git of the user holds it, or one that was killed left it. */
export async function lockIndex(git: Git, token: string): Promise<Result<null>> {
  for (let attempt = 0; ; attempt++) {
    const taken = await git.io.effect('lock the index', async () => {
      try {
        writeFileSync(lockOf(git), token, { flag: 'wx' });
        return true;
      } catch (error) {
        if (codeOf(error) !== 'EEXIST') throw error;
        return false;
      }
    });
    if (taken) return ok(null);
    const waitMs = WAITS_MS[attempt];
    if (waitMs === undefined) return err(failure('git-busy', { command: 'git update-index', words: lockOf(git) }));
    await pause(waitMs);
  }
}

/** The lock first: a note without its lock is looked at again, a lock without its note would stay. */
export function releaseIndex(git: Git, token: string, note: string): void {
  if (holdsIndex(git, token)) git.io.remove(lockOf(git));
  git.io.remove(note);
}
