// `.harness/test_baseline.json` for people, and the same in the private folder, where no agent writes, for the verifier.
import type { Buffer } from 'node:buffer';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { z } from 'zod/mini';
import type { Io } from '../../host/io.ts';
import { baselineFrom, type BaselineRecord } from '../../model/baseline-record.ts';
import { failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { baselineOf, writeBaseline } from '../../verify/baseline.ts';
import { treeAt } from '../../repos/checkpoint.ts';
import { resolveCommit } from '../../repos/head.ts';
import { branchCommits } from '../../repos/message.ts';
import { keptPath, shownPath, type RecordFolders } from '../../repos/records.ts';
import type { TestBaseline } from '../../model/report.ts';
import type { Verdict } from '../../model/verdict.ts';
import type { RunContext } from '../run-context.ts';

export const baselineFiles = (folders: RecordFolders): { readonly shown: string; readonly kept: string } => ({
  shown: shownPath(folders, 'test_baseline.json'),
  kept: keptPath(folders, 'test_baseline.json'),
});

/** Takes the ids that passed in a check as what must pass from now on. */
export function takeBaseline(context: RunContext, session: number, from: BaselineRecord): Result<string> {
  const baseline = baselineWith(context, session, from);
  if (!baseline.ok) return baseline;
  const { shown, kept } = baselineFiles(context);
  writeBaseline(context.io, kept, baseline.value);
  writeBaseline(context.io, shown, baseline.value, 'may-be-lost');
  if (baseline.value.tree !== undefined) keepOf(context, [baseline.value.tree], baseline.value);
  return ok(shown);
}

function baselineWith(
  { root, clock }: Pick<RunContext, 'root' | 'clock'>,
  session: number,
  from: BaselineRecord,
): Result<TestBaseline> {
  const ids =
    from.passing === null ? ok([]) : idsIn(isAbsolute(from.passing) ? from.passing : join(root, from.passing));
  if (!ids.ok) return ids;
  const { total, tree, suite } = from;
  return ok(
    baselineOf({ session: Math.max(0, session), timestamp: clock.iso(), passing: ids.value, total, tree, suite }),
  );
}

/** Of a landing, before another one can follow: the items of other lanes are compared with it from now on. */
export async function landBaseline(
  context: RunContext,
  session: number,
  { verdict, commit }: { readonly verdict: Verdict; readonly commit: string },
): Promise<Result<null>> {
  if (context.lanes === null) return ok(null);
  const tree = await treeAt(context.git, commit);
  if (!tree.ok) return tree;
  const from = baselineFrom(verdict, tree.value);
  if (from === null) return ok(null);
  const baseline = baselineWith(context, session, from);
  if (!baseline.ok) return baseline;
  keepOf(context, [commit, tree.value], baseline.value);
  writeBaseline(context.io, ofLastLanding(context), baseline.value);
  return ok(null);
}

const ofLastLanding = (context: RunContext): string =>
  keptPath({ ...context, treeDir: context.workspaceDir }, 'test_baseline.json');

/** How many baselines of trees and of commits are kept for the lanes. */
const MOST_KEPT = 64;
const folderOfKept = ({ workspaceDir }: Pick<RunContext, 'workspaceDir'>): string => join(workspaceDir, 'baselines');

/** `ids`: of the tree, and of the commit where it is a landing. */
function keepOf(
  context: Pick<RunContext, 'lanes' | 'io' | 'workspaceDir'>,
  ids: readonly string[],
  baseline: TestBaseline,
): void {
  if (context.lanes === null) return;
  const folder = folderOfKept(context);
  for (const id of ids) writeBaseline(context.io, join(folder, `${id}.json`), baseline, 'may-be-lost');
  const known = readdirSync(folder).map((name) => ({ name, at: statSync(join(folder, name)).mtimeMs }));
  const oldest = known.toSorted((a, b) => b.at - a.at).slice(MOST_KEPT);
  for (const { name } of oldest) context.io.remove(join(folder, name));
}

/** The baseline of this very tree counts from now on. `false`: it is not known, and the one that the lane has stays. */
export function adoptBaseline(context: RunContext, tree: string): boolean {
  const from = join(folderOfKept(context), `${tree}.json`);
  if (context.lanes === null || !existsSync(from)) return false;
  replaceWhereOther(context.io, baselineFiles(context).kept, readFileSync(from));
  return true;
}

/** Mostly it is the one that the lane has: a durable write takes milliseconds. */
function replaceWhereOther(io: Io, file: string, bytes: Buffer): void {
  if (!existsSync(file) || !readFileSync(file).equals(bytes)) io.replace(file, bytes);
}

/**
 * The work tree of a lane has come to this commit: what is compared from now on is what is known to pass in it, or in the nearest commit before it.
 * Otherwise a test that landed meanwhile would be missed, or asked of a commit that does not have it yet. Where neither is known, what landed last counts.
 */
export async function adoptBaselineAt(context: RunContext, commit: string): Promise<Result<null>> {
  if (context.lanes === null) return ok(null);
  const { git } = context;
  const [tree, tip] = [await treeAt(git, commit), await resolveCommit(git, commit)];
  if (!tree.ok) return tree;
  if (!tip.ok) return tip;
  if (adoptBaseline(context, tree.value)) return ok(null);
  const back = tip.value === null ? ok([]) : await branchCommits(git, tip.value);
  if (!back.ok) return back;
  if (back.value.some((one) => adoptBaseline(context, one.commit) || adoptBaseline(context, one.tree))) return ok(null);
  const [last, kept] = [ofLastLanding(context), baselineFiles(context).kept];
  if (last !== kept && existsSync(last)) replaceWhereOther(context.io, kept, readFileSync(last));
  return ok(null);
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
