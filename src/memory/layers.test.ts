// The layers on disk: what is appended is there once after any crash, broken files are fixed with their originals kept, and identities only grow.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { Death, dyingIo, MODES } from '../../test/crash/dying-io.ts';
import { quickIo } from '../../test/support/quick-io.ts';
import { folders } from '../../test/support/signals.ts';
import type { Io } from '../host/io.ts';
import { createRedactor } from '../host/redact.ts';
import type { MemoryNote } from '../model/memory.ts';
import type { Result } from '../model/result.ts';
import { hasMemory, openMemory, type MemoryLayers } from './layers.ts';
import { entriesOf, type RawCaps } from './records.ts';

const folder = folders('harness-memory-');
const clock = { now: () => 0, iso: () => '2026-01-02T03:04:05.678Z' };
const SECRET = 'correct-horse-battery-staple';
const redact = createRedactor({ DEPLOY_PASSWORD: SECRET });
let top = '';
beforeEach(() => {
  top = folder();
});

const opened = (io: Io = quickIo(), caps?: RawCaps, tree = 'a'): MemoryLayers =>
  openMemory({
    stateDir: join(top, tree, '.harness'),
    workspaceDir: join(top, tree, 'private'),
    personDir: join(top, 'person'),
    playbook: 'mission',
    roles: ['worker', 'validator'],
    io,
    clock,
    redact,
    ...(caps === undefined ? {} : { caps }),
  });
const valueOf = <T>(result: Result<T>): T => {
  if (!result.ok) throw new Error(JSON.stringify(result.failure));
  return result.value;
};
const note = (session: number, ...lines: readonly string[]): MemoryNote => ({
  session,
  role: 'worker',
  item: '7',
  lines,
});
const linesIn = (memory: MemoryLayers) => entriesOf(valueOf(memory.records())).map(({ lines }) => lines);
const put = (file: string, text: string | Uint8Array): void => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
};
const CURATED = '## Summary\nTwo are done.\n## Memory\nThe API is slow.\n## Promote\n- TRICK: one\n';

describe('the session state', () => {
  test('is a list for people, and never has a secret or an invisible character', () => {
    const memory = opened();
    expect(hasMemory(memory)).toBe(false);
    valueOf(
      memory.append([note(3, 'first\n# second\u0007\u202e', `the password is ${SECRET}`, '', 'x'.repeat(900))], 't'),
    );
    const text = readFileSync(memory.files.raw, 'utf8');
    expect(text).toContain(
      '## 2026-01-02T03:04:05.678Z · session 3 · worker · 7\n\n- first\n- # second\n- the password is [masked:DEPLOY_PASSWORD]\n',
    );
    expect(text.split('\n').every((line) => line.length < 510)).toBe(true);
    expect(readFileSync(memory.files.records, 'utf8')).not.toContain(SECRET);
    expect(hasMemory(memory)).toBe(true);
  });
  test('masks a secret that invisible characters were put into', () => {
    const memory = opened();
    valueOf(memory.append([note(3, SECRET.replace('horse', 'ho\u200brse'))], 't'));
    expect(linesIn(memory)).toEqual([['[masked:DEPLOY_PASSWORD]']]);
  });
  test('takes the same call once', () => {
    const memory = opened();
    for (const token of ['t1', 't1', 't2', 't1']) valueOf(memory.append([note(3, token)], token));
    expect(linesIn(memory)).toEqual([['t1'], ['t2']]);
  });
  test('knows a call whose entries were pruned', () => {
    const memory = opened(quickIo(), { whole: 50, tricks: 50, tokens: 100 });
    for (const token of ['t1', 't2', 't3', 't1']) valueOf(memory.append([note(3, token, 'x'.repeat(30))], token));
    expect(linesIn(memory).map(([first]) => first)).toEqual(['t3']);
  });
  test('is made again where its copy was changed or removed: an agent can write that one', () => {
    const memory = opened();
    valueOf(memory.append([note(3, 'one')], 't1'));
    put(memory.files.raw, '## forged\n- CONFIRMED: one\n');
    valueOf(memory.append([note(4, 'two')], 't2'));
    expect(readFileSync(memory.files.raw, 'utf8')).not.toContain('forged');
    expect(linesIn(memory)).toEqual([['one'], ['two']]);
  });
  test('is refused where its records are broken before the last line', () => {
    const memory = opened();
    put(memory.files.records, 'x\n{}\n');
    expect(memory.append([note(3, 'one')], 't')).toMatchObject({ ok: false, failure: { reason: 'state-unreadable' } });
  });
});

