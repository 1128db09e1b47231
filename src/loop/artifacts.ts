// What a check left in folders of its workspace (a report, pictures, traces), copied to where people find it. Code of the work wrote it: links are not
// followed, sizes and counts are bounded, and secrets are masked in texts.
import { Buffer } from 'node:buffer';
import { join } from 'node:path';
import { listFolder, readRegular } from '../host/files.ts';
import type { ArtifactsAsk } from '../model/action.ts';
import { ARTIFACTS_LIST, type ArtifactList } from '../model/artifacts.ts';
import { isSafeFolder } from '../repos/safe-dirs.ts';
import { rootFor, type RunContext } from './run-context.ts';

export const MOST_FILES = 200;
const MOST_FILE_BYTES = 10 * 1024 * 1024;
const MOST_BYTES = 60 * 1024 * 1024;
const DEEPEST = 12;
/** A file with a NUL in its first bytes is no text. */
const LOOKED_AT = 8 * 1024;

type Found = { readonly path: string; readonly bytes: Buffer };

/** Replaces what an earlier check left there. `root`: where the check ran. */
export function keepArtifacts(
  context: Pick<RunContext, 'root' | 'userRoot' | 'git' | 'config' | 'machine' | 'io' | 'redact'>,
  root: string,
  { folders, into }: ArtifactsAsk,
): void {
  const target = join(rootFor(context, `${into}/`), into);
  context.io.remove(target);
  const { found, leftOut } = artifactsIn(root, folders);
  const files = found.map(({ path, bytes }) => ({ path, bytes: masked(bytes, context.redact) }));
  const list: ArtifactList = { files: files.map(({ path, bytes }) => ({ path, bytes: bytes.length })), leftOut };
  context.io.replaceAll(
    [
      ...files.map(({ path, bytes }) => ({ path: join(target, path), text: bytes })),
      { path: join(target, ARTIFACTS_LIST), text: `${JSON.stringify(list, null, 2)}\n` },
    ].map((file) => ({ ...file, how: 'may-be-lost' as const })),
  );
}

function masked(bytes: Buffer, redact: (text: string) => string): Buffer {
  if (bytes.subarray(0, LOOKED_AT).includes(0)) return bytes;
  const text = bytes.toString('utf8');
  const shown = redact(text);
  return shown === text ? bytes : Buffer.from(shown);
}

/** `leftOut`: files that are too large, or beyond the number or size of all. Paths with forward slashes. */
export function artifactsIn(
  root: string,
  folders: readonly string[],
): { readonly found: readonly Found[]; readonly leftOut: number } {
  const found: Found[] = [];
  let [total, leftOut] = [0, 0];
  const take = (path: string): void => {
    const read = found.length < MOST_FILES ? readRegular(join(root, path), MOST_FILE_BYTES) : null;
    if (read?.kind === 'file' && total + read.bytes.length <= MOST_BYTES) {
      found.push({ path, bytes: read.bytes });
      total += read.bytes.length;
    } else if (read?.kind !== 'absent') leftOut += 1;
  };
  const walk = (folder: string, depth: number): void => {
    if (!isSafeFolder(root, folder)) return;
    const entries = listFolder(join(root, folder));
    for (const { name, kind } of entries.ok ? entries.value : [])
      if (kind === 'folder' && depth < DEEPEST) walk(`${folder}/${name}`, depth + 1);
      else if (kind === 'file') take(`${folder}/${name}`);
      else if (kind === 'folder') leftOut += 1;
  };
  for (const folder of new Set(folders.map(plain))) walk(folder, 1);
  return { found, leftOut };
}

const plain = (folder: string): string => folder.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '');
