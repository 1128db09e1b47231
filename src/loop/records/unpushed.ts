// What became of the last push, where it was not taken: one small file in the private folder, for `status`.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod/mini';
import { failure, type Failure } from '../../model/failure.ts';
import { isReason } from '../../model/reasons.ts';
import type { RunContext } from '../run-context.ts';

const note = z.object({
  schema: z.literal(1),
  /** ISO 8601. */
  at: z.string(),
  reason: z.string(),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
});
export type Unpushed = { readonly at: string; readonly failure: Failure };

const fileIn = (workspaceDir: string): string => join(workspaceDir, 'unpushed.json');

export function noteUnpushed(
  { workspaceDir, io, clock }: Pick<RunContext, 'workspaceDir' | 'io' | 'clock'>,
  why: Failure,
): void {
  const said = { schema: 1, at: clock.iso(), reason: why.reason, params: why.params };
  io.replace(fileIn(workspaceDir), `${JSON.stringify(said)}\n`);
}

export function forgetUnpushed({ workspaceDir, io }: Pick<RunContext, 'workspaceDir' | 'io'>): void {
  if (existsSync(fileIn(workspaceDir))) io.remove(fileIn(workspaceDir));
}

/** null: the last push was taken, or nothing is known of it; nothing is decided by this. */
export function unpushedIn(workspaceDir: string): Unpushed | null {
  try {
    const { at, reason, params } = note.parse(JSON.parse(readFileSync(fileIn(workspaceDir), 'utf8')));
    return isReason(reason) ? { at, failure: failure(reason, params) } : null;
  } catch {
    return null;
  }
}
