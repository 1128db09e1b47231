// A list that follows from other files (`PlaybookManifest.list.derive`): who reads it gets it as they are now, also before the first run.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PlaybookManifest } from '../../engine/manifest.ts';
import type { Config } from '../../model/config.ts';
import type { RepositoryView } from '../../model/repository-view.ts';

/** The same view, with the list derived. */
export function withDerivedList(view: RepositoryView, config: Config, { list }: PlaybookManifest): RepositoryView {
  if (list.derive === undefined) return view;
  return {
    ...view,
    get now() {
      return view.now;
    },
    read: async (path, last) =>
      path === config.paths.backlog ? (list.derive?.({ view, config }) ?? null) : view.read(path, last),
  };
}

/** For commands that only read, and open no view. */
export const listFrom = (root: string, config: Config, { list }: PlaybookManifest): Promise<string | null> =>
  list.derive?.({ view: folderOf(root), config }) ?? Promise.resolve(null);

const folderOf = (root: string): Pick<RepositoryView, 'names' | 'read'> => ({
  async names(folder) {
    try {
      const entries = readdirSync(join(root, folder), { withFileTypes: true });
      return entries.flatMap((entry) => (entry.isFile() ? [entry.name] : [])).sort();
    } catch {
      return []; // there is no such folder
    }
  },
  async read(path) {
    try {
      return readFileSync(join(root, path), 'utf8');
    } catch {
      return null; // there is no such file
    }
  },
});
