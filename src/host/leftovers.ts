// What a death in the middle of replacing a file leaves beside it (io.ts names it `<file>.<pid>.tmp`): nobody's, in nobody's
// way but a commit's. Owns finding and removing them. What a living process is about to put in place is left to it.
import { basename, dirname, join } from 'node:path';
import { listFolder } from './files.ts';
import type { Io } from './io.ts';
import { belongsToLiveProcess } from './process-table.ts';

const TEMPORARY = /^(.+)\.(\d+)\.tmp$/;

/** Beside these very files, and nowhere else: their folder is other people's. */
export function sweepBeside(io: Io, files: readonly string[]): void {
  for (const folder of new Set(files.map((file) => dirname(file)))) {
    const ours = new Set(files.filter((file) => dirname(file) === folder).map((file) => basename(file)));
    sweep(io, folder, (name) => ours.has(name));
  }
}

/** Everywhere in a folder of the harness's own, but for the folders of these names in it. */
export function sweepBelow(io: Io, folder: string, passedBy: readonly string[] = []): void {
  sweep(io, folder, () => true);
  for (const { name, kind } of entriesIn(folder))
    if (kind === 'folder' && !passedBy.includes(name)) sweepBelow(io, join(folder, name), passedBy);
}

function sweep(io: Io, folder: string, isOurs: (name: string) => boolean): void {
  for (const { name, kind } of entriesIn(folder)) {
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
