// Refs read from the files of git where they have the plainest form; otherwise git is asked.
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readRegular } from '../host/files.ts';
import { ok, type Result } from '../model/result.ts';
import type { Git, ObjectId } from './git.ts';

const LARGEST_REF_BYTES = 1_000;
const LARGEST_PACKED_BYTES = 64 * 1024 * 1024;

/** Of these folders (`refs/heads`), sorted: `<id> <name>` with the end of the line. */
export async function listRefs(git: Git, folders: readonly string[]): Promise<Result<string>> {
  const read = refsFromFiles(git.commonDir, folders);
  if (read === null) return git.run(['for-each-ref', '--format=%(objectname) %(refname)', ...folders]);
  return ok(
    [...read]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, id]) => `${id} ${name}\n`)
      .join(''),
  );
}

/** null: a ref that names another one, something else than a file, another store of refs. */
function refsFromFiles(commonDir: string, folders: readonly string[]): ReadonlyMap<string, ObjectId> | null {
  const refs = new Map<string, ObjectId>();
  const packed = readRegular(join(commonDir, 'packed-refs'), LARGEST_PACKED_BYTES);
  if (packed.kind === 'other') return null;
  const lines = packed.kind === 'file' ? packed.bytes.toString('utf8').split('\n') : [];
  for (const line of lines) {
    const [, id = '', name = ''] = /^([0-9a-f]{40,64}) (.+)$/.exec(line) ?? [];
    if (folders.some((folder) => name.startsWith(`${folder}/`))) refs.set(name, id);
  }
  // A loose ref is newer than a packed one.
  const walk = (folder: string): boolean =>
    readdirSync(join(commonDir, folder), { withFileTypes: true }).every((entry) => {
      const name = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return walk(name);
      if (entry.name.endsWith('.lock')) return true;
      const file = readRegular(join(commonDir, name), LARGEST_REF_BYTES);
      const [, id] = (file.kind === 'file' ? /^([0-9a-f]{40,64})\n$/.exec(file.bytes.toString('latin1')) : null) ?? [];
      if (id !== undefined) refs.set(name, id);
      return id !== undefined;
    });
  try {
    for (const folder of folders) {
      const facts = lstatSync(join(commonDir, folder), { throwIfNoEntry: false });
      if (facts?.isDirectory() === false || (facts !== undefined && !walk(folder))) return null;
    }
  } catch {
    return null; // git removed a folder meanwhile
  }
  return refs;
}
