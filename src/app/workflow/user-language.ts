// The language in which the workflow of a repository speaks to its person, for whoever opens the catalogue. Looked at by every command: one
// small file, no git.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WORKFLOW_FILE } from '../../model/workflow-file.ts';
import { findWorkTree } from '../../repos/folders.ts';

/** `user_lang` of state.json, as it stands there; null: no workflow is under way, or it does not say. */
export function userLanguage(repo: string): string | null {
  try {
    const root = findWorkTree(repo)?.root ?? repo;
    const file: unknown = JSON.parse(readFileSync(join(root, WORKFLOW_FILE), 'utf8'));
    const { user_lang: lang, skill = 'workflow' } = (file ?? {}) as { readonly [field: string]: unknown };
    return typeof lang === 'string' && lang.trim() !== '' && skill === 'workflow' ? lang : null;
  } catch {
    return null; // there is none, or whoever reads it for its own sake says what is wrong with it
  }
}
