// `land: branch`: what a run lands is on a branch of its own, `harness/run/<run>`, and the user's branch stays where it is until they merge. A note
// in the state folder of the work tree lists the branches begun there; what became of each is read from git.
//
// A run begins on top of the newest branch that its user has not merged yet, and not beside it: so no item is worked on twice, items may depend on
// those of the run before, and the newest branch has everything. A branch is never moved by a later run: who reviews it sees it unchanged.
import { join } from 'node:path';
import { z } from 'zod/mini';
import { readText } from '../host/files.ts';
import { covered } from '../host/source-watch.ts';
import type { Io } from '../host/io.ts';
import { failure, type Failure } from '../model/failure.ts';
import { ok, type Result } from '../model/result.ts';
import type { Git, ObjectId } from './git.ts';
import { moveRefs, readHead, resolveCommit } from './head.ts';
import { headFromFiles, idFromFiles } from './ref-files.ts';
import { mergedTree } from './merge.ts';
import { countBeside, isWithin } from './remote.ts';
import { checkedOut } from './work-branch.ts';

const FOLDER = 'harness/run/';
export const runBranchName = (run: string): string => `${FOLDER}${run}`;
export const isRunBranch = (branch: string): boolean => branch.startsWith(FOLDER);
/** Moves with the branch, so that nothing is lost with a branch that a user deletes. Its short name is not that of the branch: git would take either. */
export const keptRefOf = (branch: string): string => `refs/harness/run-tips/${branch.slice(FOLDER.length)}`;
const headOf = (branch: string): string => `refs/heads/${branch}`;

const begunSchema = z.object({
  branch: z.string(),
  /** The user's branch, which it was begun for. */
  from: z.string(),
  /** Where it began: nothing has landed while it is there. */
  start: z.string(),
  /** Commits carry the list: what is done is in the list of the branch. */
  hasList: z.boolean(),
});
export type BegunBranch = Readonly<z.infer<typeof begunSchema>>;
const noteSchema = z.object({ schema: z.literal(1), branches: z.array(begunSchema) });

export const RUN_BRANCHES = 'run-branches.json';
const noteOf = (workspaceDir: string): string => join(workspaceDir, RUN_BRANCHES);

/** Oldest first. */
export function begunBranches(workspaceDir: string): readonly BegunBranch[] {
  const text = readText(noteOf(workspaceDir));
  if (!text.ok || text.value === null) return [];
  try {
    return noteSchema.parse(JSON.parse(text.value)).branches;
  } catch {
    return []; // only this program writes it, as a whole
  }
}

function noteBranches(io: Io, workspaceDir: string, branches: readonly BegunBranch[]): void {
  if (branches.length === 0) io.remove(noteOf(workspaceDir));
  else io.replace(noteOf(workspaceDir), `${JSON.stringify({ schema: 1, branches })}\n`);
}

/** What a run that lands on a branch says where it is not there any more. */
export const branchGone = (branch: string, tip: ObjectId | null): Failure =>
  failure('run-branch-gone', { branch, ...(tip === null ? {} : { commit: tip }) });

/** `merged`: also where the user's branch has the same work in other commits. `gone`: deleted before it was merged; `tip`: its last commit. */
type Standing =
  | { readonly is: 'unmade' | 'empty' | 'merged' }
  | { readonly is: 'open' | 'gone'; readonly tip: ObjectId };

async function standingOf(git: Git, { branch, start }: BegunBranch, user: ObjectId | null): Promise<Result<Standing>> {
  const tip = await idOf(git, headOf(branch));
  if (!tip.ok) return tip;
  const kept = tip.value === null ? await idOf(git, keptRefOf(branch)) : tip;
  if (!kept.ok) return kept;
  const last = kept.value;
  if (last === null) return ok({ is: 'unmade' });
  if (last === start) return ok({ is: 'empty' });
  const merged = user === null ? ok(false) : await isMerged(git, last, user);
  if (!merged.ok) return merged;
  if (merged.value) return ok({ is: 'merged' });
  return ok({ is: tip.value === null ? 'gone' : 'open', tip: last });
}

/** Of most refs without a process: looks are frequent. */
async function idOf(git: Git, ref: string): Promise<Result<ObjectId | null>> {
  const plain = idFromFiles(git, ref);
  return plain === null ? resolveCommit(git, ref) : ok(plain);
}

/** What two commits have of each other never changes, so that a kept answer may rest on it. */
const fixed = <T>(read: () => Promise<Result<T>>): Promise<Result<T>> => covered(read, ({ ok: isRead }) => isRead);

async function isMerged(git: Git, tip: ObjectId, user: ObjectId): Promise<Result<boolean>> {
  const within = await fixed(() => isWithin(git, tip, user));
  if (!within.ok || within.value) return within;
  // A merge that was squashed, or picked commit by commit: together both are what the user has already.
  return fixed(async () => {
    const [both, own] = [await mergedTree(git, user, tip), await git.run(['rev-parse', `${user}^{tree}`])];
    if (!own.ok) return own;
    if (!both.ok) return ok(false); // git before 2.38: only a real merge is recognized
    return ok('tree' in both.value && both.value.tree === own.value.trim());
  });
}

