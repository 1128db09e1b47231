// What counts as a trick, and when another session has confirmed it.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { MemoryEntry } from '../model/memory.ts';
import { markedIn, trickKey, tricksIn } from './tricks.ts';

const entry = (n: number, session: number, role: string, ...lines: readonly string[]): MemoryEntry => ({
  n,
  at: '2026-01-02T03:04:05.678Z',
  session,
  role,
  item: null,
  lines,
});

describe('a line', () => {
  test.each([
    ['TRICK: run one file', 'trick', 'run one file'],
    ['- TRICK: run one file', 'trick', 'run one file'],
    ['1. **Trick:** run one file', 'trick', 'run one file'],
    ['> CONFIRMED: TRICK: run one file', 'confirmed', 'run one file'],
    ['confirmed: run one file', 'confirmed', 'run one file'],
  ])('%s', (line, mark, text) => expect(markedIn(line)).toEqual({ mark, text }));
  test.each(['', 'TRICK:', 'TRICK: .', 'a trick: none', 'TRICKY: no', 'The TRICK: no'])('is none: %s', (line) =>
    expect(markedIn(line)).toBe(null),
  );
  test('says the same in other letters, spaces, emphasis and with a full stop', () => {
    expect(trickKey('Run  `one` **file**.')).toBe(trickKey('run one file'));
    expect(trickKey('run one file')).not.toBe(trickKey('run two files'));
  });
});

describe('a trick is confirmed', () => {
  const confirmed = (...entries: readonly MemoryEntry[]) => tricksIn(entries).map((one) => one.isConfirmed);
  test('by a second session, not by the same one saying it again', () => {
    expect(confirmed(entry(1, 4, 'worker', 'TRICK: a'), entry(2, 4, 'worker', 'TRICK: A.'))).toEqual([false]);
    expect(confirmed(entry(1, 4, 'worker', 'TRICK: a'), entry(2, 5, 'debugger', 'TRICK: A.'))).toEqual([true]);
  });
  test('by a validator, and by no other role', () => {
    expect(confirmed(entry(1, 4, 'worker', 'TRICK: a'), entry(2, 5, 'validator', 'CONFIRMED: a'))).toEqual([true]);
    expect(confirmed(entry(1, 4, 'worker', 'TRICK: a'), entry(2, 5, 'worker', 'CONFIRMED: a'))).toEqual([false]);
  });
  test('not by the validator that alone has said it', () => {
    expect(confirmed(entry(1, 4, 'validator', 'TRICK: a', 'CONFIRMED: a'))).toEqual([false]);
  });
  test('only where it was named: a confirmation alone makes no trick', () => {
    expect(tricksIn([entry(1, 5, 'validator', 'CONFIRMED: a')])).toEqual([]);
  });
  test('with who named it, in the words of the first', () => {
    const entries = [
      entry(1, 4, 'worker', 'TRICK: Use the *fast* path', 'other'),
      entry(2, 6, 'debugger', 'TRICK: use the fast path'),
      entry(3, 7, 'validator', 'CONFIRMED: use the fast path'),
    ];
    expect(tricksIn(entries)).toEqual([
      {
        text: 'Use the *fast* path',
        roles: ['worker', 'debugger'],
        sessions: [4, 6],
        confirmedBy: 7,
        isConfirmed: true,
      },
    ]);
  });
  test('exactly by two sessions or a validator, in any order of any entries', () => {
    const note = fc.record({
      session: fc.integer({ min: 1, max: 4 }),
      role: fc.constantFrom('worker', 'validator'),
      line: fc.constantFrom('TRICK: a', 'TRICK: b', 'CONFIRMED: a', 'CONFIRMED: b', 'x'),
    });
    fc.assert(
      fc.property(fc.array(note, { maxLength: 12 }), (notes) => {
        const entries = notes.map(({ session, role, line }, at) => entry(at + 1, session, role, line));
        for (const { text, isConfirmed } of tricksIn(entries)) {
          const by = (line: string) => notes.filter((one) => one.line === line);
          const named = by(`TRICK: ${text}`);
          const others = by(`CONFIRMED: ${text}`).filter(
            (one) =>
              one.role === 'validator' &&
              named.some(({ session, role }) => session !== one.session || role !== 'validator'),
          );
          expect(isConfirmed).toBe(new Set(named.map(({ session }) => session)).size > 1 || others.length > 0);
        }
      }),
    );
  });
});
