// Applies the changes of a recorded turn to the work folder: files, modes, links, byte for byte. A cassette can come from anywhere: a path never
// leads out of the work folder, into `.git` or `.harness-engine`, or through a link.
import { Buffer } from 'node:buffer';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { statsOf } from '../../host/paths.ts';
import { sha256 } from '../../host/files.ts';
import { ENGINE_FOLDER } from '../../model/engine-folder.ts';
import type { RecordedChange, FileContent } from './cassette.ts';

/** The first path that differs from when the turn was recorded, or that no change may touch; null: all changes can be applied. */
export const firstConflict = (root: string, changes: readonly RecordedChange[]): string | null =>
  changes.find(({ path, was }) => !isInside(path) || (was !== undefined && stateAt(root, path) !== was))?.path ?? null;

/** Deletes first, because a file may have become a folder. Throws where a folder in the way is not empty. */
export function apply(root: string, changes: readonly RecordedChange[]): void {
  for (const { path, now } of changes) if (now === null) remove(root, path);
  for (const { path, now } of changes) if (now !== null) put(root, path, now);
}

export const bytesOf = ({ text, base64 }: FileContent): Buffer =>
  base64 === undefined ? Buffer.from(text ?? '', 'utf8') : Buffer.from(base64, 'base64');

/** As text where that is lossless. */
export function contentOf(mode: FileContent['mode'], bytes: Buffer): FileContent {
  const text = bytes.toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes) && !text.includes('\0')
    ? { mode, text }
    : { mode, base64: bytes.toString('base64') };
}

export const stateOf = (mode: FileContent['mode'], bytes: Buffer): string => `${mode}:${sha256(bytes)}`;

function stateAt(root: string, path: string): string | null {
  if (isThroughLink(root, path)) return null;
  const at = join(root, path);
  const facts = statsOf(at);
  if (facts === null || facts.isDirectory()) return null;
  if (facts.isSymbolicLink()) return stateOf('link', Buffer.from(readlinkSync(at), 'utf8'));
  if (!facts.isFile()) return 'other';
  return stateOf((facts.mode & 0o100) === 0 ? 'file' : 'executable', readFileSync(at));
}

function isInside(path: string): boolean {
  const parts = path.split('/');
  return parts.every(
    (part) =>
      part !== '' &&
      part !== '.' &&
      part !== '..' &&
      !['.git', ENGINE_FOLDER].includes(part.toLowerCase()) &&
      !part.includes('\0'),
  );
}

/** A parent of the path is a link, or not a folder. */
function isThroughLink(root: string, path: string): boolean {
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
    const facts = statsOf(join(root, folder));
    if (facts !== null && !facts.isDirectory()) return true;
  }
  return false;
}

/** Also removes the folders that are empty then, as git does. */
function remove(root: string, path: string): void {
  if (isThroughLink(root, path)) throw new Error(`${path} leads through a link`);
  rmSync(join(root, path), { force: true });
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder))
    try {
      rmdirSync(join(root, folder));
    } catch {
      return; // it is not empty
    }
}

function put(root: string, path: string, now: FileContent): void {
  if (isThroughLink(root, path)) throw new Error(`${path} leads through a link`);
  const at = join(root, path);
  mkdirSync(dirname(at), { recursive: true });
  const facts = statsOf(at);
  if (facts?.isDirectory() === true) rmdirSync(at);
  // A link is replaced, never written through.
  else if (facts !== null && (now.mode === 'link' || !facts.isFile())) rmSync(at);
  if (now.mode === 'link') {
    symlinkSync(bytesOf(now).toString('utf8'), at);
    return;
  }
  writeFileSync(at, bytesOf(now));
  const mode = lstatSync(at).mode & 0o777;
  chmodSync(at, now.mode === 'executable' ? mode | 0o111 : mode & ~0o111);
}
