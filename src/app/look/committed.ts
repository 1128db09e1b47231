// What the last commit has of files in the work tree, for commands that only look.
import { join } from 'node:path';
import { readText } from '../../host/files.ts';
import { covered } from '../../host/source-watch.ts';
import type { PlaybookName } from '../../model/config.ts';
import type { Result } from '../../model/result.ts';
import { playbookNamed } from '../../playbooks/registry.ts';

type Place = { readonly root: string; readonly workspaceDir: string };

/** Empty: it has no such file, or there is no commit. */
export async function committedText({ root, workspaceDir }: Place, path: string): Promise<Result<string>> {
  const { createGit } = await import('../../repos/git.ts');
  const { idFromFiles } = await import('../../repos/ref-files.ts');
  const { wholeEnvironment } = await import('../../host/environment.ts');
  const git = createGit({ root, env: wholeEnvironment(), token: `${workspaceDir}@reader-${process.pid}` });
  // Of the commit that the files of git name, the text is always the same; git may know more about HEAD than they say.
  const commit = idFromFiles(git, 'HEAD');
  const read = () => git.run(['cat-file', 'blob', `${commit ?? 'HEAD'}:${path}`], { allow: [128] });
  return covered(read, (text) => commit !== null && text.ok && text.value !== '');
}

/** Files that count as they are committed, and that a user has changed since. One that no commit has yet is committed by the next run. */
export async function uncommitted(place: Place, playbook: PlaybookName): Promise<readonly string[]> {
  const changed: string[] = [];
  for (const path of playbookNamed(playbook).list.beside ?? []) {
    const now = readText(join(place.root, path));
    if (!now.ok || now.value === null) continue;
    const committed = await committedText(place, path);
    if (committed.ok && committed.value !== '' && committed.value !== now.value) changed.push(path);
  }
  return changed;
}
