// The language of the active session's user, and the catalogue with the sentences of every playbook. Every command asks for the
// language, so one small file is read and git is not started.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PLAYBOOKS, playbookSentences } from '../../playbooks/registry.ts';
import { findWorkTree } from '../../repos/folders.ts';
import { openCatalogue, type Catalogue } from '../../host/catalogue.ts';
import type { Language } from '../../host/language.ts';

/** ISO 639-1; null: no active session records a language. */
export function userLanguage(repo: string): string | null {
  const root = findWorkTree(repo)?.root ?? repo;
  for (const { list, languageIn } of PLAYBOOKS) {
    if (languageIn === undefined || list.path === null) continue;
    try {
      const found = languageIn(readFileSync(join(root, list.path), 'utf8'));
      if (found !== null) return found;
    } catch {
      // not there; if it is damaged, the command that needs it reports it
    }
  }
  return null;
}

export const openFullCatalogue = async (lang: Language): Promise<Catalogue> =>
  openCatalogue(lang, await playbookSentences(lang));
