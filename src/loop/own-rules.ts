// Ignore rules that the harness itself writes into git's folder while a session's tamper guard is open.
import type { Buffer } from 'node:buffer';
import { existsSync, readFileSync } from 'node:fs';
import type { Result } from '../model/result.ts';
import { excludeFile } from '../repos/view.ts';
import { acceptOwnGitWrite } from '../verify/tamper-guard.ts';
import type { RunHost, RunRepository } from './run-context.ts';

/** Undoing a turn may bring back ignore rules outside the tree: that is the harness's own doing, and no tampering. */
export async function withOwnRules<T>(
  { git, io }: Pick<RunRepository & RunHost, 'git' | 'io'>,
  guards: readonly string[],
  undo: () => Promise<Result<T>>,
): Promise<Result<T>> {
  const path = excludeFile(git);
  const before = bytesAt(path);
  const undone = await undo();
  const after = bytesAt(path);
  if (!undone.ok || after === null || (before !== null && after.equals(before))) return undone;
  for (const into of guards) {
    const accepted = acceptOwnGitWrite(io, into, { path, before, after });
    if (!accepted.ok) return accepted;
  }
  return undone;
}

const bytesAt = (path: string): Buffer | null => (existsSync(path) ? readFileSync(path) : null);