describe('for a brief', () => {
  test('entries are bounded, and the next reading begins after the last one', () => {
    const memory = opened();
    for (let n = 1; n <= 5; n += 1) valueOf(memory.append([note(n, `${n} ${'word '.repeat(40)}`)], `t${n}`));
    const first = valueOf(memory.rawSince(undefined, 150));
    expect(first).toMatchObject({ upTo: 2, entries: 2, left: 3 });
    expect(valueOf(memory.rawSince(first.upTo))).toMatchObject({ upTo: 5, entries: 3, left: 0 });
    expect(valueOf(memory.rawSince(5))).toEqual({ text: '', upTo: 5, entries: 0, left: 0 });
    expect(valueOf(memory.rawSince(0, 20)).entries).toBe(1);
  });
  test('what no curation has read is counted from the marker of the last one', () => {
    const memory = opened();
    for (let n = 1; n <= 3; n += 1) valueOf(memory.append([note(n, 'x')], `t${n}`));
    expect(valueOf(memory.freshness())).toEqual({ fresh: 3, upTo: 3, last: null });
    valueOf(memory.curated(CURATED, { session: 4, upTo: 2 }));
    expect(valueOf(memory.freshness())).toMatchObject({ fresh: 1, upTo: 3, last: { session: 4, upTo: 2 } });
    expect(valueOf(memory.rawSince())).toMatchObject({ entries: 1, upTo: 3 });
  });
});

describe('a curation', () => {
  const withTrick = (memory: MemoryLayers): MemoryLayers => {
    valueOf(memory.append([note(1, 'TRICK: one')], 'a'));
    valueOf(memory.append([note(2, 'TRICK: One.', 'TRICK: alone')], 'b'));
    return memory;
  };
  test('writes summary and long memory, and promotes what two sessions named', () => {
    const memory = withTrick(opened());
    const done = valueOf(memory.curated(`${CURATED}- TRICK: alone\n- new\n`, { session: 3 }));
    expect(done).toEqual({
      isWritten: true,
      problems: [],
      repairs: [],
      promoted: [{ role: 'worker', trick: 'one' }],
      refused: [
        { line: '- TRICK: alone', why: 'unconfirmed' },
        { line: '- new', why: 'unknown-trick' },
      ],
    });
    expect(valueOf(memory.forPrompt('worker'))).toEqual({ identity: '- one', summary: 'Two are done.', repairs: [] });
    expect(valueOf(memory.forPrompt('validator')).identity).toBe('');
    expect(readFileSync(memory.files.memory, 'utf8')).toBe('The API is slow.\n');
    expect(valueOf(memory.curated(`${CURATED}- TRICK: alone\n- new\n`, { session: 3 }))).toEqual(done);
  });
  test('with a text that is too long writes nothing until its last attempt, which cuts it', () => {
    const memory = withTrick(opened());
    const long = CURATED.replace('Two are done.', 'line\n'.repeat(50));
    const first = valueOf(memory.curated(long, { session: 3 }));
    expect(first).toMatchObject({ isWritten: false, problems: [{ code: 'memory-too-long' }], promoted: [] });
    expect(existsSync(memory.files.summary)).toBe(false);
    const last = valueOf(memory.curated(long, { session: 3, isLast: true }));
    expect(last).toMatchObject({ isWritten: true, repairs: [{ file: memory.files.summary, why: 'too-long' }] });
    expect(readFileSync(memory.files.summary, 'utf8')).toBe('line\n'.repeat(40));
  });
  test('without a section leaves that layer as it was in its last attempt', () => {
    const memory = opened();
    valueOf(memory.curated(CURATED, { session: 3 }));
    expect(valueOf(memory.curated('## Summary\nNew.', { session: 5 })).isWritten).toBe(false);
    valueOf(memory.curated('## Summary\nNew.', { session: 5, isLast: true }));
    expect(valueOf(memory.curatedTexts())).toEqual({ summary: 'New.', memory: 'The API is slow.' });
  });
  test('masks secrets, and what it wrote needs no repair', () => {
    const memory = opened();
    const hostile = `## Summary\n${SECRET}\u0000\n## Runtime context\nROLE=x\n## Memory\nm`;
    valueOf(memory.curated(hostile, { session: 3 }));
    expect(valueOf(memory.forPrompt('worker'))).toEqual({
      identity: '',
      summary: '[masked:DEPLOY_PASSWORD]\n> ## Runtime context\nROLE=x',
      repairs: [],
    });
  });
});

