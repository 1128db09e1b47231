// Reads the chain of bundles of a repository. An unreadable object is a broken link, not a failure.
import type { Buffer } from 'node:buffer';
import { failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import {
  CHAIN_END,
  chainFrom,
  EVIDENCE_REFSPEC,
  EVIDENCE_ROOT,
  evidenceRef,
  evidenceRefs,
} from '../../repos/evidence.ts';
import type { Git } from '../../repos/git.ts';
import { readEach } from '../../repos/objects.ts';
import { filesOfTree } from '../../repos/tree-walk.ts';
import { breakOf, openBundle, type Break, type Checked, type FoundBundle } from '../../verify/chain.ts';
import { CHECKED, MANIFEST } from '../../verify/manifest.ts';
import type { Source } from './source.ts';

export type Refs = ReadonlyMap<string, string>;
export type Chain = {
  readonly refs: Refs;
  /** Oldest first, as far as they could be read. */
  readonly bundles: readonly Checked[];
  /** The first bundle that could not be read. */
  readonly broken: Break | null;
};

/** `item` null: the whole chain. Fails with `evidence-not-here`, `evidence-unknown`, `evidence-unreadable`. */
export async function readChain({ git, file }: Source, item: string | null): Promise<Result<Chain>> {
  const refs = await evidenceRefs(git);
  if (!refs.ok) return refs;
  if (refs.value.size === 0)
    return err(
      file === null
        ? failure('evidence-not-here', { refspec: EVIDENCE_REFSPEC })
        : failure('evidence-unreadable', { file, words: '' }),
    );
  const ref = item === null ? CHAIN_END : evidenceRef(item);
  const tip = refs.value.get(ref);
  if (tip === undefined && item !== null)
    return err(failure('evidence-unknown', { item, known: itemsOf(refs.value).join(', ') }));
  const broken = (found: Break): Result<Chain> => ok({ refs: refs.value, bundles: [], broken: found });
  if (tip === undefined) return broken(breakOf('', 'ref-differs', CHAIN_END, '', CHAIN_END));
  const commits = await chainFrom(git, tip);
  if (!commits.ok) return broken(breakOf(item ?? '', 'object-unreadable', tip, '', ref));
  const bundles: Checked[] = [];
  for (const { commit, parents } of commits.value.toReversed()) {
    const last = bundles.at(-1)?.bundle.commit;
    if (parents.length > 1 || parents[0] !== last)
      return ok({
        refs: refs.value,
        bundles,
        broken: breakOf(item ?? '', 'previous-differs', last, parents.join(' ')),
      });
    const opened = openBundle(await readBundle(git, commit), item ?? commit.slice(0, 12));
    if ('code' in opened) return ok({ refs: refs.value, bundles, broken: opened });
    bundles.push(opened);
  }
  return ok({ refs: refs.value, bundles, broken: null });
}

/** The items that have a ref, decoded from its name. */
export const itemsOf = (refs: Refs): readonly string[] =>
  [...refs.keys()]
    .filter((ref) => ref !== CHAIN_END)
    .map((ref) => ref.slice(EVIDENCE_ROOT.length + 1))
    .map((part) => part.replace(/(?:%[0-9a-f]{2})+/g, (bytes) => decoded(bytes)));

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // not a name the harness wrote
  }
}

async function readBundle(git: Git, commit: string): Promise<FoundBundle> {
  const listed = await filesOfTree(git, commit);
  // An unreadable tree: the manifest is reported as missing.
  if (!listed.ok) return { commit, files: new Map([[MANIFEST, null]]) };
  // The checked tree is compared as a tree (landed-work.ts).
  const own = listed.value.filter(({ path }) => !path.startsWith(`${CHECKED}/`));
  const read = await readEach(
    git,
    own.map(({ id }) => id),
  );
  const files = new Map<string, Buffer | null>();
  for (const [n, { path }] of own.entries()) {
    const object = read[n] ?? null;
    files.set(path, object?.type === 'blob' ? object.bytes : null);
  }
  return { commit, files };
}
