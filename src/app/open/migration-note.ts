// The note of a migration under way, in the private folder: it is there from before the first change to after the last.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readText } from '../../host/files.ts';
import { numberAt, plainObject, textAt } from './loose-json.ts';

/** `copied`: the copy is whole, and the state may be half changed; before that it is untouched. */
export type Note = { readonly backup: string | null; readonly copied: boolean; readonly schema: number };

export const noteFile = (privateDir: string): string => join(privateDir, 'migration.json');
/** Of a newer state that is worked on all the same: which schema was copied. */
export const newerFile = (privateDir: string): string => join(privateDir, 'newer-state.json');

/** A migration that a death cut off. */
export const isMigrationUnfinished = (privateDir: string): boolean => existsSync(noteFile(privateDir));

/** Only this program writes it: one that cannot be read was never whole. */
export function noteIn(file: string): Note | null {
  const text = readText(file);
  const note = plainObject(text.ok ? text.value : null);
  if (note === null) return null;
  return { backup: textAt(note, 'backup'), copied: note['copied'] === true, schema: numberAt(note, 'schema') ?? 0 };
}
