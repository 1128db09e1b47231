// Secrets of the environment in what a change adds: names of files and contents. Reports where, never what. Pure.
import type { Secret } from '../host/secrets.ts';
import type { ChangedLines, FileDelta } from '../model/file-delta.ts';
import type { Problem } from '../model/verdict.ts';

type Find = (text: string) => readonly Secret[];
type Place = { readonly name: string; readonly file: number; readonly line: number | null };

/**
 * One problem for all places; null: nothing secret is added. What was moved, or was there before, is not added: a value counts as often as
 * it is there more often than before. `mask` is applied to file names.
 */
export function secretsInChange(
  files: readonly FileDelta[],
  find: Find,
  mask: (text: string) => string,
): Problem | null {
  const added = files.flatMap((file, n) => [
    ...(file.isNew ? find(file.path).map(({ kind }): Place => ({ name: kind, file: n, line: null })) : []),
    ...file.added.flatMap((lines) => placesIn(lines, find, n)),
  ]);
  if (added.length === 0) return null;
  const removed = files.flatMap((file, n) => file.removed.flatMap((lines) => placesIn(lines, find, n)));
  const places = added.filter(({ name, file }) => {
    const here = (all: readonly Place[]): number => all.filter((one) => one.name === name && one.file === file).length;
    const anywhere = (all: readonly Place[]): number => all.filter((one) => one.name === name).length;
    return here(added) > here(removed) && anywhere(added) > anywhere(removed);
  });
  const [first] = places;
  if (first === undefined) return null;
  const shown = (place: Place): string => mask(files[place.file]?.path ?? '');
  const ids = places.map((place) => {
    const where = place.line === null ? '' : `:${place.line}`;
    return `${shown(place)}${where} (${place.name})`;
  });
  const params = { count: new Set(ids).size, file: shown(first), line: first.line ?? 0, name: first.name };
  return { code: 'secret-in-change', params, ids: [...new Set(ids)] };
}

function placesIn({ line, text }: ChangedLines, find: Find, file: number): readonly Place[] {
  // In UTF-16 every other byte of a plain text is 0.
  const texts = text.includes('\0') ? [text, text.replaceAll('\0', '')] : [text];
  return texts.flatMap((one) =>
    find(one).map(({ from, kind }) => ({ name: kind, file, line: line + one.slice(0, from).split('\n').length - 1 })),
  );
}
