// Records of items: one file for each in a folder of its own, so that no two writers share one. A file that cannot be read counts as none: it was
// written whole, by this program.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readText } from '../host/files.ts';
import type { Io } from '../host/io.ts';
import type { ItemId } from '../model/item.ts';
import { fileName } from './token.ts';

export type ItemFilesPlace = { readonly workspaceDir: string };
type Writing = ItemFilesPlace & { readonly io: Io };

export type ItemFiles<T> = {
  readonly keep: (place: Writing, one: T) => void;
  readonly drop: (place: Writing, item: ItemId) => void;
  readonly of: (place: ItemFilesPlace, item: ItemId) => T | null;
  /** In the order of their names. */
  readonly all: (place: ItemFilesPlace) => readonly T[];
};

export function itemFiles<T extends { readonly item: ItemId }>(
  folder: string,
  schema: { safeParse(value: unknown): { readonly data?: T | undefined } },
): ItemFiles<T> {
  const folderOf = ({ workspaceDir }: ItemFilesPlace): string => join(workspaceDir, folder);
  const fileOf = (place: ItemFilesPlace, item: ItemId): string => join(folderOf(place), `${fileName(item)}.json`);
  const read = (file: string): T | null => {
    const text = readText(file);
    if (!text.ok || text.value === null) return null;
    try {
      return schema.safeParse(JSON.parse(text.value)).data ?? null;
    } catch {
      return null;
    }
  };
  return {
    keep: (place, one) => place.io.replace(fileOf(place, one.item), `${JSON.stringify(one)}\n`),
    drop: (place, item) => place.io.remove(fileOf(place, item)),
    of: (place, item) => read(fileOf(place, item)),
    all(place) {
      if (!existsSync(folderOf(place))) return [];
      const names = readdirSync(folderOf(place)).filter((name) => name.endsWith('.json'));
      return names.sort().flatMap((name) => read(join(folderOf(place), name)) ?? []);
    },
  };
}
