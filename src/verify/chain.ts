// Validates a chain of evidence bundles: recomputes every hash and reports the first link that does not match. Pure.
import type { Buffer } from 'node:buffer';
import { sha256 } from '../host/files.ts';
import { CHECKS, differsFrom, MANIFEST, readKept, readManifest, trailerOf, type Manifest } from './manifest.ts';

/** Expected and actual value of a broken link. `file`: of the bundle, if one is concerned. */
export type Break = {
  readonly code: BreakCode;
  /** The item of the bundle, by its manifest or ref. */
  readonly item: string;
  readonly file: string;
  readonly expected: string;
  readonly found: string;
};
export const BREAK_CODES = [
  'object-unreadable',
  'manifest-missing',
  'manifest-unreadable',
  'file-missing',
  'file-unlisted',
  'file-changed',
  'checks-differ',
  'previous-differs',
  'session-twice',
  'item-differs',
  'ref-differs',
  'landing-missing',
  'landing-hash-differs',
  'landing-tree-differs',
  'landing-parent-differs',
  'landing-item-differs',
  'diff-differs',
  'claim-not-made',
  'claim-differs',
  'list-differs',
  'log-rewritten',
  'checked-tree-differs',
  'landing-elsewhere',
  'proof-older',
  'journal-differs',
  'bundle-missing',
] as const;
export type BreakCode = (typeof BREAK_CODES)[number];

/** A bundle as stored; a file is null if its object cannot be read. */
export type FoundBundle = {
  readonly commit: string;
  readonly files: ReadonlyMap<string, Buffer | null>;
};
export type FoundLanding = {
  readonly commit: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly trailers: { readonly [name: string]: string };
};
export type Checked = {
  readonly bundle: FoundBundle;
  readonly manifest: Manifest;
  readonly sha256: string;
};

const broken = (item: string, code: BreakCode, expected = '', found = '', file = ''): Break => ({
  code,
  item,
  file,
  expected,
  found,
});

/** The manifest of a bundle; `name`: reported as the item if the manifest cannot be read. */
export function openBundle(bundle: FoundBundle, name: string): Checked | Break {
  const bytes = bundle.files.get(MANIFEST);
  if (bytes === undefined) return broken(name, 'manifest-missing', '', '', MANIFEST);
  if (bytes === null) return broken(name, 'object-unreadable', '', '', MANIFEST);
  const manifest = readManifest(bytes.toString('utf8'));
  return manifest.ok
    ? { bundle, manifest: manifest.value, sha256: sha256(bytes) }
    : broken(name, 'manifest-unreadable', '', manifest.failure, MANIFEST);
}

/** Checks the files of one bundle against its manifest, and the stored checks against the verdict. */
export function checkFiles({ bundle, manifest }: Checked): Break | null {
  const { item } = manifest;
  for (const { path, sha256: expected } of manifest.files) {
    const bytes = bundle.files.get(path);
    if (bytes === undefined) return broken(item, 'file-missing', expected, '', path);
    if (bytes === null) return broken(item, 'object-unreadable', expected, '', path);
    const found = sha256(bytes);
    if (found !== expected) return broken(item, 'file-changed', expected, found, path);
  }
  const listed = new Set([MANIFEST, ...manifest.files.map(({ path }) => path)]);
  for (const path of bundle.files.keys()) if (!listed.has(path)) return broken(item, 'file-unlisted', '', path, path);
  return checkVerdict(bundle, manifest);
}

function checkVerdict(bundle: FoundBundle, manifest: Manifest): Break | null {
  const { item, session, landing, verdict } = manifest;
  if (verdict.folder === '' && verdict.checks.length === 0) return null;
  const folder = `${CHECKS}/${verdict.folder}`;
  const file = `${folder}/checks.json`;
  const kept = readKept(bundle.files.get(file)?.toString('utf8') ?? '');
  if (kept === null) return broken(item, 'checks-differ', 'checks.json', '', file);
  const differs = differsFrom(kept, {
    session,
    tree: landing.verified,
    sandbox: verdict.sandbox,
    checks: verdict.checks,
  });
  if (differs !== '') return broken(item, 'checks-differ', differs, '', file);
  const masked = new Set(manifest.files.flatMap((f) => (f.masked ? [f.path] : [])));
  const large = new Set(manifest.leftOut.map(({ path }) => path));
  for (const check of kept.checks)
    for (const part of [check.stdout, check.stderr, check.report]) {
      if (part === null) continue;
      const path = `${folder}/${part.file}`;
      if (masked.has(path) || large.has(path)) continue;
      const bytes = bundle.files.get(path);
      const found = bytes === undefined || bytes === null ? '' : sha256(bytes);
      if (found !== part.sha256) return broken(item, 'checks-differ', part.sha256, found, path);
    }
  return null;
}

