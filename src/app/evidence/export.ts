// Exports one item's evidence as a git bundle, which git itself can check: the chain up to the item, the bytes of the landing
// commit, the landed tree and its parent's.
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { CHAIN_END, evidenceRef } from '../../repos/evidence.ts';
import { readObjects } from '../../repos/objects.ts';
import type { FoundLanding } from '../../verify/chain.ts';
import { EXPORT_REF, LANDING_FILE } from './landings.ts';
import { scratchRepository, type Source } from './source.ts';
import type { EvidenceVerification } from './verify.ts';

export type Exported = { readonly file: string; readonly bytes: number };

/** The evidence must have been verified. Fails with `file-exists`. */
export async function exportEvidence(
  source: Source,
  item: string,
  one: EvidenceVerification['bundles'][number] & { readonly landing: FoundLanding },
  to: string,
): Promise<Result<Exported>> {
  const file = resolve(to);
  if (existsSync(file)) return err(failure('file-exists', { file, option: '--to' }, { at: { file } }));
  const { commit } = one.checked.bundle;
  const raw = await readObjects(source.git, [one.landing.commit]);
  if (!raw.ok) return raw;
  const scratch = scratchRepository(commit.length === 64 ? 'sha256' : 'sha1');
  const { git } = scratch;
  try {
    writeFileSync(join(git.gitDir, 'objects/info/alternates'), `${join(source.git.commonDir, 'objects')}\n`);
    const bytes = join(git.root, LANDING_FILE);
    writeFileSync(bytes, raw.value[0]?.bytes ?? '');
    const blob = await git.run(['hash-object', '-w', '--no-filters', '--', bytes]);
    if (!blob.ok) return blob;
    const { diff } = one.checked.manifest;
    const stream = [
      'feature done',
      `commit ${EXPORT_REF}`,
      'committer harness <> 0 +0000',
      'data 0',
      `M 100644 ${blob.value.trim()} ${LANDING_FILE}`,
      `M 040000 ${diff.to} tree`,
      `M 040000 ${diff.from} parent`,
      ...[evidenceRef(item), CHAIN_END].flatMap((ref) => [`reset ${ref}`, `from ${commit}`]),
      'done',
    ].join('\n');
    const made = await git.run(['fast-import', '--quiet', '--force'], { stdin: `${stream}\n` });
    if (!made.ok) return made;
    mkdirSync(dirname(file), { recursive: true });
    const written = await git.run(['bundle', 'create', '-q', file, EXPORT_REF, evidenceRef(item), CHAIN_END]);
    return written.ok ? ok({ file, bytes: statSync(file).size }) : written;
  } finally {
    scratch.close();
  }
}
