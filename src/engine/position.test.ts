// The position of a machine after a restart: from its own file, after an edit by a user, after the journal was lost.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { Death, dyingIo, MODES } from '../../test/crash/dying-io.ts';
import { quickIo } from '../../test/support/quick-io.ts';
import { folders } from '../../test/support/signals.ts';
import type { Io } from '../host/io.ts';
import { encode, openJournal, readLines } from './journal.ts';
import { intentsOf, openPosition, type Line, type OpenPosition } from './position.ts';
import { jsonStore } from './store.ts';
import type { External, Machine } from './types.ts';

type M = { add: readonly [{ readonly n: number }, { readonly sum: number }] };
type File = { readonly total: number; readonly note: string };
type At = { readonly stage: 'count'; readonly n: number } | { readonly stage: 'old' };
type Mem = { readonly woken: number };

const machine: Machine<File, At, Mem, M> = {
  name: 'counter',
  version: 1,
  file: z.object({ total: z.number(), note: z.string().default('') }),
  position: z.object({
    at: z.union([z.object({ stage: z.literal('count'), n: z.number() }), z.object({ stage: z.literal('old') })]),
    mem: z.object({ woken: z.number() }),
  }),
  place: (file) => ({ at: { stage: 'count', n: file.total }, mem: { woken: 0 } }),
  on: (s, e, at) =>
    e.type === 'message' ? { ...s, file: { ...s.file, note: at }, mem: { woken: s.mem.woken + 1 } } : s,
  stages: {
    count: {
      wants: (s) => [{ kind: 'add', key: `add-${s.at.n}`, n: s.at.n }],
      apply: (s, d) =>
        d.kind === 'add' ? { ...s, file: { ...s.file, total: d.outcome.sum }, at: { ...s.at, n: d.outcome.sum } } : s,
      recover: (s) => ({ ...s, file: { ...s.file, note: 'cut' } }),
    },
    old: { wants: () => [], apply: (s) => s },
  },
};
type Position = OpenPosition<File, At, Mem, M>;

const folder = folders('harness-position-');
const fileIn = (dir: string): string => join(dir, 'state.json');
const journalIn = (dir: string): string => join(dir, 'journal.jsonl');
const CLOCK = '2026-01-01T00:00:00.000Z';
function open(...at: Parameters<typeof tryOpen>): Position {
  const opened = tryOpen(...at);
  if (!opened.ok) throw new Error(opened.failure.reason);
  return opened.value;
}
function tryOpen(dir: string, io: Io = quickIo(), base = 'life-1', m: Machine<File, At, Mem, M> = machine) {
  const journal = openJournal<Line>(journalIn(dir), io);
  if (!journal.ok) throw new Error(journal.failure.reason);
  return openPosition(m, {
    journal: journal.value,
    store: jsonStore(fileIn(dir), m.file, io),
    iso: () => CLOCK,
    base,
    initial: () => ({ total: 0, note: '' }),
  });
}
const linesIn = (dir: string): readonly Line[] => {
  const read = readLines<Line>(readFileSync(journalIn(dir), 'utf8'));
  if (!read.ok) throw new Error(`line ${read.failure} is broken`);
  return read.value.lines;
};
const add = (n: number) => ({ kind: 'add', key: `add-${n}`, n }) as const;
/** Begins and finishes one addition. */
function count(p: Position, sum: number): void {
  const action = add(p.state().file.total);
  expect(p.finish(p.begin(action), action, { sum }).ok).toBe(true);
}
const onDisk = (dir: string): File => JSON.parse(readFileSync(fileIn(dir), 'utf8'));
const lines = (dir: string): Line[] => {
  const journal = openJournal<Line>(journalIn(dir), quickIo());
  return journal.ok ? [...journal.value.lines] : [];
};
const message: External = { type: 'message', id: 'm', body: null };

