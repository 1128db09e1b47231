// What a bundle says about the landed work: the claim, how the landed tree differs from the checked one, and how strong the proof is.
// Read from git, before the commit is made.
import type { Buffer } from 'node:buffer';
import { isDeepStrictEqual } from 'node:util';
import type { BundleAsk } from '../model/landing-action.ts';
import type { Json } from '../model/json.ts';
import type { ProofSummary } from '../model/proof.ts';
import { ok, type Result } from '../model/result.ts';
import type { CommitPlace } from '../repos/commit.ts';
import { editedTree, entryIn, foldersOf, type Folders } from '../repos/edited-tree.ts';
import { readObjects } from '../repos/objects.ts';
import type { ClaimKind, LandedChange } from '../verify/manifest.ts';
import type { RunContext } from './run-context.ts';

export type LandedWork = {
  readonly claim: ClaimKind;
  /** Before and after of the item, where git has it. */
  readonly item: { readonly before: Json; readonly after: Json };
  readonly list: { readonly path: string; readonly format: string } | null;
  /** The progress log, if the commit carries it. */
  readonly log: string | null;
  readonly changes: readonly LandedChange[];
  /** They are not all: git converts files, or leaves some out. */
  readonly hasMore: boolean;
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
  const isDone = (text: string | null): boolean | null => {
    const list = text === null ? null : backlog.read(text, '', { requireTestFile: false, allowCycles: true });
    return list?.ok === true ? (list.value.subject(item)?.passes ?? null) : null;
  };
  if (isListed && (isDone(open) !== false || isDone(done) !== true)) return ok({ unmade: true });
  const foldersIn = (of: string, first: number): Folders => ({
    tree: of,
    bytes: new Map(
      folders.flatMap((folder, n) => {
        const found = more[2 * n + first] ?? null;
        return found?.type === 'tree' ? [[folder, found.bytes] as const] : [];
      }),
    ),
  });
  const [checked, landed] = [foldersIn(verdict.tree, 0), foldersIn(tree, 1)];
  const changes = own
    .map((path_) => ({ path: path_, verified: entryIn(checked, path_), landed: entryIn(landed, path_) }))
    .filter((one) => !isDeepStrictEqual(one.verified, one.landed));
  const rebuilt = editedTree(landed, new Map(changes.map((one) => [one.path, one.verified])));
  return ok({
    claim: claimOf(bundle, isListed),
    item: {
      before: open === null ? null : backlog.raw(open, item),
      after: done === null ? null : backlog.raw(done, item),
    },
    list: isListed ? { path, format: config.playbook.backlog } : null,
    log: own.includes(config.paths.progress) ? config.paths.progress : null,
    changes,
    hasMore: rebuilt !== verdict.tree,
    proof: bundle.proof ?? proofOf(bundle),
    others: more.slice(2 * folders.length),
  });
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
