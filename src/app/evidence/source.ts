// Where evidence is read from: the repository, or an exported file unpacked into a temporary folder. Takes no lock and needs no
// configuration.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { wholeEnvironment } from '../../host/environment.ts';
import { readRegular } from '../../host/files.ts';
import { makeOwnFolder } from '../../host/temporary-folders.ts';
import { failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { fetchEvidence } from '../../repos/evidence.ts';
import { createGit, type Git } from '../../repos/git.ts';
import { repositoryFolders } from '../open/project-view.ts';
import { EXPORT_REF } from './landings.ts';

export type Source = {
  readonly git: Git;
  /** `<git common dir>/harness/`, with the journals; null for an exported file. */
  readonly privateDir: string | null;
  /** The exported file; null: the repository itself. */
  readonly file: string | null;
  close(): void;
};

/** Fails as `openRepository`, or with `evidence-unreadable`. */
export async function openSource(where: {
  readonly repo: string;
  readonly from: string | null;
}): Promise<Result<Source>> {
  if (where.from !== null) return openExport(resolve(where.from));
  const folders = await repositoryFolders({ repo: where.repo, configFile: null });
  if (!folders.ok) return folders;
  const { root, commonDir } = folders.value;
  const git = createGit({ root, env: wholeEnvironment(), token: `${root}@reader-${process.pid}` });
  return ok({ git, privateDir: join(commonDir, 'harness'), file: null, close: () => undefined });
}

/** Fetches the bundles of a remote, only on explicit request. Local ones are never overwritten. */
export const fetchHere = (source: Source, remote: string): Promise<Result<void>> => fetchEvidence(source.git, remote);

/** A temporary repository; `format`: its object format. */
export function scratchRepository(format: 'sha1' | 'sha256'): { readonly git: Git; close(): void } {
  const root = makeOwnFolder('evidence');
  const gitDir = join(root, '.git');
  for (const folder of ['objects/info', 'refs']) mkdirSync(join(gitDir, folder), { recursive: true });
  writeFileSync(join(gitDir, 'HEAD'), 'ref: refs/heads/main\n');
  const version = format === 'sha1' ? '0' : '1\n[extensions]\n\tobjectFormat = sha256';
  writeFileSync(join(gitDir, 'config'), `[core]\n\tbare = false\n\trepositoryformatversion = ${version}\n`);
  const git = createGit({ root, env: wholeEnvironment(), token: `${root}@reader-${process.pid}` });
  return { git, close: () => rmSync(root, { recursive: true, force: true }) };
}

async function openExport(file: string): Promise<Result<Source>> {
  const head = headOf(file);
  if (head === null) return err(failure('evidence-unreadable', { file, words: '' }, { at: { file } }));
  const scratch = scratchRepository(/^@object-format=sha256$/m.test(head) ? 'sha256' : 'sha1');
  const { git } = scratch;
  const unpacked = await git.run(['fetch', '-q', '--no-tags', file, '+refs/*:refs/*'], {
    env: {
      GIT_ALLOW_PROTOCOL: 'file',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'fetch.fsckObjects',
      GIT_CONFIG_VALUE_0: 'true',
    },
  });
  if (unpacked.ok) {
    // The history is not in the file; a repository needs a HEAD.
    await git.run(['update-ref', '--no-deref', 'HEAD', EXPORT_REF]);
    return ok({ git, privateDir: null, file, close: () => scratch.close() });
  }
  scratch.close();
  const words = String(unpacked.failure.params['words'] ?? '').split('\n')[0] ?? '';
  return err(failure('evidence-unreadable', { file, words }, { at: { file } }));
}

/** The header lines before the objects; null: not a bundle file. */
function headOf(file: string): string | null {
  const read = readRegular(file, 2 ** 31 - 1);
  if (read.kind !== 'file') return null;
  const head = read.bytes.toString('latin1', 0, 4_096);
  return head.startsWith('# v') ? head : null;
}
