// Brings what a turn changed into the lane: files, modes, links, byte for byte, and nowhere else. A cassette may come from
// anybody: a path never leads out of the lane, into .git or the folder that stands for it, or through a link.
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
import { sha256 } from '../../host/files.ts';
import { ENGINE_FOLDER } from '../../model/engine-folder.ts';
import type { Change, Content } from './cassette.ts';

/** The first path that is not as it was when the turn was recorded, or that no agent's change may touch; null: all can be done. */
export const hindered = (lane: string, changes: readonly Change[]): string | null =>
  changes.find(({ path, was }) => !isInside(path) || (was !== undefined && stateAt(lane, path) !== was))?.path ?? null;

/** Deletes first: a file may have become a folder. Throws where a folder is in the way that is not empty. */
export function apply(lane: string, changes: readonly Change[]): void {
  for (const { path, now } of changes) if (now === null) remove(lane, path);
  for (const { path, now } of changes) if (now !== null) put(lane, path, now);
}

export const bytesOf = ({ text, base64 }: Content): Buffer =>
  base64 === undefined ? Buffer.from(text ?? '', 'utf8') : Buffer.from(base64, 'base64');

/** As text where nothing is lost by it. */
export function contentOf(mode: Content['mode'], bytes: Buffer): Content {
  const text = bytes.toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes) && !text.includes('\0')
    ? { mode, text }
    : { mode, base64: bytes.toString('base64') };
}

export const stateOf = (mode: Content['mode'], bytes: Buffer): string => `${mode}:${sha256(bytes)}`;

function stateAt(lane: string, path: string): string | null {
  if (isThroughLink(lane, path)) return null;
  const at = join(lane, path);
  const facts = lstatSync(at, { throwIfNoEntry: false });
  if (facts === undefined || facts.isDirectory()) return null;
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

/** A folder on the way is a link, or no folder. */
function isThroughLink(lane: string, path: string): boolean {
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
    const facts = lstatSync(join(lane, folder), { throwIfNoEntry: false });
    if (facts !== undefined && !facts.isDirectory()) return true;
  }
  return false;
}

/** With the folders that are empty then, as git does it. */
function remove(lane: string, path: string): void {
  if (isThroughLink(lane, path)) throw new Error(`${path} leads through a link`);
  rmSync(join(lane, path), { force: true });
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder))
    try {
      rmdirSync(join(lane, folder));
    } catch {
      return; // it holds something else
    }
}

function put(lane: string, path: string, now: Content): void {
  if (isThroughLink(lane, path)) throw new Error(`${path} leads through a link`);
  const at = join(lane, path);
  mkdirSync(dirname(at), { recursive: true });
  const facts = lstatSync(at, { throwIfNoEntry: false });
  if (facts?.isDirectory() === true) rmdirSync(at);
  // A link is replaced, never written through.
  else if (facts !== undefined && (now.mode === 'link' || !facts.isFile())) rmSync(at);
  if (now.mode === 'link') {
    symlinkSync(bytesOf(now).toString('utf8'), at);
    return;
  }
  writeFileSync(at, bytesOf(now));
  const mode = lstatSync(at).mode & 0o777;
  chmodSync(at, now.mode === 'executable' ? mode | 0o111 : mode & ~0o111);
}
