// A backup of the state folder next to it, made before a migration. It is built inside the folder, which git ignores, and moved
// when complete; it has its own .gitignore, so no commit or checkpoint includes it.
import { closeSync, existsSync, openSync, readSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { listFolder } from '../../host/files.ts';
import { syncFolder, type Io } from '../../host/io.ts';
import { ok, type Result } from '../../model/result.ts';

/** `.harness.backup.20250116`, with a number if that exists: a backup is never overwritten. */
export function freeBackupName(stateDir: string, iso: string): string {
  const name = `${basename(stateDir)}.backup.${iso.slice(0, 10).replaceAll('-', '')}`;
  const isTaken = (one: string): boolean => existsSync(join(dirname(stateDir), one));
  let free = name;
  for (let n = 2; isTaken(free); n += 1) free = `${name}.${n}`;
  return free;
}

const UNFINISHED = '.backup';

/**
 * Complete once `to` exists; an existing one is kept. Copies files and folders; links are left out. Fails as `listFolder`.
 */
export async function copyState(io: Io, stateDir: string, to: string): Promise<Result<null>> {
  if (existsSync(to)) return ok(null);
  const unfinished = join(stateDir, UNFINISHED);
  io.remove(unfinished);
  io.replace(join(unfinished, '.gitignore'), '*\n');
  const copied = copyFolder(io, stateDir, unfinished, ['.gitignore', UNFINISHED]);
  if (!copied.ok) return copied;
  await io.effect('copy of the state', async () => {
    renameSync(unfinished, to);
    syncFolder(dirname(to));
  });
  return ok(null);
}

function copyFolder(io: Io, from: string, to: string, passedBy: readonly string[] = []): Result<null> {
  const listed = listFolder(from);
  if (!listed.ok) return listed;
  for (const { name, kind } of listed.value) {
    if (passedBy.includes(name)) continue;
    if (kind === 'file') copyFile(io, join(from, name), join(to, name));
    if (kind !== 'folder') continue;
    const copied = copyFolder(io, join(from, name), join(to, name));
    if (!copied.ok) return copied;
  }
  return ok(null);
}

/** Logs are copied in parts: they may be larger than memory. */
const PART_BYTES = 8 * 1024 * 1024;

function copyFile(io: Io, from: string, to: string): void {
  const file = openSync(from, 'r');
  try {
    const part = Buffer.alloc(PART_BYTES);
    let bytes = readSync(file, part);
    io.replace(to, part.subarray(0, bytes));
    while (bytes === PART_BYTES) {
      bytes = readSync(file, part);
      if (bytes > 0) io.append(to, part.subarray(0, bytes));
    }
  } finally {
    closeSync(file);
  }
}