describe('a position', () => {
  test('of a machine that never ran is the one of its first file, which is written', () => {
    const dir = folder();
    const p = open(dir);
    expect([p.state(), p.epoch, p.base, p.open]).toEqual([
      { file: { total: 0, note: '' }, at: { stage: 'count', n: 0 }, mem: { woken: 0 } },
      1,
      'life-1',
      [],
    ]);
    expect(onDisk(dir)).toEqual({ total: 0, note: '' });
  });

  test('survives a restart with its actions in flight, under the base of the first run', () => {
    const dir = folder();
    const p = open(dir);
    count(p, 5);
    expect(p.event(message).ok).toBe(true);
    const seq = p.begin(add(5));
    const later = open(dir, quickIo(), 'life-2');
    expect(later.state()).toEqual(p.state());
    expect([later.epoch, later.base]).toEqual([1, 'life-1']);
    expect(later.open).toMatchObject([{ seq, key: 'add-5', action: add(5) }]);
  });

  test('is where the outcome brought it, when the crash came between the journal and the file', () => {
    const dir = folder();
    const p = open(dir);
    const before = readFileSync(fileIn(dir), 'utf8');
    count(p, 7);
    writeFileSync(fileIn(dir), before);
    const later = open(dir);
    expect([later.state(), later.epoch, onDisk(dir)]).toEqual([p.state(), 1, { total: 7, note: '' }]);
  });

  test('is where a message brought it, at the time it was taken up, when the crash came before the file', () => {
    const dir = folder();
    const p = open(dir);
    const before = readFileSync(fileIn(dir), 'utf8');
    p.event(message);
    expect(p.state().file.note).toBe(CLOCK);
    writeFileSync(fileIn(dir), before);
    expect(open(dir).state()).toEqual(p.state());
  });

  test('of an action that was cut is the one its stage makes of it', () => {
    const dir = folder();
    const seq = open(dir).begin(add(0));
    const p = open(dir);
    expect(p.recovered(seq, add(0)).ok).toBe(true);
    expect([p.state().file.note, open(dir).open, open(dir).state()]).toEqual(['cut', [], p.state()]);
  });
});

describe('a user who edits the file between two runs', () => {
  test('is respected: the machine is placed again, the epoch rises, no earlier intent is open', () => {
    const dir = folder();
    const p = open(dir);
    count(p, 5);
    p.begin(add(5));
    writeFileSync(fileIn(dir), JSON.stringify({ total: 40 }));
    const later = open(dir, quickIo(), 'life-2');
    expect(later.state()).toMatchObject({ file: { total: 40 }, at: { n: 40 } });
    expect([later.epoch, later.base, later.open]).toEqual([2, 'life-2', []]);
    expect(open(dir, quickIo(), 'life-3')).toMatchObject({ epoch: 2, base: 'life-2', open: [] });
  });

  test('changes nothing by changing nothing: the same text is no edit', () => {
    const dir = folder();
    count(open(dir), 5);
    writeFileSync(fileIn(dir), readFileSync(fileIn(dir)));
    expect(open(dir).epoch).toBe(1);
  });

  test('and removes it has the machine begin with a first file', () => {
    const dir = folder();
    count(open(dir), 5);
    rmSync(fileIn(dir));
    const later = open(dir);
    expect([later.state().file.total, later.epoch]).toEqual([0, 2]);
    expect(existsSync(fileIn(dir))).toBe(true);
  });

  test('never gets a number of before for a new intent: tokens are not given twice', () => {
    const dir = folder();
    const p = open(dir);
    count(p, 5);
    const last = p.begin(add(5));
    writeFileSync(fileIn(dir), JSON.stringify({ total: 40 }));
    const later = open(dir);
    later.compact(0);
    expect(open(dir).begin(add(40))).toBeGreaterThan(last);
  });

  test('and a crash while the machine places itself: what was open before is not open after', () => {
    const edited = (): string => {
      const dir = folder();
      const p = open(dir);
      count(p, 5);
      p.begin(add(5));
      writeFileSync(fileIn(dir), JSON.stringify({ total: 5, note: 'by hand' }));
      return dir;
    };
    const plain = dyingIo(0, 'before', undefined, quickIo());
    open(edited(), plain.io, 'life-2');
    expect(plain.calls.length).toBeGreaterThan(0);
    for (let at = 1; at <= plain.calls.length; at += 1)
      for (const mode of MODES) {
        const dir = edited();
        expect(() => open(dir, dyingIo(at, mode, undefined, quickIo()).io, 'life-2')).toThrow(Death);
        const later = open(dir, quickIo(), 'life-3');
        expect({ at, mode, open: later.open }).toEqual({ at, mode, open: [] });
        expect(later.epoch).toBeGreaterThanOrEqual(2);
        expect(onDisk(dir)).toEqual({ total: 5, note: 'by hand' });
      }
  });
});

