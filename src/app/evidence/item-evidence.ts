// What the repository proves of each item: its newest evidence bundle, the commit that names it, and the files that the landing rests on.
import { ok, type Result } from '../../model/result.ts';
import { changesBetween, filesOfTree } from '../../repos/tree-walk.ts';
import { checkFiles, landingOf, type Checked, type FoundLanding } from '../../verify/chain.ts';
import { readChain } from './chain.ts';
import { landingsIn } from './landings.ts';
import type { Source } from './source.ts';

type FileId = { readonly path: string; readonly id: string | null };
/**
 * none: nothing of it landed in this history · no-evidence: a commit says that it landed, and its bundle is not here · evidence-broken: the bundle is
 * not what the commit names.
 */
export type ItemEvidence =
  | { readonly is: 'none'; readonly commit: null }
  | { readonly is: 'no-evidence' | 'evidence-broken'; readonly commit: string }
  | {
      readonly is: 'here';
      readonly commit: string;
      readonly checked: Checked;
      /** The harness's own verdict. */
      readonly holds: boolean;
      readonly session: number;
      readonly at: string;
      readonly tree: string;
      /** What the landing changed, as it landed, without the files that the harness itself writes; and the test file. */
      readonly rests: readonly FileId[];
      /** Every file of the landing where git stores some in another form than they were checked in; null: it does not. */
      readonly landed: ReadonlyMap<string, string> | null;
    };
export type EvidenceByItem = {
  /** There are bundles here. */
  readonly isHere: boolean;
  of(item: string, testFile: string | null): Promise<Result<ItemEvidence>>;
};

export async function evidenceByItem(source: Source): Promise<Result<EvidenceByItem>> {
  const chain = await readChain(source, null);
  if (!chain.ok && chain.failure.reason !== 'evidence-not-here') return chain;
  const landings = await landingsIn(source.git);
  if (!landings.ok) return landings;
  const { here } = landings.value;
  const bundles = chain.ok ? chain.value.bundles : [];
  const newest = new Map<string, Checked>(bundles.map((one) => [one.manifest.item, one]));
  return ok({
    isHere: bundles.length > 0,
    async of(item, testFile) {
      // Newest first.
      const own = here.find(({ trailers }) => trailers['Harness-Item'] === item);
      if (own === undefined) return ok({ is: 'none', commit: null });
      const checked = newest.get(item);
      const landing = checked === undefined ? undefined : landingOf(checked, here);
      if (checked === undefined) return ok({ is: 'no-evidence', commit: own.commit });
      if (landing?.commit !== own.commit || checkFiles(checked) !== null)
        return ok({ is: 'evidence-broken', commit: own.commit });
      return evidenceHere(source, checked, own, testFile);
    },
  });
}

async function evidenceHere(
  { git }: Source,
  checked: Checked,
  { commit, parents }: FoundLanding,
  testFile: string | null,
): Promise<Result<ItemEvidence>> {
  const { manifest } = checked;
  const { landing, verdict, session, endedAt: at } = manifest;
  const changed = await changesBetween(git, [{ from: parents[0] ?? null, to: commit }]);
  if (!changed.ok) return changed;
  const own = new Set(landing.own);
  const rests = (changed.value[0] ?? []).flatMap(({ path, after }): readonly FileId[] =>
    own.has(path) ? [] : [{ path, id: after?.id ?? null }],
  );
  const keepsChecked = manifest.schema === 2 && manifest.landing.keepsChecked;
  const test = testFile === null || rests.some(({ path }) => path === testFile) ? [] : [testFile];
  const found = keepsChecked || test.length > 0 ? await filesOfTree(git, commit, keepsChecked ? [] : test) : ok([]);
  if (!found.ok) return found;
  const landed = new Map(found.value.map(({ path, id }) => [path, id]));
  const tested = test.flatMap((path): readonly FileId[] =>
    landed.has(path) ? [{ path, id: landed.get(path) ?? null }] : [],
  );
  return ok({
    is: 'here',
    commit,
    checked,
    holds: verdict.holds,
    session,
    at,
    tree: landing.verified,
    rests: [...rests, ...tested],
    landed: keepsChecked ? landed : null,
  });
}
