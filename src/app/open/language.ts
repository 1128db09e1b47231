// The language in which a session that is under way speaks to its user. Every command asks: one small file is read, and git is not.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PLAYBOOKS, playbookSentences } from '../../playbooks/registry.ts';
import { findWorkTree } from '../../repos/folders.ts';
import { openCatalogue, type Catalogue } from '../../host/catalogue.ts';
import type { Language } from '../../host/language.ts';

/** ISO 639-1; null: no session of a playbook that records it is under way. */
export function userLanguage(repo: string): string | null {
  const root = findWorkTree(repo)?.root ?? repo;
  for (const { list, languageIn } of PLAYBOOKS) {
    if (languageIn === undefined || list.path === null) continue;
    try {
      const found = languageIn(readFileSync(join(root, list.path), 'utf8'));
      if (found !== null) return found;
    } catch {
      // there is none, or the command that needs it reports what is wrong with it
    }
  }
  return null;
}

export const openFullCatalogue = async (lang: Language): Promise<Catalogue> =>
  openCatalogue(lang, await playbookSentences(lang));