describe('a journal', () => {
  test('that is lost costs the position and nothing else', () => {
    const dir = folder();
    count(open(dir), 5);
    rmSync(journalIn(dir));
    expect(open(dir).state()).toMatchObject({ file: { total: 5 }, at: { n: 5 } });
  });

  test('with a position that this version cannot read leaves the decision to the file', () => {
    const dir = folder();
    const p = open(dir);
    count(p, 5);
    p.begin(add(5));
    const next: typeof machine = {
      ...machine,
      position: z.object({
        at: z.object({ stage: z.literal('count'), n: z.number(), since: z.string() }),
        mem: z.object({ woken: z.number() }),
      }),
      place: (file) => ({ at: { stage: 'count', n: file.total, since: 'v2' } as At, mem: { woken: 0 } }),
    };
    const later = open(dir, quickIo(), 'life-2', next);
    expect([later.state().at, later.epoch, later.open]).toEqual([{ stage: 'count', n: 5, since: 'v2' }, 2, []]);
    expect(open(dir, quickIo(), 'life-3', next)).toMatchObject({ epoch: 2, base: 'life-2' });
  });

  test('becomes one line where nothing is open, and says the same as before', () => {
    const dir = folder();
    const p = open(dir);
    for (let n = 1; n <= 20; n += 1) count(p, n);
    p.compact(10);
    expect(lines(dir)).toHaveLength(1);
    const later = open(dir, quickIo(), 'life-2');
    expect([later.state(), later.epoch, later.base]).toEqual([p.state(), 1, 'life-1']);
    expect(later.begin(add(20))).toBe(21);
  });

  test('stays as it is while it is short', () => {
    const dir = folder();
    const p = open(dir);
    count(p, 1);
    const before = lines(dir);
    p.compact(100);
    expect(lines(dir)).toEqual(before);
    p.compact(1);
    expect(lines(dir)).toHaveLength(1);
  });

  test('is compacted while intents are open: they keep their numbers, and their outcomes count', () => {
    const dir = folder();
    const p = open(dir);
    count(p, 1);
    const [first, second] = [p.begin(add(1)), p.begin({ ...add(5), key: 'other' })];
    p.compact(1);
    expect(lines(dir)).toHaveLength(1);
    const later = open(dir);
    expect([later.epoch, later.open.map(({ seq, key }) => [seq, key])]).toEqual([
      p.epoch,
      [
        [first, 'add-1'],
        [second, 'other'],
      ],
    ]);
    expect(later.finish(first, add(1), { sum: 2 })).toMatchObject({ ok: true });
    // The write of the file is lost: the outcome is applied again, by the intent in the compacted line.
    writeFileSync(fileIn(dir), `${JSON.stringify({ total: 1, note: '' }, null, 2)}\n`);
    const last = open(dir);
    expect([last.state().file.total, last.epoch, last.open.map(({ seq }) => seq)]).toEqual([2, p.epoch, [second]]);
    expect(last.begin(add(2))).toBe(second + 1);
    last.compact(1);
    expect(intentsOf(linesIn(dir)).open.map(({ seq }) => seq)).toEqual([second, second + 1]);
  });

  test('says its format, and that an action waits at a gate', () => {
    const dir = folder();
    const p = open(dir);
    const before = p.state();
    p.begin(add(0));
    expect(p.event({ type: 'parked', key: 'add-0', gate: 'g-1' })).toMatchObject({ ok: true });
    expect(p.state()).toEqual(before);
    expect(linesIn(dir).map((l) => l.t)).toEqual(['place', 'intent', 'event']);
    expect(linesIn(dir)[0]).toMatchObject({ t: 'place', format: 2, machine: 'counter', version: 1 });
    expect(open(dir).open).toHaveLength(1);
  });

  test('that was compacted continues after any crash: the last outcome is never applied twice or lost', () => {
    const life = (dir: string, io: Io): void => {
      const p = open(dir, io);
      count(p, 1);
      p.compact(1);
      count(p, 3);
      p.compact(1);
    };
    const begun = (): string => {
      const dir = folder();
      open(dir);
      return dir;
    };
    const plain = dyingIo(0, 'before', undefined, quickIo());
    life(begun(), plain.io);
    for (let at = 1; at <= plain.calls.length; at += 1)
      for (const mode of MODES) {
        const dir = begun();
        expect(() => life(dir, dyingIo(at, mode, undefined, quickIo()).io)).toThrow(Death);
        const p = open(dir);
        const { total } = p.state().file;
        expect([0, 1, 3]).toContain(total);
        expect({ at, mode, disk: onDisk(dir).total, epoch: p.epoch }).toEqual({ at, mode, disk: total, epoch: 1 });
        expect(p.state().at).toEqual({ stage: 'count', n: total });
        for (const intent of p.open) p.drop(intent.seq, 'test');
        count(p, 9);
        expect(open(dir).state().file.total).toBe(9);
      }
  });

  test('lists which intents of earlier runs have ended, under the tokens they had', () => {
    const dir = folder();
    const p = open(dir);
    count(p, 1);
    p.begin(add(1));
    writeFileSync(fileIn(dir), JSON.stringify({ total: 8 }));
    const later = open(dir, quickIo(), 'life-2');
    count(later, 9);
    expect(open(dir, quickIo(), 'life-3').closed.map(({ seq, base, epoch }) => ({ seq, base, epoch }))).toEqual([
      { seq: 1, base: 'life-1', epoch: 1 },
      { seq: 2, base: 'life-1', epoch: 1 },
      { seq: 3, base: 'life-2', epoch: 2 },
    ]);
  });
});

