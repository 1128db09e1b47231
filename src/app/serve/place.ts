// Where the server of a work tree keeps what others need to find it: its lock, its address, the token, its log. In the private folder, where
// no agent in a box can read.
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { readText } from '../../host/files.ts';
import { lockOwner } from '../../host/lock.ts';

/** The folder of the lock, too: in the server's own process no other code may open a file of it, which would release the lock (host/lock.ts). */
export const serveFolder = (workspaceDir: string): string => join(workspaceDir, 'serve');
export const tokenFile = (workspaceDir: string): string => join(serveFolder(workspaceDir), 'token');
export const serverLog = (workspaceDir: string): string => join(serveFolder(workspaceDir), 'server.log');
const addressFile = (workspaceDir: string): string => join(serveFolder(workspaceDir), 'address.json');

const addressShape = z.object({ pid: z.number(), port: z.number(), url: z.string(), since: z.string() });
export type Address = Readonly<z.output<typeof addressShape>>;

const TOKEN = /^[\w-]{43}$/;

/** The token of this work tree, made when it is first needed and kept, so that an open page survives a restart of the server. */
export function tokenOf(workspaceDir: string): string {
  const known = readToken(workspaceDir);
  if (known !== null) {
    chmodSync(tokenFile(workspaceDir), 0o600);
    return known;
  }
  const made = randomBytes(32).toString('base64url');
  writePrivate(tokenFile(workspaceDir), `${made}\n`);
  return made;
}

export function readToken(workspaceDir: string): string | null {
  const text = readText(tokenFile(workspaceDir));
  const token = text.ok ? (text.value?.trim() ?? '') : '';
  return TOKEN.test(token) ? token : null;
}

export const writeAddress = (workspaceDir: string, address: Address): void =>
  writePrivate(addressFile(workspaceDir), `${JSON.stringify(address)}\n`);

/** The server that runs now, by its lock; null: none does, or it is about to say where. Not for the server's own process. */
export function liveServer(workspaceDir: string): Address | null {
  const owner = lockOwner(serveFolder(workspaceDir));
  if (owner === null) return null;
  const text = readText(addressFile(workspaceDir));
  if (!text.ok || text.value === null) return null;
  try {
    const address = addressShape.safeParse(JSON.parse(text.value)).data ?? null;
    return address?.pid === owner.pid ? address : null;
  } catch {
    return null;
  }
}

/** Readable by the user alone from the first moment on. It is no state: nothing is synced. */
function writePrivate(path: string, text: string): void {
  mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 });
  const next = `${path}.${process.pid}.tmp`;
  const file = openSync(next, existsSync(next) ? 'w' : 'wx', 0o600);
  try {
    writeFileSync(file, text);
  } finally {
    closeSync(file);
  }
  renameSync(next, path);
}
