import { Readable } from 'node:stream';
import { array, assert, asyncProperty, integer, string } from 'fast-check';
import { expect, test } from 'vitest';
import { linesOf } from './line-reader.ts';

const all = async (chunks: readonly Buffer[]): Promise<string[]> => {
  const lines: string[] = [];
  for await (const line of linesOf(Readable.from(chunks, { objectMode: false }))) lines.push(line);
  return lines;
};

test('lines are the same however the bytes are split into chunks, inside characters too', async () => {
  expect.hasAssertions();
  const line = string({ unit: 'grapheme' }).map((text) => text.replaceAll('\n', '') || '·');
  await assert(
    asyncProperty(array(line, { minLength: 1 }), array(integer({ min: 1, max: 9 })), async (lines, cuts) => {
      const bytes = Buffer.from(`${lines.join('\n')}\n`);
      const chunks: Buffer[] = [];
      for (let at = 0, i = 0; at < bytes.length; i++) {
        const size = cuts[i % Math.max(1, cuts.length)] ?? 5;
        chunks.push(bytes.subarray(at, at + size));
        at += size;
      }
      expect(await all(chunks)).toEqual(lines);
    }),
    { numRuns: 100 },
  );
});
test('the unicode line separator is an ordinary character', async () => {
  expect(await all([Buffer.from('{"a":"x\u2028y"}\n')])).toEqual(['{"a":"x\u2028y"}']);
});
test('a last line without a line feed is a line', async () => {
  expect(await all([Buffer.from('a\nb')])).toEqual(['a', 'b']);
});
