// Where tests make their repositories: in memory where there is room, so that they wait for no disk.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { IS_NIGHT } from './effort.ts';

/** A new folder, whose name begins so. */
export const quickFolder = (name: string): string => realpathSync(mkdtempSync(join(quickPlace(), name)));

/** The same for the repository of a user, which by night is on the disk. */
export const projectFolder = (name: string): string =>
  IS_NIGHT ? realpathSync(mkdtempSync(join(tmpdir(), name))) : quickFolder(name);

const MEMORY = '/dev/shm';
/** Bytes. All tests of one time need a tenth of it. */
const ROOM = 4 * 2 ** 30;

let place: string | null = null;
const quickPlace = (): string => (place ??= hasRoom() ? MEMORY : tmpdir());

function hasRoom(): boolean {
  let folder: string | null = null;
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    if (bavail * bsize < ROOM) return false;
    // Programs may not be started everywhere.
    folder = mkdtempSync(join(MEMORY, 'harness-'));
    writeFileSync(join(folder, 'true'), '#!/bin/sh\n', { mode: 0o755 });
    execFileSync(join(folder, 'true'));
    return true;
  } catch {
    return false;
  } finally {
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
  }
}
