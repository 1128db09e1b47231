// Compares a bundle with the trees of its landing, from schema 2 on: the claim, the list, and what was checked. Everything is
// computed again from git objects.
import { z } from 'zod';
import { listedItem } from '../../engine/listed-item.ts';
import { jsonSchema } from '../../model/json.ts';
import { ok, type Result } from '../../model/result.ts';
import { findPlaybook } from '../../playbooks/registry.ts';
import { editedTree, entryIn, foldersOf, type Folders } from '../../repos/edited-tree.ts';
import type { Git } from '../../repos/git.ts';
import { entriesBetween } from '../../repos/tree-walk.ts';
import { readObjects, type GitObject } from '../../repos/objects.ts';
import { breakOf, type Break, type Checked } from '../../verify/chain.ts';
import {
  checkClaim,
  checkLandedTree,
  checkLog,
  type LandedTrees,
  type ListedChange,
  type StoredClaim,
} from '../../verify/landed-work.ts';
import { CHECKED, CLAIM, type NewManifest } from '../../verify/manifest.ts';

/** What could not be compared. */
export type NotCompared = 'older-proof' | 'landed-trees-missing' | 'list-format-unknown' | 'converted-files';
export type Compared = { readonly broken: Break | null; readonly notCompared: readonly NotCompared[] };

const held = (...notCompared: readonly NotCompared[]): Compared => ({ broken: null, notCompared });

export async function compareWork(git: Git, { bundle, manifest }: Checked): Promise<Compared> {
  if (manifest.schema === 1) return held('older-proof');
  const read = await readTrees(git, bundle.commit, manifest);
  if (!read.ok || read.value === null) return held('landed-trees-missing');
  const { landed, parentTree, log } = read.value;
  const { item, diff, landing } = manifest;
  const isBroken = (broken: Break): Compared => ({ broken, notCompared: [] });
  if (parentTree !== null && parentTree !== diff.from)
    return isBroken(breakOf(item, 'diff-differs', parentTree, diff.from));

  const list = landing.list === null ? null : await listChange(landing.list.format, read.value.list, item);
  const isKnown = list !== 'unknown-format';
  const claim = isKnown
    ? checkClaim(manifest, list, storedClaim(bundle.files.get(CLAIM)?.toString('utf8'), manifest))
    : null;
  const wrong = claim ?? checkLog(manifest, log[0] ?? '', log[1] ?? '');
  if (wrong !== null) return isBroken(wrong);

  const paths = landing.changes.map(({ path }) => path);
  const rebuilt = editedTree(landed, new Map(landing.changes.map(({ path, verified }) => [path, verified])));
  const checked = await checkedTree(git, read.value.checkedTree, manifest);
  if (checked === undefined) return held('landed-trees-missing');
  const tree = checkLandedTree(manifest, {
    rebuilt,
    landed: new Map(paths.map((path) => [path, entryIn(landed, path)])),
    checked,
  });
  if ('code' in tree) return isBroken(tree);
  return held(
    ...(isKnown ? [] : ['list-format-unknown' as const]),
    ...(tree.filtered === 0 ? [] : ['converted-files' as const]),
  );
}

