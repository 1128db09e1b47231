// Ids and messages of test cases.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { firstLine, fold, relativeTo, withIds } from './cases.ts';

describe('ids', () => {
  const raw = (name: string, suite: readonly string[] = []) =>
    ({ file: 'a.ts', suite, name, status: 'passed', ms: 0, message: '' }) as const;

  test('are the same however the title was composed or spaced', () => {
    const [a] = withIds('node', [raw('u\u0308  x\n y ')]);
    expect(a?.id).toBe('node|a.ts||ü x y');
  });
  test('number repeated titles in the order of the report', () => {
    expect(withIds('node', [raw('x'), raw('x', ['s']), raw('x')]).map((c) => c.id)).toEqual([
      'node|a.ts||x',
      'node|a.ts|s|x',
      'node|a.ts||x#2',
    ]);
  });
  test('are never given twice, whatever tests are called', () => {
    const name = fc.constantFrom('x', 'x#2', 'x#3', ' x', 'x#2#2', '');
    fc.assert(
      fc.property(fc.array(name), (names) => {
        const ids = withIds(
          'r',
          names.map((n) => raw(n)),
        ).map((c) => c.id);
        expect(new Set(ids).size).toBe(ids.length);
        ids.forEach((id, i) => expect(id.startsWith(`r|a.ts||${fold(names[i] ?? '')}`)).toBe(true));
      }),
    );
  });
  test('name files by their place in the repository', () => {
    expect(relativeTo('/repo', '/repo/src/a.ts')).toBe('src/a.ts');
    expect(relativeTo('/repo', 'src/a.ts')).toBe('src/a.ts');
    expect(relativeTo('/repo', '/repository/a.ts')).toBe('/repository/a.ts');
    expect(relativeTo('/repo', '/repo/..hidden/a.ts')).toBe('..hidden/a.ts');
    expect(relativeTo('/repo', '')).toBe('');
  });
});

describe('messages', () => {
  test('continue after a colon', () => {
    expect(firstLine('\n  Expected values to be equal:\n\n3 !== 4\n')).toBe('Expected values to be equal: 3 !== 4');
    expect(firstLine('broken\nat a.js:1')).toBe('broken');
  });
  test('are cut between words, and stay short', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 250, maxLength: 700 }), (text) => {
        expect(firstLine(text).length).toBeLessThanOrEqual(300);
      }),
    );
    const words = `${'word '.repeat(58)}secret-of-many-characters-0123456789`;
    expect(firstLine(words)).toBe(`${'word '.repeat(58).trimEnd()} …`);
  });
});
