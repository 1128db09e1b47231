// Reading files that hostile code may have put in place: never through a link, never a pipe or a device, never without end.
import { Buffer } from 'node:buffer';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

export type RegularFile =
  | { readonly kind: 'file'; readonly bytes: Buffer; readonly mode: number }
  | { readonly kind: 'absent' }
  /** A link, folder, pipe, device, a file that may not be read, or one with more than `maxBytes`. */
  | { readonly kind: 'other'; readonly why: string };

export function readRegular(path: string, maxBytes: number): RegularFile {
  let file: number;
  try {
    // Without O_NONBLOCK opening a pipe would wait for a writer for ever.
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    return code === 'ENOENT' || code === 'ENOTDIR' ? { kind: 'absent' } : { kind: 'other', why: code };
  }
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) return { kind: 'other', why: 'not-a-file' };
    if (stat.size > maxBytes) return { kind: 'other', why: `${stat.size} bytes` };
    const bytes = Buffer.alloc(stat.size);
    let at = 0;
    while (at < bytes.length) {
      const read = readSync(file, bytes, at, bytes.length - at, at);
      if (read === 0) break;
      at += read;
    }
    return { kind: 'file', bytes: bytes.subarray(0, at), mode: stat.mode & 0o7777 };
  } finally {
    closeSync(file);
  }
}
