// Is the file that a configured command names there, and may it be started?
import type { RepositoryView } from '../../model/repository-view.ts';

export type ScriptState = { readonly is: 'fine' | 'missing' | 'not-executable'; readonly path: string };

/** A command that names a file of the repository is looked at; any other (`make up`) is the shell's business. */
export async function scriptState(world: RepositoryView, command: string | null): Promise<ScriptState> {
  const word = /^\s*([^\s;&|<>'"$`]+)/.exec(command ?? '')?.[1] ?? '';
  const isFile = !word.startsWith('/') && (word.includes('/') || word.endsWith('.sh'));
  const path = word.replace(/^(?:\.\/)+/, '');
  if (!isFile || path === '') return { is: 'fine', path };
  const found = await world.stat(path);
  if (found?.kind !== 'file') return { is: 'missing', path };
  return { is: found.executable ? 'fine' : 'not-executable', path };
}