/** Checks a bundle against the one before it; null: it is the first. A chain never goes back to an older kind of proof. */
export function checkPrevious({ manifest }: Checked, before: Checked | null): Break | null {
  if (before !== null && manifest.schema < before.manifest.schema)
    return broken(
      manifest.item,
      'proof-older',
      `schema ${before.manifest.schema}`,
      `schema ${manifest.schema}`,
      MANIFEST,
    );
  const expected = manifest.previous === null ? '' : manifest.previous.sha256;
  const found = before === null ? '' : before.sha256;
  return expected === found ? null : broken(manifest.item, 'previous-differs', expected, found, MANIFEST);
}

/** One session lands one item, once: a second bundle of it is a copy. */
export function checkOnce(chain: readonly Checked[]): Break | null {
  const seen = new Map<string, string>();
  for (const { manifest } of chain) {
    const name = `${manifest.run} ${manifest.session}`;
    const first = seen.get(name);
    if (first !== undefined) return broken(manifest.item, 'session-twice', `#${first}`, `#${manifest.item}`, MANIFEST);
    seen.set(name, manifest.item);
  }
  return null;
}

/** The commit that names the bundle, with its tree and its parent. */
export const landingOf = (
  { manifest: { landing }, sha256: own }: Checked,
  landings: readonly FoundLanding[],
): FoundLanding | undefined =>
  landings.find(
    ({ tree, parents, trailers }) =>
      trailers['Harness-Evidence'] === trailerOf(own) && tree === landing.tree && parents[0] === landing.parent,
  );

/** The commit with the bundle's hash, among the commits of the history that have one. */
export function checkLanding(checked: Checked, landings: readonly FoundLanding[]): Break | FoundLanding {
  const { manifest, sha256: own } = checked;
  const { item, session, run, landing } = manifest;
  const wanted = trailerOf(own);
  const carrier =
    landingOf(checked, landings) ?? landings.find(({ trailers }) => trailers['Harness-Evidence'] === wanted);
  if (carrier === undefined) {
    const other = landings.find(
      ({ trailers: t }) =>
        t['Harness-Item'] === item && t['Harness-Session'] === String(session) && t['Harness-Run'] === run,
    );
    return other === undefined
      ? broken(item, 'landing-missing', wanted, '', MANIFEST)
      : broken(item, 'landing-hash-differs', other.trailers['Harness-Evidence'] ?? '', wanted, MANIFEST);
  }
  if (carrier.tree !== landing.tree) return broken(item, 'landing-tree-differs', landing.tree, carrier.tree);
  if (carrier.parents[0] !== landing.parent)
    return broken(item, 'landing-parent-differs', landing.parent, carrier.parents[0] ?? '');
  const said = ['Item', 'Session', 'Run'].map((name) => carrier.trailers[`Harness-${name}`] ?? '').join(' ');
  const meant = `${item} ${session} ${run}`;
  return said === meant ? carrier : broken(item, 'landing-item-differs', meant, said);
}

/** Commits that name a bundle which is not in the chain: a link was taken out. */
export function missingBundle(chain: readonly Checked[], landings: readonly FoundLanding[]): Break | null {
  const known = new Set(chain.map((c) => trailerOf(c.sha256)));
  const bare = landings.find(({ trailers }) => !known.has(trailers['Harness-Evidence'] ?? ''));
  if (bare === undefined) return null;
  return broken(bare.trailers['Harness-Item'] ?? '', 'bundle-missing', bare.trailers['Harness-Evidence'] ?? '', '');
}

export { broken as breakOf };
