// Folders of trees that were read, by the id of the tree: what is in one never changes. Those that were asked for longest ago are forgotten first, so that
// the versions of a large folder do not add up with each commit.
import type { Entries } from './edited-tree.ts';
import type { ObjectId } from './git.ts';

export type FolderCache = {
  get(id: ObjectId): Entries | undefined;
  keep(id: ObjectId, entries: Entries): void;
  /** So many files were listed at once: twice as many entries may stay. */
  listed(files: number): void;
  /** Forgets what is too much. Between two questions: within one nothing is forgotten. */
  trim(): void;
  /** Entries of all folders, with one for each folder. */
  size(): number;
};

/** Entries; about a hundred and fifty bytes each. */
const LEAST_KEPT = 30_000;

export function createFolderCache(least = LEAST_KEPT): FolderCache {
  const folders = new Map<ObjectId, Entries>();
  let [entries, largest] = [0, 0];
  const drop = (id: ObjectId, folder: Entries): void => {
    folders.delete(id);
    entries -= folder.size + 1;
  };
  const keep = (id: ObjectId, folder: Entries): void => {
    const known = folders.get(id);
    if (known !== undefined) drop(id, known);
    folders.set(id, folder);
    entries += folder.size + 1;
  };
  return {
    get(id) {
      const known = folders.get(id);
      if (known !== undefined) keep(id, known);
      return known;
    },
    keep,
    listed: (files) => void (largest = Math.max(largest, files)),
    trim() {
      const most = Math.max(least, 2 * largest);
      for (const [id, folder] of folders) {
        if (entries <= most) return;
        drop(id, folder);
      }
    },
    size: () => entries,
  };
}
