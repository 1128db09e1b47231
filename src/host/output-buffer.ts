// Keeps the head and the tail of a stream within a bound, and counts what is missing between them.
import { Buffer } from 'node:buffer';

export type OutputBuffer = {
  add(chunk: Buffer): void;
  /** Everything that was added, kept or not. */
  bytes(): number;
  /** UTF-8; characters cut in two at the gap are left out and counted as missing. `latin1`: one character per byte. */
  text(encoding?: 'utf8' | 'latin1'): string;
};

export function outputBuffer(keepBytes: number): OutputBuffer {
  const tailRoom = keepBytes >> 1;
  const headRoom = keepBytes - tailRoom;
  const head: Buffer[] = [];
  let headBytes = 0;
  let tail: Buffer[] = [];
  let tailBytes = 0;
  let bytes = 0;

  // Chunks are dropped or shortened in bulk, so that a flood of tiny chunks stays linear.
  const shorten = (): void => {
    const joined = Buffer.concat(tail);
    tail = [Buffer.from(joined.subarray(Math.max(0, joined.length - tailRoom)))];
    tailBytes = tail[0]?.length ?? 0;
  };
  return {
    add(chunk) {
      bytes += chunk.length;
      const forHead = chunk.subarray(0, headRoom - headBytes);
      if (forHead.length > 0) head.push(forHead);
      headBytes += forHead.length;
      const rest = chunk.subarray(forHead.length);
      if (rest.length === 0) return;
      tail.push(rest);
      tailBytes += rest.length;
      if (tailBytes > 2 * tailRoom + 65_536) shorten();
    },
    bytes: () => bytes,
    text(encoding = 'utf8') {
      if (tailBytes > tailRoom) shorten();
      if (headBytes + tailBytes === bytes) return Buffer.concat([...head, ...tail]).toString(encoding);
      const first = withoutCutEnd(Buffer.concat(head));
      const last = withoutCutStart(Buffer.concat(tail));
      const missing = bytes - first.length - last.length;
      return `${first.toString('utf8')}\n… ${missing} bytes left out …\n${last.toString('utf8')}`;
    },
  };
}

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

function withoutCutEnd(text: Buffer): Buffer {
  let lead = text.length - 1;
  while (lead > text.length - 4 && isContinuation(text[lead])) lead -= 1;
  const byte = text[lead] ?? 0;
  const size = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
  return lead + size > text.length ? text.subarray(0, lead) : text;
}

function withoutCutStart(text: Buffer): Buffer {
  let start = 0;
  while (start < 3 && isContinuation(text[start])) start += 1;
  return text.subarray(start);
}
