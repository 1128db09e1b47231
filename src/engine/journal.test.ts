// The journal: after any truncation the complete lines are read; any change before the last line is refused.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { quickIo } from '../../test/support/quick-io.ts';
import { folders } from '../../test/support/signals.ts';
import { encode, openJournal, readLines, type Journal } from './journal.ts';

type L = { readonly n: number; readonly text: string };
const folder = folders('harness-journal-');
const lists = fc
  .array(fc.string({ unit: 'binary', maxLength: 12 }), { minLength: 1, maxLength: 8 })
  .map((texts) => texts.map((text, n): L => ({ n, text })));
const bytesOf = (lines: readonly L[]): Buffer => Buffer.from(lines.map(encode).join(''));
const opened = (path: string): Journal<L> => {
  const journal = openJournal<L>(path, quickIo());
  if (!journal.ok) throw new Error(journal.failure.reason);
  return journal.value;
};
/** As JSON keeps it: a lone surrogate is written as an escape and read back. */
const kept = (lines: readonly L[]): unknown => JSON.parse(JSON.stringify(lines));

describe('a journal', () => {
  test('cut at any byte reads every complete line, and continues from there', () => {
    const path = join(folder(), 'j.jsonl');
    fc.assert(
      fc.property(lists, fc.nat(), (lines, where) => {
        const bytes = bytesOf(lines);
        const cut = where % (bytes.length + 1);
        writeFileSync(path, bytes.subarray(0, cut));
        const whole = lines.filter((_, n) => bytesOf(lines.slice(0, n + 1)).length <= cut);
        const journal = opened(path);
        expect(journal.lines).toEqual(kept(whole));
        expect(readFileSync(path).equals(bytesOf(whole))).toBe(true);
        journal.append({ n: 99, text: 'after' });
        expect(opened(path).lines).toEqual(kept([...whole, { n: 99, text: 'after' }]));
      }),
      { numRuns: 300 },
    );
  });

  test('with any byte changed before its last line is refused, and names a line at or before the last', () => {
    const path = join(folder(), 'j.jsonl');
    fc.assert(
      fc.property(
        lists.filter((l) => l.length > 1),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        (lines, where, by) => {
          const bytes = bytesOf(lines);
          const at = where % (bytesOf(lines.slice(0, -1)).length - 1);
          bytes[at] = (bytes[at] ?? 0) ^ by;
          writeFileSync(path, bytes);
          const journal = openJournal<L>(path, quickIo());
          expect(journal).toMatchObject({ ok: false, failure: { reason: 'journal-broken', policy: 'needs-human' } });
          const line = journal.ok ? 0 : Number(journal.failure.params['line']);
          expect(line).toBe(lines.filter((_, n) => bytesOf(lines.slice(0, n + 1)).length <= at).length + 1);
          expect(readFileSync(path).equals(bytes)).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });

  test('with garbage for its last line, as a full or failing disk leaves it, has lost that line alone', () => {
    fc.assert(
      fc.property(lists, fc.uint8Array({ minLength: 1, maxLength: 40 }), fc.boolean(), (lines, garbage, isEnded) => {
        const text = Buffer.from(garbage).toString('latin1').replaceAll('\n', '?');
        const read = readLines<L>(bytesOf(lines).toString() + text + (isEnded ? '\n' : ''));
        expect(read).toMatchObject({ ok: true, value: { keep: bytesOf(lines).length } });
      }),
    );
  });

  test('takes a journal of any length at once', () => {
    const many = Array.from({ length: 300_000 }, (_, n) => ({ n, text: '' }));
    const journal = opened(join(folder(), 'j.jsonl'));
    journal.replaceAll(many);
    expect(journal.lines).toHaveLength(many.length);
  });

  test('with two broken lines at its end was not cut by a crash: it is refused', () => {
    const text = bytesOf([{ n: 1, text: '' }]).toString();
    expect(readLines(`${text}garbage\ngarbage\n`)).toEqual({ ok: false, failure: 2 });
    expect(readLines(`${text}garbage\ngarbage`)).toEqual({ ok: false, failure: 2 });
    expect(readLines(`${text}\n${text}`)).toEqual({ ok: false, failure: 2 });
  });

  test('that could not write a line writes no other behind it, and says why it could not', () => {
    const path = join(folder(), 'j.jsonl');
    let isFull = false;
    const io = quickIo();
    const journal = openJournal<L>(path, {
      ...io,
      append(file, text) {
        io.append(file, isFull ? text.slice(0, 5) : text);
        if (isFull) throw new Error('ENOSPC');
      },
    });
    if (!journal.ok) throw new Error(journal.failure.reason);
    journal.value.append({ n: 1, text: 'stands' });
    isFull = true;
    expect(() => journal.value.append({ n: 2, text: 'half' })).toThrow('ENOSPC');
    isFull = false;
    expect(() => journal.value.append({ n: 3, text: 'after' })).toThrow('ENOSPC');
    expect(opened(path).lines).toEqual([{ n: 1, text: 'stands' }]);
  });

  test('rewritten with other lines has those and nothing else', () => {
    const path = join(folder(), 'j.jsonl');
    const journal = opened(path);
    for (let n = 0; n < 5; n += 1) journal.append({ n, text: 'old' });
    journal.replaceAll([{ n: 9, text: 'new' }]);
    journal.append({ n: 10, text: 'newer' });
    expect(journal.lines.map((l) => l.n)).toEqual([9, 10]);
    expect(opened(path).lines).toEqual(journal.lines);
  });
});
