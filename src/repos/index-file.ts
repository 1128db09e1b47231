// An index file as bytes: what tells one from another without a git process.
import { Buffer } from 'node:buffer';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** As long as the longest checksum; a shorter one has entries before it, which belong to the index as well. */
const CHECKSUM_BYTES = 32;
/** Of SHA-1, the shortest there is. */
const SHORTEST_BYTES = 20;

/** What an index ends with, a checksum of all that is in it; '' where there is none (no index yet, or written without). */
export function checksumOf(file: string): string {
  const bytes = Buffer.alloc(CHECKSUM_BYTES);
  try {
    const index = openSync(file, 'r');
    try {
      readSync(index, bytes, 0, CHECKSUM_BYTES, Math.max(0, fstatSync(index).size - CHECKSUM_BYTES));
    } finally {
      closeSync(index);
    }
  } catch {
    return '';
  }
  // index.skipHash: two such indexes cannot be told apart.
  return bytes.subarray(-SHORTEST_BYTES).every((byte) => byte === 0) ? '' : bytes.toString('hex');
}
