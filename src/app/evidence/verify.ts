// Verifies evidence: every hash, the trailer, the chain, the landing commit, the diff, and the journal if it still exists.
// Reports the first broken link.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { hashOfLine, readLines } from '../../engine/journal.ts';
import { readText, sha256 } from '../../host/files.ts';
import { ok, type Result } from '../../model/result.ts';
import { CHAIN_END, evidenceRef } from '../../repos/evidence.ts';
import type { Git } from '../../repos/git.ts';
import { exactDiff } from '../../repos/history.ts';
import {
  breakOf,
  checkFiles,
  checkLanding,
  checkOnce,
  checkPrevious,
  landingOf,
  missingBundle,
  type Break,
  type Checked,
  type FoundLanding,
} from '../../verify/chain.ts';
import { trailerOf, type NewManifest } from '../../verify/manifest.ts';
import { readChain, type Chain } from './chain.ts';
import { compareWork, type NotCompared } from './landed-work.ts';
import { exportedLanding, landingsIn, type Landings } from './landings.ts';
import type { Source } from './source.ts';

export type { Break, Checked, NewManifest };
/** The location of an item's newest bundle. */
export const refOf = (item: string): string => evidenceRef(item);

/** What could not be checked; reported, so that it does not count as proved. */
export type NotLooked = NotCompared | 'diff-trees-missing' | 'journal-gone' | 'journal-elsewhere';
export type EvidenceVerification = {
  /** Oldest first: all bundles, or the item's own; of an exported file the one it was made for. */
  readonly bundles: readonly { readonly checked: Checked; readonly landing: FoundLanding | null }[];
  readonly broken: Break | null;
  /** Landings that are not in the history here: the branch was amended or reset. `commit`: as known from elsewhere. */
  readonly outside: readonly Outside[];
  readonly notLooked: readonly NotLooked[];
};
export type Outside = { readonly item: string; readonly session: number; readonly commit: string | null };

/** `item` null: every bundle. Fails as `readChain`. */
export async function verifyEvidence(source: Source, item: string | null): Promise<Result<EvidenceVerification>> {
  const chain = await readChain(source, item);
  if (!chain.ok) return chain;
  const { bundles, broken } = chain.value;
  const tip = bundles.at(-1);
  if (tip === undefined) return ok({ bundles: [], broken, outside: [], notLooked: [] });
  const landings =
    source.file === null ? await landingsIn(source.git) : await exportedLanding(source.git, tip.bundle.commit);
  if (!landings.ok) return landings;
  const outside = source.file === null ? bundles.flatMap((checked) => outsideOf(checked, landings.value)) : [];
  return ok({ outside, ...(await checkAll(source, item, chain.value, landings.value)) });
}

function outsideOf(checked: Checked, { here, elsewhere }: Landings): readonly Outside[] {
  if (landingOf(checked, here) !== undefined) return [];
  const { item, session } = checked.manifest;
  return [{ item, session, commit: landingOf(checked, elsewhere)?.commit ?? null }];
}

async function checkAll(
  source: Source,
  item: string | null,
  chain: Chain,
  landings: Landings,
): Promise<Omit<EvidenceVerification, 'outside'>> {
  const notLooked = new Set<NotLooked>();
  const held: EvidenceVerification['bundles'][number][] = [];
  const end = (broken: Break | null) => ({ bundles: held, broken, notLooked: [...notLooked] });
  let before: Checked | null = null;
  for (const [n, checked] of chain.bundles.entries()) {
    const isTip = chain.broken === null && n === chain.bundles.length - 1;
    // An exported file contains only its item's landing commit; earlier ones are covered by the hashes of the chain.
    const landing = source.file === null || isTip ? checkLandingHere(checked, landings) : null;
    if (landing !== null && 'code' in landing) return end(landing);
    const broken = checkPrevious(checked, before) ?? checkFiles(checked);
    if (broken !== null) return end(broken);
    if (isTip && item !== null && checked.manifest.item !== item)
      return end(breakOf(item, 'item-differs', item, checked.manifest.item, evidenceRef(item)));
    if (isTip || (item === null && source.file === null)) {
      const compared = await compareWork(source.git, checked);
      for (const what of compared.notCompared) notLooked.add(what);
      const more =
        compared.broken ??
        (await checkDiff(source.git, checked, notLooked)) ??
        checkJournal(source, checked, notLooked);
      if (more !== null) return end(more);
      held.push({ checked, landing });
    }
    before = checked;
  }
  if (chain.broken !== null) return end(chain.broken);
  const all = [...landings.here, ...landings.elsewhere];
  const own = all.filter(({ trailers }) => item === null || trailers['Harness-Item'] === item);
  return end(
    checkOnce(chain.bundles) ??
      (source.file === null ? missingBundle(chain.bundles, own) : null) ??
      (item === null ? checkRefs(chain, source.file !== null) : null),
  );
}

