// Property tests of what is kept of a stream.
import { Buffer } from 'node:buffer';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { outputBuffer } from './output-buffer.ts';

const cut = (bytes: Buffer, sizes: readonly number[]): Buffer[] => {
  const chunks: Buffer[] = [];
  for (let at = 0, i = 0; at < bytes.length; i += 1) {
    const size = sizes[i % sizes.length] ?? 1;
    chunks.push(bytes.subarray(at, at + size));
    at += size;
  }
  return chunks;
};
const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 10 });

test('a stream that fits is kept to the letter, wherever it was cut', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), sizes, (text, sizes) => {
      const bytes = Buffer.from(text);
      const buffer = outputBuffer(bytes.length);
      for (const chunk of cut(bytes, sizes)) buffer.add(chunk);
      expect(buffer.text()).toBe(text);
    }),
  );
});

test('of a stream that does not fit head and tail are whole characters and the missing bytes are counted', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', minLength: 40, maxLength: 400 }),
      fc.integer({ min: 0, max: 39 }),
      sizes,
      (text, keep, sizes) => {
        fc.pre(!text.includes('�') && !text.includes('…') && text.isWellFormed());
        const bytes = Buffer.from(text);
        const buffer = outputBuffer(keep);
        for (const chunk of cut(bytes, sizes)) buffer.add(chunk);
        const [, head = '', missing = '', tail = ''] =
          /^([\s\S]*)\n… (\d+) bytes left out …\n([\s\S]*)$/.exec(buffer.text()) ?? [];
        expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
        expect(Buffer.byteLength(head) + Buffer.byteLength(tail) + Number(missing)).toBe(bytes.length);
        expect(Buffer.byteLength(head) + Buffer.byteLength(tail)).toBeLessThanOrEqual(keep);
        expect(buffer.bytes()).toBe(bytes.length);
      },
    ),
  );
});
