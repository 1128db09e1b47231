// Files that an agent reads and writes through us: only inside the lane, with links resolved, never .git/ or .harness/.
import { constants } from 'node:fs';
import { lstat, mkdir, open, readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { closedPath } from '../policy.ts';

export type LanePath =
  | { readonly ok: true; readonly path: string; readonly inside: string; readonly exists: boolean }
  | { readonly ok: false; readonly why: string };

/** A larger file is not sent to an agent in one message. */
const READ_BYTES = 16 * 1024 * 1024;

/** The real path of a path that the agent gave. `inside` is relative to the lane. Never throws. */
export async function resolveInLane(lane: string, path: string): Promise<LanePath> {
  try {
    const root = await realpath(lane);
    const asked = isAbsolute(path) ? path : resolve(root, path);
    const { real, exists } = await realWhereItExists(asked);
    const why = closedPath(root, real);
    return why === null ? { ok: true, path: real, inside: relative(root, real), exists } : { ok: false, why };
  } catch {
    return { ok: false, why: 'unreadable-path' };
  }
}

/** Resolves links as far as the path exists. A link without a target is refused, because writing would follow it. */
async function realWhereItExists(path: string): Promise<{ real: string; exists: boolean }> {
  const found = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (found !== null) return { real: await realpath(path), exists: true };
  const parent = await realWhereItExists(dirname(path));
  return { real: join(parent.real, basename(path)), exists: false };
}

/** The text of a file, or `limit` lines of it from `line` (1-based). Throws the errors of the file system. */
export async function readLaneFile(path: string, line: number | null, limit: number | null): Promise<string> {
  const { size } = await stat(path);
  if (size > READ_BYTES) throw new Error('file-too-large');
  const text = await readFile(path, 'utf8');
  if (line === null && limit === null) return text;
  const from = Math.max(0, (line ?? 1) - 1);
  return text
    .split('\n')
    .slice(from, limit === null ? undefined : from + limit)
    .join('\n');
}

/** Writes to a resolved path; its last part is not followed if it has become a link meanwhile. */
export async function writeLaneFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW;
  const file = await open(path, flags, 0o666);
  try {
    await file.writeFile(text, 'utf8');
  } finally {
    await file.close();
  }
}
