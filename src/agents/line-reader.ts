// Lines of a byte stream, split at \n alone: Node's own line reader also splits at U+2028, which JSON text may contain.
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

/** Calls `onLine` with each line as soon as it is complete, and with the rest at the end. An error of the stream ends it. */
export function onLines(stream: Readable, onLine: (line: string) => void): void {
  const decoder = new StringDecoder('utf8');
  let pending: string[] = [];
  stream.on('data', (chunk: Buffer) => {
    const [head = '', ...more] = decoder.write(chunk).split('\n');
    pending.push(head);
    for (const next of more) {
      onLine(pending.join(''));
      pending = [next];
    }
  });
  stream.once('end', () => {
    if (pending.some((text) => text !== '')) onLine(pending.join(''));
  });
  stream.on('error', () => undefined);
}

/** The lines as an iterable that ends when the stream ends or is destroyed. */
export async function* linesOf(stream: Readable): AsyncGenerator<string> {
  const lines: string[] = [];
  let wake: () => void = () => undefined;
  let hasEnded = false;
  onLines(stream, (line) => {
    lines.push(line);
    wake();
  });
  for (const end of ['end', 'close', 'error'] as const)
    stream.once(end, () => {
      hasEnded = true;
      wake();
    });
  for (;;) {
    const line = lines.shift();
    if (line !== undefined) yield line;
    else if (hasEnded) return;
    else await new Promise<void>((resolve) => (wake = resolve));
  }
}
