// Objects written into the repository without a git process, as git writes them: deflated, on the disk before they have their name, and never
// over one that is there. What cannot be written so is for git to write, or to complain about.
import { Buffer } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  fsync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { codeOf } from '../host/error-code.ts';
import type { Git, ObjectId } from './git.ts';
import { objectIdOf } from './objects.ts';

export type NewObject = { readonly type: 'blob' | 'tree' | 'commit'; readonly bytes: Uint8Array };
type Unnamed = { readonly at: string; readonly path: string };

/** `git gc` beside it packs objects that are here at one moment and gone at the next. */
const MOST_TRIES = 8;
/** It also removes folders that are empty at that moment: a folder is made again until a file is in it, and then it stays. */
const MOST_FOLDERS = 1000;

/** The id of each, durable on return; null: not all could be written. `like`: an id of the same repository. */
export async function writeObjects(
  git: Git,
  objects: readonly NewObject[],
  like: ObjectId,
): Promise<readonly ObjectId[] | null> {
  for (let tries = 1; ; tries += 1) {
    const ids = await writeOnce(git, objects, like);
    if (ids !== 'gone') return ids;
    if (tries === MOST_TRIES) return null;
  }
}

/** So many files are open at once. */
const MOST_OPEN = 64;

/** `gone`: a file or a folder was removed meanwhile. */
async function writeOnce(
  git: Git,
  objects: readonly NewObject[],
  like: ObjectId,
): Promise<readonly ObjectId[] | 'gone' | null> {
  const top = join(git.commonDir, 'objects');
  const ids = objects.map(({ type, bytes }) => objectIdOf(type, bytes, like));
  const written: Unnamed[] = [];
  try {
    const { mode } = statSync(top);
    // Outputs of checks are often the same, such as those without a word: each is written once.
    const missing = [...new Map(objects.map((one, n) => [ids[n] ?? '', one]))].flatMap(([id, object]) => {
      const path = join(top, id.slice(0, 2), id.slice(2));
      if (!existsSync(path)) return [{ path, object }];
      utimesSync(path, new Date(), new Date()); // `git gc` spares what is young
      return [];
    });
    while (written.length < missing.length)
      await writeTogether(missing.slice(written.length, written.length + MOST_OPEN), mode, written);
    for (const { at, path } of written) renameSync(at, path);
    return ids;
  } catch (error) {
    for (const { at } of written) rmSync(at, { force: true });
    return codeOf(error) === 'ENOENT' ? 'gone' : null;
  }
}

/** All are written before the first is synced, and synced side by side: the disk takes them together, while other lanes continue. */
async function writeTogether(
  missing: readonly { readonly path: string; readonly object: NewObject }[],
  mode: number,
  written: Unnamed[],
): Promise<void> {
  const open: number[] = [];
  try {
    for (const { path, object } of missing) {
      const { at, file } = openUnnamed(dirname(path), mode);
      open.push(file);
      written.push({ at, path });
      writeFileSync(file, deflated(object));
    }
    const failed = (await Promise.allSettled(open.map(sync))).find((one) => one.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  } finally {
    for (const file of open) closeSync(file);
  }
}

function openUnnamed(folder: string, mode: number): { readonly at: string; readonly file: number } {
  const at = join(folder, `tmp_obj_${randomBytes(6).toString('hex')}`);
  for (let tries = 1; ; tries += 1) {
    try {
      makeFolder(folder, mode);
      return { at, file: openSync(at, 'wx', mode & 0o444) };
    } catch (error) {
      if (codeOf(error) !== 'ENOENT' || tries === MOST_FOLDERS) throw error;
    }
  }
}

const deflated = ({ type, bytes }: NewObject): Uint8Array =>
  deflateSync(Buffer.concat([Buffer.from(`${type} ${bytes.length}\0`), bytes]), { level: 1 });

/** Who may read the folder of all objects may read each; a repository that people share is shared so. */
function makeFolder(folder: string, mode: number): void {
  if (existsSync(folder)) return;
  mkdirSync(folder, { recursive: true });
  if ((statSync(folder).mode & 0o7777) !== (mode & 0o7777)) chmodSync(folder, mode & 0o7777);
}

const sync = (file: number): Promise<void> =>
  new Promise((resolve, reject) => {
    fsync(file, (error) => (error === null ? resolve() : reject(error)));
  });