/** null: the bundle holds none. Undefined: it cannot be read. */
async function checkedTree(
  git: Git,
  id: string | null,
  { diff, landing }: NewManifest,
): Promise<LandedTrees['checked'] | undefined> {
  if (id === null) return landing.keepsChecked ? { id: '-', more: [] } : null;
  const [differ, since] = [await entriesBetween(git, id, diff.to), await entriesBetween(git, diff.from, diff.to)];
  if (!differ.ok || !since.ok) return undefined;
  const more = differ.value.filter(({ path }) => !landing.own.includes(path));
  const changed = new Map(since.value.map((one) => [one.path, one.before]));
  const files = more.flatMap(({ path, before, after }) =>
    before === null || after === null || before.id === after.id ? [] : [{ path, ids: [before.id, after.id] }],
  );
  const folders = foldersOf(files.map(({ path }) => path));
  const attributes = folders.map((folder) => `${diff.to}:${folder === '' ? '' : `${folder}/`}.gitattributes`);
  const read = await readObjects(git, [...attributes, ...files.flatMap(({ ids }) => ids)]);
  if (!read.ok) return undefined;
  const isFiltered = read.value
    .slice(0, attributes.length)
    .some((one) => FILTER.test(one?.bytes.toString('utf8') ?? ''));
  const bytes = new Map(
    files.map(({ path }, n) => {
      const at = attributes.length + 2 * n;
      return [path, [read.value[at]?.bytes ?? null, read.value[at + 1]?.bytes ?? null]] as const;
    }),
  );
  return {
    id,
    more: more.map(({ path, before, after }) => {
      const [checkedBytes = null, landedBytes = null] = bytes.get(path) ?? [];
      const parent = changed.has(path) ? (changed.get(path) ?? null) : after;
      return { path, verified: before, landed: after, parent, checkedBytes, landedBytes, isFiltered };
    }),
  };
}
/** Attributes by which git stores what only a program of the user, or an encoding, can compare. */
const FILTER = /(?:^|\s)(?:filter=(?!lfs\b)|ident(?:\s|$)|working-tree-encoding=)/m;

/** Before and after. */
type Texts = readonly [string | null, string | null];
type Trees = {
  readonly landed: Folders;
  /** Of the parent commit; null: it is not here. */
  readonly parentTree: string | null;
  /** In the bundle; null: it holds none. */
  readonly checkedTree: string | null;
  readonly list: Texts;
  readonly log: Texts;
};

/** null: the trees are not here. One git process. */
async function readTrees(git: Git, commit: string, { diff, landing }: NewManifest): Promise<Result<Trees | null>> {
  const folders = foldersOf(landing.changes.map(({ path }) => path));
  // A path that no tree has stands for a file that no commit carries.
  const files = [landing.list?.path ?? '.git', landing.log ?? '.git'];
  const read = await readObjects(git, [
    `${landing.parent}^{tree}`,
    `${commit}:${CHECKED}`,
    `${diff.from}:`,
    ...files.flatMap((path) => [`${diff.from}:${path}`, `${diff.to}:${path}`]),
    ...folders.map((folder) => `${diff.to}:${folder}`),
  ]);
  if (!read.ok) return read;
  const [parent = null, checked = null, from = null, listBefore, listAfter, logBefore, logAfter, ...found] = read.value;
  const bytes = new Map(
    folders.flatMap((folder, n) => {
      const one = found[n] ?? null;
      return one?.type === 'tree' ? [[folder, one.bytes] as const] : [];
    }),
  );
  if (from === null || !bytes.has('')) return ok(null);
  const textOf = (object: GitObject | null = null) => (object?.type === 'blob' ? object.bytes.toString('utf8') : null);
  return ok({
    landed: { tree: diff.to, bytes },
    parentTree: parent?.id ?? null,
    checkedTree: checked?.id ?? null,
    list: [textOf(listBefore), textOf(listAfter)],
    log: [textOf(logBefore), textOf(logAfter)],
  });
}

async function listChange(
  format: string,
  [before, after]: Texts,
  item: string,
): Promise<ListedChange | 'unknown-format'> {
  const playbook = await findPlaybook(format)?.load();
  if (playbook === undefined) return 'unknown-format';
  const { backlog } = playbook;
  return { before: listedItem(backlog, before, item), after: listedItem(backlog, after, item) };
}

const storedClaimSchema = z.object({ before: jsonSchema, after: jsonSchema });

function storedClaim(text: string | undefined, { files }: NewManifest): StoredClaim {
  if (files.find(({ path }) => path === CLAIM)?.masked === true) return 'masked';
  try {
    const read = storedClaimSchema.safeParse(JSON.parse(text ?? ''));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}