export type OpenBranch = BegunBranch & { readonly tip: ObjectId };
export type FoundBranches = {
  /** The user's branch that they are for; a run branch that is checked out counts as the one that it was begun for. null: HEAD is detached. */
  readonly from: string | null;
  /** The newest that is not merged; null: there is none. */
  readonly open: OpenBranch | null;
  /** Newer ones that a user deleted unmerged. */
  readonly gone: readonly OpenBranch[];
  /** What nothing is to be remembered of. */
  readonly over: readonly (BegunBranch & { readonly is: 'unmade' | 'empty' | 'merged' })[];
};

/** `isUnderWay`: an item is, and lands on the newest branch whatever the user has checked out. */
export async function findRunBranches(
  git: Git,
  workspaceDir: string,
  isUnderWay = false,
): Promise<Result<FoundBranches>> {
  const begun = begunBranches(workspaceDir);
  const head = await userHead(git);
  if (!head.ok) return head;
  const { commit, branch } = head.value;
  const from = begun.find((one) => one.branch === branch)?.from ?? branch;
  const gone: OpenBranch[] = [];
  const over: FoundBranches['over'][number][] = [];
  let open: OpenBranch | null = null;
  for (const [n, one] of begun.toReversed().entries()) {
    if (one.from !== from && !(isUnderWay && n === 0)) continue;
    const standing = await standingOf(git, one, commit);
    if (!standing.ok) return standing;
    if (standing.value.is === 'open') open ??= { ...one, tip: standing.value.tip };
    else if (standing.value.is !== 'gone') over.push({ ...one, is: standing.value.is });
    else if (open === null) gone.push({ ...one, tip: standing.value.tip });
  }
  return ok({ from, open, gone, over });
}

async function userHead(git: Git): ReturnType<typeof readHead> {
  const plain = headFromFiles(git);
  return plain === null ? readHead(git) : ok({ commit: plain.commit, branch: plain.branch });
}

/** The one that looks are about; null: none was begun here, or all are merged. */
export async function openRunBranch(
  git: Git,
  workspaceDir: string,
  isUnderWay = false,
): Promise<Result<OpenBranch | null>> {
  if (begunBranches(workspaceDir).length === 0) return ok(null);
  const found = await findRunBranches(git, workspaceDir, isUnderWay);
  return found.ok ? ok(found.value.open) : found;
}

/** `commits`: that the user's branch lacks. `behind`: the user's own since. */
export type UnmergedBranch = { readonly branch: string; readonly commits: number; readonly behind: number };

export async function unmergedIn(git: Git, { branch, tip }: OpenBranch): Promise<Result<UnmergedBranch>> {
  const head = await userHead(git);
  if (!head.ok) return head;
  const { commit: mine } = head.value;
  if (mine === null) return ok({ branch, commits: 0, behind: 0 });
  const commits = await fixed(() => countBeside(git, mine, tip));
  if (!commits.ok) return commits;
  const behind = await fixed(() => countBeside(git, tip, mine));
  return behind.ok ? ok({ branch, commits: commits.value, behind: behind.value }) : behind;
}

/**
 * Makes the branch and forgets those that are over. The note comes first: a branch that a kill kept from being made is forgotten, and one that it left
 * empty is removed by the next run.
 */
export async function makeRunBranch(
  git: Git,
  { io, workspaceDir }: { readonly io: Io; readonly workspaceDir: string },
  begun: BegunBranch,
  { over, gone }: Pick<FoundBranches, 'over' | 'gone'>,
): Promise<Result<null>> {
  const dropped = await dropOver(git, over);
  if (!dropped.ok) return dropped;
  const past = new Set([...over, ...gone].map(({ branch }) => branch));
  const kept = begunBranches(workspaceDir).filter(({ branch }) => !past.has(branch) && branch !== begun.branch);
  noteBranches(io, workspaceDir, [...kept, begun]);
  const { branch, start } = begun;
  return moveRefs(git, [`create ${headOf(branch)} ${start}`, `create ${keptRefOf(branch)} ${start}`], {
    message: 'harness: a branch for what a run lands',
  });
}

/** A branch on which nothing landed is removed, unless a user has it checked out; merged ones are theirs. */
async function dropOver(git: Git, over: FoundBranches['over']): Promise<Result<null>> {
  if (over.length === 0) return ok(null);
  const inUse = await checkedOut(git);
  if (!inUse.ok) return inUse;
  const lines: string[] = [];
  for (const { branch, start, is } of over) {
    const [kept, tip] = [await idOf(git, keptRefOf(branch)), await idOf(git, headOf(branch))];
    if (!kept.ok) return kept;
    if (!tip.ok) return tip;
    if (kept.value !== null) lines.push(`delete ${keptRefOf(branch)}`);
    if (is === 'empty' && tip.value === start && !inUse.value.has(branch))
      lines.push(`delete ${headOf(branch)} ${start}`);
  }
  return moveRefs(git, lines);
}

/** At the end of a run: a branch on which nothing landed is removed. */
export async function dropEmptyBranches(
  git: Git,
  { io, workspaceDir }: { readonly io: Io; readonly workspaceDir: string },
): Promise<Result<null>> {
  const begun = begunBranches(workspaceDir);
  const newest = begun.at(-1);
  if (newest === undefined) return ok(null);
  const standing = await standingOf(git, newest, null);
  if (!standing.ok || standing.value.is !== 'empty') return standing.ok ? ok(null) : standing;
  const dropped = await dropOver(git, [{ ...newest, is: 'empty' }]);
  if (dropped.ok) noteBranches(io, workspaceDir, begun.slice(0, -1));
  return dropped;
}