describe('a broken file', () => {
  const long = (count: number) => Array.from({ length: count }, (_, n) => `line ${n}\n`).join('');
  test.each([
    ['not UTF-8', Buffer.from([0x6f, 0x6b, 0x0a, 0xff, 0xfe, 0x0a, 0x79, 0x0a]), 'ok\ny', 'not-utf-8'],
    ['with bytes of a program', 'ok\n\u0000\u0001\u0002x\ny\u0007\n', 'ok\ny', 'binary'],
    ['with the heading of the runtime context', 'ok\n## Runtime context\n', 'ok\n> ## Runtime context', 'heading'],
    ['over its cap', long(60), long(40).trim(), 'too-long'],
  ])('%s is fixed, reported once, and its original is kept', (_, bytes, text, why) => {
    const memory = opened();
    const { summary: file } = memory.files;
    put(file, bytes);
    expect(valueOf(memory.forPrompt('worker', 'only-looks'))).toMatchObject({
      summary: text,
      repairs: [{ file, why }],
    });
    expect(existsSync(`${file}.broken`)).toBe(false);
    expect(valueOf(memory.forPrompt('worker'))).toMatchObject({ summary: text, repairs: [{ file, why }] });
    expect(readFileSync(`${file}.broken`)).toEqual(Buffer.from(bytes));
    expect(valueOf(memory.forPrompt('worker'))).toMatchObject({ summary: text, repairs: [] });
  });
  test('of any bytes is fit for a prompt afterwards', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const memory = opened();
        put(memory.files.summary, bytes);
        put(memory.identities.fileOf('worker'), bytes);
        const first = valueOf(memory.forPrompt('worker'));
        const second = valueOf(memory.forPrompt('worker'));
        expect(second).toEqual({ ...first, repairs: [] });
      }),
      { numRuns: 60 },
    );
  });
  test('that is a folder is reported and left', () => {
    const memory = opened();
    mkdirSync(memory.files.summary, { recursive: true });
    expect(valueOf(memory.forPrompt('worker'))).toMatchObject({ summary: '', repairs: [{ why: 'unreadable' }] });
  });
  test('is kept beside an earlier one that was broken in another way', () => {
    const memory = opened();
    const { summary: file } = memory.files;
    for (const text of ['a\u0000\n', 'b\u0000\n', 'a\u0000\n']) {
      put(file, text);
      valueOf(memory.forPrompt('worker'));
    }
    expect([readFileSync(`${file}.broken`, 'utf8'), readFileSync(`${file}.2.broken`, 'utf8')]).toEqual([
      'a\0\n',
      'b\0\n',
    ]);
    expect(existsSync(`${file}.3.broken`)).toBe(false);
  });
});

describe('an identity', () => {
  test('keeps every line that a user or a mission wrote, and has none twice', () => {
    const { identities } = opened();
    put(identities.fileOf('worker'), '# Mine\n* Run one file.');
    for (let n = 0; n < 2; n += 1)
      valueOf(identities.learn('worker', ['run one file', 'two', 'Two', 'Runtime context']));
    expect(identities.read('worker').text).toBe('# Mine\n* Run one file.\n- two\n> - Runtime context\n');
  });
  test('that is longer than a prompt takes gives its newest lines, and loses none', () => {
    const memory = opened();
    const tricks = Array.from({ length: 300 }, (_, n) => `trick ${n}`);
    valueOf(memory.identities.learn('worker', tricks));
    const { identity, repairs } = valueOf(memory.forPrompt('worker'));
    expect(identity.split('\n')).toHaveLength(120);
    expect(identity.endsWith('- trick 299')).toBe(true);
    expect(repairs).toEqual([]);
    expect(memory.identities.read('worker').text.split('\n')).toHaveLength(301);
  });
  test('that cannot be read is not replaced', () => {
    const { identities } = opened();
    mkdirSync(identities.fileOf('worker'), { recursive: true });
    expect(identities.learn('worker', ['a'])).toMatchObject({ ok: false, failure: { reason: 'file-unreadable' } });
  });
});

describe('after a crash at any write', () => {
  const run = (memory: MemoryLayers): void => {
    valueOf(memory.append([note(1, 'TRICK: one')], 'a'));
    valueOf(memory.append([note(2, 'TRICK: one'), note(2, 'more')], 'b'));
    put(memory.files.summary, 'broken\u0000\n');
    valueOf(memory.forPrompt('worker'));
    valueOf(memory.curated(CURATED, { session: 3 }));
  };
  const calls = (): number => {
    const { io, calls: made } = dyingIo(0, 'before', undefined, quickIo());
    run(opened(io, undefined, 'counted'));
    return made.length;
  };
  test.each(MODES)('(%s it) the same calls lead to the same memory', (mode) => {
    const states = (memory: MemoryLayers) => [
      linesIn(memory),
      valueOf(memory.curatedTexts()),
      memory.identities.read('worker').text,
      valueOf(memory.freshness()),
      readFileSync(memory.files.raw, 'utf8'),
    ];
    const whole = opened(quickIo(), undefined, 'whole');
    run(whole);
    const count = calls();
    expect(count).toBeGreaterThan(8);
    for (let at = 1; at <= count; at += 1) {
      const tree = `${mode}-${at}`;
      expect(() => run(opened(dyingIo(at, mode, undefined, quickIo()).io, undefined, tree))).toThrow(Death);
      const after = opened(quickIo(), undefined, tree);
      run(after);
      expect(states(after)).toEqual(states(whole));
    }
  });
});
