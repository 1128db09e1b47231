// What the repository itself says of landings: the trailers of their commits, their evidence, what they changed. Only git objects are read.
import { sha256 } from '../../host/files.ts';
import type { ProofSummary } from '../../model/proof.ts';
import { PROOF_STRENGTHS } from '../../model/proof.ts';
import { evidenceRef } from '../../repos/evidence.ts';
import { EVIDENCE_TRAILER } from '../../repos/message.ts';
import type { Git } from '../../repos/git.ts';
import { diffStat } from '../../repos/history.ts';
import { readEach, type GitObject } from '../../repos/objects.ts';
import { MANIFEST, readManifest, trailerOf, type Manifest } from '../../verify/manifest.ts';
import { landingOf } from './landings.ts';

export type NotedLanding = {
  readonly item: string;
  readonly session: number;
  readonly run: string;
  readonly commit: string;
};
export type LandedFacts = {
  /** The commit is here, and its trailers name the item, the session and the run. Otherwise nothing else is known. */
  readonly isConfirmed: boolean;
  /** The first line of the commit; '': it is not here. */
  readonly subject: string;
  readonly strength: ProofSummary['strength'] | null;
  /** null: there is none whose hash is in the commit, or a later landing of the item has replaced it. */
  readonly manifest: Manifest | null;
  /** Without the files that the harness itself writes; null: not known. */
  readonly diff: { readonly files: number; readonly added: number; readonly removed: number } | null;
};
const NOTHING: LandedFacts = { isConfirmed: false, subject: '', strength: null, manifest: null, diff: null };

/** One for each landing, in this order. */
export async function readLandedFacts(git: Git, landings: readonly NotedLanding[]): Promise<readonly LandedFacts[]> {
  const commits = await readEach(
    git,
    landings.map(({ commit }) => (/^[0-9a-f]{40,64}$/.test(commit) ? commit : '-')),
  );
  const manifests = await readEach(
    git,
    landings.map(({ item }) => `${evidenceRef(item)}:${MANIFEST}`),
  );
  const facts: LandedFacts[] = [];
  for (const [n, landing] of landings.entries()) {
    const object = commits[n] ?? null;
    facts.push(
      object === null || object.type !== 'commit'
        ? NOTHING
        : await factsOf(git, landing, object, manifests[n]?.bytes.toString('utf8') ?? ''),
    );
  }
  return facts;
}

async function factsOf(
  git: Git,
  { item, session, run }: NotedLanding,
  { id, bytes }: GitObject,
  text: string,
): Promise<LandedFacts> {
  const { commit, parents, trailers } = landingOf(id, bytes);
  const isConfirmed =
    trailers['Harness-Run'] === run &&
    trailers['Harness-Session'] === String(session) &&
    (trailers['Harness-Item'] ?? item) === item;
  const subject = /\n\n(.*)/.exec(bytes.toString('utf8'))?.[1] ?? '';
  // What another commit says of its own proof and size says nothing of this landing.
  if (!isConfirmed) return { ...NOTHING, subject };
  const isOwn = trailers[EVIDENCE_TRAILER] === trailerOf(sha256(text));
  const read = isOwn ? readManifest(text) : null;
  const manifest = read?.ok === true ? read.value : null;
  const [parent] = parents;
  const changed = parent === undefined ? null : await diffStat(git, parent, commit);
  const own = new Set(manifest?.landing.own);
  return {
    isConfirmed,
    subject,
    strength: PROOF_STRENGTHS.find((strength) => strength === trailers['Harness-Proof']) ?? null,
    manifest,
    diff: changed?.ok === true ? sizeOf(changed.value.filter(({ path }) => !own.has(path))) : null,
  };
}

const sizeOf = (files: readonly { readonly added: number | null; readonly removed: number | null }[]) => ({
  files: files.length,
  added: files.reduce((sum, { added }) => sum + (added ?? 0), 0),
  removed: files.reduce((sum, { removed }) => sum + (removed ?? 0), 0),
});
