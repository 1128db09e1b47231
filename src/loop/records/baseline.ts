// `.harness/test_baseline.json` for people, and the same in the private folder, where no agent writes, for the verifier.
import { readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { z } from 'zod/mini';
import type { BaselineRecord } from '../../model/action.ts';
import { failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { baselineOf, writeBaseline } from '../../verify/baseline.ts';
import { keptPath, shownPath, type RecordFolders } from '../../repos/records.ts';
import type { RunHost, RunRepository } from '../run-context.ts';

export const baselineFiles = (folders: RecordFolders): { readonly shown: string; readonly kept: string } => ({
  shown: shownPath(folders, 'test_baseline.json'),
  kept: keptPath(folders, 'test_baseline.json'),
});

/** Takes the ids that passed in a check as what must pass from now on. */
export function takeBaseline(context: RunRepository & RunHost, session: number, from: BaselineRecord): Result<string> {
  const ids =
    from.passing === null ? ok([]) : idsIn(isAbsolute(from.passing) ? from.passing : join(context.root, from.passing));
  if (!ids.ok) return ids;
  const { total, tree, suite } = from;
  const baseline = baselineOf({
    session: Math.max(0, session),
    timestamp: context.clock.iso(),
    passing: ids.value,
    total,
    tree,
    suite,
  });
  const { shown, kept } = baselineFiles(context);
  writeBaseline(context.io, kept, baseline);
  writeBaseline(context.io, shown, baseline, 'may-be-lost');
  return ok(shown);
}

function idsIn(file: string): Result<readonly string[]> {
  try {
    return ok(z.array(z.string()).parse(JSON.parse(readFileSync(file, 'utf8'))));
  } catch (error) {
    return err(
      failure('file-unreadable', { file, code: error instanceof Error ? error.message : '' }, { at: { file } }),
    );
  }
}
