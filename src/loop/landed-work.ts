// What a bundle says about the landed work: the claim, how the landed tree differs from the checked one, and how strong the proof is.
// Read from git, before the commit is made.
import type { Buffer } from 'node:buffer';
import { listedItem } from '../engine/listed-item.ts';
import type { BundleAsk } from '../model/action.ts';
import type { Json } from '../model/json.ts';
import type { ProofSummary } from '../model/proof.ts';
import { ok, type Result } from '../model/result.ts';
import type { CommitPlace } from '../repos/commit.ts';
import { editedTree, entryIn, foldersOf, type Folders } from '../repos/edited-tree.ts';
import type { Git } from '../repos/git.ts';
import { entriesBetween } from '../repos/history.ts';
import { readObjects } from '../repos/objects.ts';
import type { ClaimKind, LandedChange } from '../verify/manifest.ts';
import type { RunContext } from './run-context.ts';

export type LandedWork = {
  readonly claim: ClaimKind;
  /** Before and after of the item, where git has it. */
  readonly item: { readonly before: Json; readonly after: Json };
  readonly list: { readonly path: string; readonly format: string } | null;
  readonly changes: readonly LandedChange[];
  readonly proof: ProofSummary;
  /** Other objects that were asked for, in their order. */
  readonly others: readonly ({ readonly id: string; readonly bytes: Buffer } | null)[];
};
type Ask = { readonly item: string; readonly own: readonly string[]; readonly bundle: BundleAsk };

/** `others`: names of objects that are read in the same look. `unmade`: the commit does not change the item from open to done. */
export async function landedWork(
  { git, backlog, config }: Pick<RunContext, 'git' | 'backlog' | 'config'>,
  { item, own, bundle }: Ask,
  { tree, parentTree }: CommitPlace,
  others: readonly string[],
): Promise<Result<LandedWork | { readonly unmade: true }>> {
  const { verdict, checkpoint, backlog: path } = bundle;
  const folders = foldersOf(own);
  const carries = own.includes(path);
  const [before, after] = carries ? [parentTree, tree] : [checkpoint.commit, verdict.tree];
  const names = [
    `${before}:${path}`,
    `${after}:${path}`,
    ...folders.flatMap((folder) => [`${verdict.tree}:${folder}`, `${tree}:${folder}`]),
    ...others,
  ];
  const read = await readObjects(git, names);
  if (!read.ok) return read;
  const [was, is, ...more] = read.value;
  const textOf = (object: typeof was): string | null => object?.bytes.toString('utf8') ?? null;
  const [open, done] = [textOf(was), textOf(is)];
  const isListed = carries && open !== null;
  if (isListed && !isMade(listedItem(backlog, open, item), listedItem(backlog, done, item)))
    return ok({ unmade: true });
  const foldersIn = (of: string, first: number): Folders => ({
    tree: of,
    bytes: new Map(
      folders.flatMap((folder, n) => {
        const found = more[2 * n + first] ?? null;
        return found?.type === 'tree' ? [[folder, found.bytes] as const] : [];
      }),
    ),
  });
  const changes = await changesOf(git, own, foldersIn(verdict.tree, 0), foldersIn(tree, 1));
  if (!changes.ok) return changes;
  return ok({
    claim: claimOf(bundle, isListed),
    item: {
      before: open === null ? null : backlog.raw(open, item),
      after: done === null ? null : backlog.raw(done, item),
    },
    list: isListed ? { path, format: config.playbook.backlog } : null,
    changes: changes.value,
    proof: bundle.proof ?? proofOf(bundle),
    others: more.slice(2 * folders.length),
  });
}

const isMade = (before: ReturnType<typeof listedItem>, after: ReturnType<typeof listedItem>): boolean =>
  before !== null && after !== null && !before.isDone && after.isDone;

/** Of the harness's own files as a rule; where git converts what it stores, or leaves something out, of more. */
async function changesOf(
  git: Git,
  own: readonly string[],
  checked: Folders,
  landed: Folders,
): Promise<Result<readonly LandedChange[]>> {
  const changes = own
    .map((path) => ({ path, verified: entryIn(checked, path), landed: entryIn(landed, path) }))
    .filter((one) => one.verified?.id !== one.landed?.id || one.verified?.mode !== one.landed?.mode);
  const rebuilt = editedTree(landed, new Map(changes.map(({ path, verified }) => [path, verified])));
  if (rebuilt === checked.tree) return ok(changes);
  const entries = await entriesBetween(git, checked.tree, landed.tree);
  return entries.ok
    ? ok(entries.value.map(({ path, before, after }) => ({ path, verified: before, landed: after })))
    : entries;
}

/** A list that no commit carried before proves no change of the item. */
function claimOf({ claim, claims, verdict }: BundleAsk, isListed: boolean): ClaimKind {
  if (claim !== undefined && (claim !== 'flip' || isListed)) return claim;
  if (verdict.checks.length === 0) return 'person';
  if (isListed) return 'flip';
  return claims === false ? 'gate' : 'command';
}

const proofOf = ({ verdict }: BundleAsk): ProofSummary => ({
  strength: verdict.checks.length === 0 ? 'person' : verdict.tests === null ? 'exit-code' : 'tests',
  held: verdict.checks.filter(({ passed }) => passed).map(({ name }) => name),
  notPossible: [],
});
