// Scripts of a project: the first one that a project gets, and whether the file that a configured command names is there and may be started.
import type { RepositoryView } from '../../model/repository-view.ts';

/** `init.sh` of a project that has none. */
export const INIT_SCRIPT =
  '#!/bin/sh\n# Starts what the project needs before a session (a database, a server). Must be repeatable.\nset -e\n';

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
