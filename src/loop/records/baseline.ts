// `.harness/test_baseline.json` for people, and the same in the private folder, where no agent writes, for the verifier.
import type { Buffer } from 'node:buffer';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { z } from 'zod/mini';
import type { Io } from '../../host/io.ts';
import type { BaselineRecord } from '../../model/baseline-record.ts';
import { failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { baselineOf, writeBaseline } from '../../verify/baseline.ts';
import { treeAt } from '../../repos/checkpoint.ts';
import { keptPath, shownPath, type RecordFolders } from '../../repos/records.ts';
import type { TestBaseline } from '../../model/report.ts';
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
  keepOfTree(context, baseline.value);
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
export function landBaseline(context: RunContext, session: number, from: BaselineRecord | null): Result<null> {
  if (context.lanes === null || from === null) return ok(null);
  const baseline = baselineWith(context, session, from);
  if (!baseline.ok) return baseline;
  keepOfTree(context, baseline.value);
  writeBaseline(context.io, ofLastLanding(context), baseline.value);
  return ok(null);
}

const ofLastLanding = (context: RunContext): string =>
  keptPath({ ...context, treeDir: context.workspaceDir }, 'test_baseline.json');

/** How many trees with a baseline are known to the lanes. */
const MOST_TREES = 32;
const foldersOfTrees = ({ workspaceDir }: Pick<RunContext, 'workspaceDir'>): string => join(workspaceDir, 'baselines');

function keepOfTree(context: Pick<RunContext, 'lanes' | 'io' | 'workspaceDir'>, baseline: TestBaseline): void {
  const folder = foldersOfTrees(context);
  if (context.lanes === null || baseline.tree === undefined) return;
  writeBaseline(context.io, join(folder, `${baseline.tree}.json`), baseline, 'may-be-lost');
  const known = readdirSync(folder).map((name) => ({ name, at: statSync(join(folder, name)).mtimeMs }));
  const oldest = known.toSorted((a, b) => b.at - a.at).slice(MOST_TREES);
  for (const { name } of oldest) context.io.remove(join(folder, name));
}

/**
 * The work tree of a lane has come to this tree: what is compared from now on is what is known to pass in it. Otherwise a test that landed
 * meanwhile would be missed. `false`: nothing is known of it, and what landed last counts.
 */
export function adoptBaseline(context: RunContext, tree: string): boolean {
  if (context.lanes === null) return false;
  const { kept } = baselineFiles(context);
  const ofTree = join(foldersOfTrees(context), `${tree}.json`);
  const from = [ofTree, ofLastLanding(context)].find((path) => existsSync(path));
  if (from !== undefined && from !== kept) replaceWhereOther(context.io, kept, readFileSync(from));
  return from === ofTree;
}

/** Mostly it is the one that the lane has: a durable write takes milliseconds. */
function replaceWhereOther(io: Io, file: string, bytes: Buffer): void {
  if (!existsSync(file) || !readFileSync(file).equals(bytes)) io.replace(file, bytes);
}

/** The same for the tree of a commit. */
export async function adoptBaselineAt(context: RunContext, commit: string): Promise<Result<null>> {
  if (context.lanes === null) return ok(null);
  const tree = await treeAt(context.git, commit);
  if (!tree.ok) return tree;
  adoptBaseline(context, tree.value);
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