test('a file damaged during a run in which it may not be edited is written again from the state of the machine', () => {
  const dir = folder();
  const p = open(dir);
  const seq = p.begin(add(0));
  writeFileSync(fileIn(dir), '{');
  expect(p.finish(seq, add(0), { sum: 1 })).toMatchObject({ ok: true });
  expect(lines(dir).filter((l) => l.t === 'outcome')).toHaveLength(1);
  expect(JSON.parse(readFileSync(fileIn(dir), 'utf8'))).toMatchObject({ total: 1 });
});

describe('a stored position counts only for the machine that stored it', () => {
  /** What a counter at 1 with an open intent leaves. */
  const left = (): { dir: string; seq: number } => {
    const dir = folder();
    const p = open(dir);
    count(p, 1);
    return { dir, seq: p.begin(add(1)) };
  };
  const others: readonly (readonly [string, Machine<File, At, Mem, M>])[] = [
    ['another machine', { ...machine, name: 'other' }],
    ['a newer version', { ...machine, version: 2 }],
    [
      'another shape of the position',
      {
        ...machine,
        position: z.object({
          at: z.union([
            z.object({ stage: z.literal('count'), n: z.number(), since: z.string() }),
            z.object({ stage: z.literal('old') }),
          ]),
          mem: z.object({ woken: z.number() }),
        }),
      },
    ],
  ];
  test.each(others)('by %s it is placed by the file, the epoch rises, and what was open is closed', (_, m) => {
    const { dir, seq } = left();
    const p = open(dir, quickIo(), 'run-2', m);
    expect(p.state()).toEqual({ file: { total: 1, note: '' }, ...machine.place({ total: 1, note: '' }) });
    expect([p.epoch, p.open]).toEqual([2, []]);
    expect(p.closed.filter((intent) => intent.seq === seq)).toMatchObject([{ base: 'life-1', epoch: 1 }]);
    // Tokens are not used twice: another machine has a new base, and the numbers always continue.
    expect([p.base, p.begin(add(1))]).toEqual(['run-2', seq + 1]);
  });

  test('a lost write of the file is not made up for by the position of another version', () => {
    const { dir, seq } = left();
    expect(open(dir).finish(seq, add(1), { sum: 2 })).toMatchObject({ ok: true });
    writeFileSync(fileIn(dir), `${JSON.stringify({ total: 1, note: '' }, null, 2)}\n`);
    const p = open(dir, quickIo(), 'run-2', { ...machine, version: 2 });
    expect([p.state().file.total, p.epoch]).toEqual([1, 2]);
  });

  test('the journal of a newer version, or of a newer format, is refused, and nothing is written', () => {
    const { dir } = left();
    const before = [readFileSync(journalIn(dir), 'utf8'), readFileSync(fileIn(dir), 'utf8')];
    const refused = (m: Machine<File, At, Mem, M>): unknown => tryOpen(dir, quickIo(), 'run-2', m);
    expect(refused({ ...machine, version: 0 })).toMatchObject({
      ok: false,
      failure: { reason: 'state-newer', params: { found: 1, supported: 0, file: journalIn(dir) } },
    });
    expect([readFileSync(journalIn(dir), 'utf8'), readFileSync(fileIn(dir), 'utf8')]).toEqual(before);
    const future = linesIn(dir).map((l) => (l.t === 'place' ? { ...l, format: 3 } : l));
    writeFileSync(journalIn(dir), future.map(encode).join(''));
    expect(refused(machine)).toMatchObject({ ok: false, failure: { reason: 'state-newer', params: { found: 3 } } });
  });

  test('a journal of the first format is read: its place lines had neither a format nor open intents', () => {
    const { dir, seq } = left();
    const old = linesIn(dir).map((l) => {
      if (l.t !== 'place') return l;
      const { format: _format, open: _open, ...line } = l;
      return line;
    });
    writeFileSync(journalIn(dir), old.map(encode).join(''));
    const p = open(dir, quickIo(), 'run-2');
    expect([p.state().file.total, p.epoch, p.open.map((intent) => intent.seq)]).toEqual([1, 1, [seq]]);
  });
});
