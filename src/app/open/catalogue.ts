// The catalogue with the sentences of every playbook.
import { openCatalogue, type Catalogue } from '../../host/catalogue.ts';
import type { Language } from '../../host/language.ts';
import { playbookSentences } from '../../playbooks/registry.ts';

export const openFullCatalogue = async (lang: Language): Promise<Catalogue> =>
  openCatalogue(lang, await playbookSentences(lang));