/** A landing that only a remote branch or a tag still has is in no history here. */
function checkLandingHere(checked: Checked, { here, elsewhere }: Landings): Break | FoundLanding {
  const found = checkLanding(checked, here);
  if (!('code' in found)) return found;
  const other = landingOf(checked, elsewhere);
  return other === undefined ? found : breakOf(checked.manifest.item, 'landing-elsewhere', other.commit, '');
}

/** Each item's ref must name its newest bundle. */
function checkRefs({ refs, bundles }: Chain, isExport: boolean): Break | null {
  const newest = new Map(bundles.map(({ manifest, bundle }) => [evidenceRef(manifest.item), { manifest, bundle }]));
  for (const [ref, { manifest, bundle }] of newest) {
    const found = refs.get(ref) ?? '';
    if (isExport && found === '') continue; // it has only its own item's ref
    if (found !== bundle.commit) return breakOf(manifest.item, 'ref-differs', bundle.commit, found, ref);
  }
  for (const [ref, found] of refs)
    if (ref !== CHAIN_END && !newest.has(ref)) return breakOf(ref, 'ref-differs', '', found, ref);
  return null;
}

async function checkDiff(git: Git, { manifest }: Checked, notLooked: Set<NotLooked>): Promise<Break | null> {
  const { from, to, sha256: expected } = manifest.diff;
  if (to !== manifest.landing.tree) return breakOf(manifest.item, 'diff-differs', manifest.landing.tree, to);
  const diff = await exactDiff(git, from, to);
  if (!diff.ok) {
    notLooked.add('diff-trees-missing');
    return null;
  }
  const found = sha256(diff.value);
  return found === expected ? null : breakOf(manifest.item, 'diff-differs', expected, found);
}

type Line = {
  readonly t?: string;
  readonly seq?: number;
  readonly outcome?: { readonly output?: { readonly bundle?: string } };
};

/** Compares the landing's intent and outcome lines. Journals are kept for a limited time. */
function checkJournal({ privateDir }: Source, checked: Checked, notLooked: Set<NotLooked>): Break | null {
  const { journal, item } = checked.manifest;
  if (privateDir === null || journal === null || !/^[\w.-]+$/.test(journal.file)) {
    notLooked.add('journal-elsewhere');
    return null;
  }
  const file = join(privateDir, 'items', journal.file);
  const text = existsSync(file) ? readText(file) : ok(null);
  const read = text.ok && text.value !== null ? readLines<Line>(text.value) : null;
  const lines = read?.ok === true ? read.value.lines.filter(({ seq }) => seq === journal.seq) : [];
  const intent = lines.find(({ t }) => t === 'intent');
  if (intent === undefined) {
    notLooked.add(existsSync(join(privateDir, 'items')) ? 'journal-gone' : 'journal-elsewhere');
    return null;
  }
  const found = hashOfLine(intent);
  if (found !== journal.sha256) return breakOf(item, 'journal-differs', journal.sha256, found, journal.file);
  const said = lines.find(({ t }) => t === 'outcome')?.outcome?.output?.bundle;
  const own = trailerOf(checked.sha256);
  return said === undefined || said === own ? null : breakOf(item, 'journal-differs', said, own, journal.file);
}
