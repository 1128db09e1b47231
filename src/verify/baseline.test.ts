// What passed before must pass again; and a baseline is either exactly right or refused with the place of the mistake.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { realIo } from '../host/io.ts';
import type { TestCase, TestStatus } from '../model/report.ts';
import { baselineOf, compareWithBaseline, parseBaseline, readBaseline, writeBaseline } from './baseline.ts';

const caseOf = (id: string, status: TestStatus): TestCase => ({
  id,
  runner: 'node',
  file: '',
  suite: [],
  name: id,
  status,
  ms: 0,
  message: '',
});

test('a comparison agrees with looking at every id by itself', () => {
  const id = fc.constantFrom<string>('a', 'b', 'c', 'd', 'e', 'constructor', '__proto__');
  const status = fc.constantFrom<TestStatus>('passed', 'failed', 'skipped');
  fc.assert(
    fc.property(fc.array(id), fc.array(fc.tuple(id, status)), (passing, run) => {
      const found = compareWithBaseline(
        passing,
        run.map(([i, s]) => caseOf(i, s)),
      );
      const said = (i: string, s: TestStatus) => run.some((r) => r[0] === i && r[1] === s);
      for (const i of passing) {
        const verdict = said(i, 'failed')
          ? 'failed'
          : said(i, 'skipped')
            ? 'skipped'
            : said(i, 'passed')
              ? 'holds'
              : 'missing';
        for (const list of ['failed', 'skipped', 'missing'] as const)
          expect(found[list].includes(i)).toBe(list === verdict);
      }
      const all = [...found.failed, ...found.missing, ...found.skipped];
      expect(new Set(all).size).toBe(all.length);
      expect(all.every((i) => passing.includes(i))).toBe(true);
    }),
  );
});

test('tests that are new, or fail as before, change nothing', () => {
  expect(compareWithBaseline(['a'], [caseOf('a', 'passed'), caseOf('new', 'failed')])).toEqual({
    failed: [],
    missing: [],
    skipped: [],
  });
});

describe('the file', () => {
  let folder = '';
  beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'harness-baseline-'))));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const good = {
    session: 7,
    timestamp: '2025-01-16T10:00:00Z',
    passing_tests: ['node|a.mjs||one', 'node|a.mjs||two'],
    total_passing: 2,
    total_tests: 3,
  };

  test('is read as it was written', () => {
    const path = join(folder, 'deep', 'test_baseline.json');
    const baseline = baselineOf({
      session: 3,
      timestamp: '2026-01-01T00:00:00.000Z',
      passing: ['b', 'a', 'b'],
      total: 5,
      tree: 'abc',
    });
    expect(baseline.passing_tests).toEqual(['a', 'b']);
    writeBaseline(realIo(), path, baseline);
    expect(readBaseline(path)).toEqual({ ok: true, value: baseline });
  });

  test('with one letter of a name flipped is refused: it would be a test that is missing', () => {
    const path = join(folder, 'flipped.json');
    const passing = ['tap|||there is a door'];
    writeBaseline(
      realIo(),
      path,
      baselineOf({ session: 1, timestamp: '2026-03-01T00:00:00Z', passing, total: 1, tree: 't' }),
    );
    expect(readBaseline(path)).toMatchObject({ ok: true, value: { passing_tests: passing } });
    writeFileSync(path, readFileSync(path, 'utf8').replace('door', 'dooR'));
    expect(readBaseline(path)).toMatchObject({
      failure: { reason: 'baseline-unreadable', params: { why: 'checksum' } },
    });
  });

  test('that is not there is no baseline, which is no mistake', () => {
    expect(readBaseline(join(folder, 'none.json'))).toEqual({ ok: true, value: null });
  });

  test('may carry the reference’s own pytest names', () => {
    const ids = ['tests/test_a.py::test_x', 'tests/test_a.py::TestC::test_m[a::b|c]'];
    const parsed = parseBaseline(JSON.stringify({ ...good, passing_tests: ids }), 'f');
    expect(parsed.ok && parsed.value.passing_tests).toEqual([
      'pytest|tests/test_a.py||test_x',
      'pytest|tests/test_a.py|TestC|test_m[a::b|c]',
    ]);
  });

  test.each([
    ['a total that lies', { ...good, total_passing: 5 }, 'total_passing'],
    ['fewer tests than passed', { ...good, total_tests: 1 }, 'total_tests'],
    ['an id twice', { ...good, passing_tests: ['x', 'x'] }, 'passing_tests'],
    ['an id that is no text', { ...good, passing_tests: ['x', 5] }, 'passing_tests.1'],
    ['no date', { ...good, timestamp: 'soon' }, 'timestamp'],
    ['a negative session', { ...good, session: -1 }, 'session'],
    ['a list instead of an object', [], undefined],
  ])('with %s is refused, naming the key', (_what, value, key) => {
    const parsed = parseBaseline(JSON.stringify(value), 'b.json');
    expect(parsed.ok ? null : [parsed.failure.reason, parsed.failure.at?.key]).toEqual(['baseline-unreadable', key]);
  });

  test('cut in the middle is refused with line and column', () => {
    const parsed = parseBaseline('{\n  "session": 7,\n  oops', 'b.json');
    expect(parsed.ok ? null : parsed.failure.at).toEqual({ file: 'b.json', line: 3, column: 3 });
    const cut = parseBaseline('{\n "session"', 'b.json');
    expect(cut.ok ? null : cut.failure.at?.line).toBe(2);
  });

  test('that is a folder is refused', () => {
    const read = readBaseline(folder);
    expect(read.ok ? null : read.failure.reason).toBe('baseline-unreadable');
  });

  test('with bytes in place of text is refused', () => {
    writeFileSync(join(folder, 'x.json'), Buffer.from([0, 1, 2]));
    expect(readBaseline(join(folder, 'x.json')).ok).toBe(false);
  });
});
