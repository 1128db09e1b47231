// Removes the temporary files (`<file>.<pid>.tmp`, io.ts) that a process left when it was killed while it replaced a file. A file that a
// live process is about to move into place stays.
import { basename, dirname, join } from 'node:path';
import { listFolder } from './files.ts';
import type { Io } from './io.ts';
import { belongsToLiveProcess } from './process-table.ts';

const TEMPORARY = /^(.+)\.(\d+)\.tmp$/;

/** Only next to these files: their folder may belong to the user. */
export function removeStaleNextTo(io: Io, files: readonly string[]): void {
  for (const folder of new Set(files.map((file) => dirname(file)))) {
    const ours = new Set(files.filter((file) => dirname(file) === folder).map((file) => basename(file)));
    sweep(io, folder, (name) => ours.has(name));
  }
}

/** Everywhere in a folder of the harness, except in folders with these names. */
export function removeStaleBelow(io: Io, folder: string, except: readonly string[] = []): void {
  for (const name of removeStaleIn(io, folder))
    if (!except.includes(name)) removeStaleBelow(io, join(folder, name), except);
}

/** In this folder alone. Returns the names of the folders in it. */
export function removeStaleIn(io: Io, folder: string): readonly string[] {
  const entries = entriesIn(folder);
  sweep(io, folder, () => true, entries);
  return entries.flatMap(({ name, kind }) => (kind === 'folder' ? [name] : []));
}

function sweep(io: Io, folder: string, isOurs: (name: string) => boolean, entries = entriesIn(folder)): void {
  for (const { name, kind } of entries) {
    const [, of = '', pid = ''] = TEMPORARY.exec(name) ?? [];
    if (kind !== 'file' || of === '' || !isOurs(of)) continue;
    const path = join(folder, name);
    if (!belongsToLiveProcess(path, Number(pid))) io.remove(path);
  }
}

const entriesIn = (folder: string) => {
  const listed = listFolder(folder);
  return listed.ok ? listed.value : [];
};
