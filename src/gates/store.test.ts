import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { countReads } from '../../test/support/count-reads.ts';
import { quickIo } from '../../test/support/quick-io.ts';
import { realIo, type Io } from '../host/io.ts';
import { itemTitle, type GateAsk } from '../model/gate.ts';
import type { Result } from '../model/result.ts';
import { resolveGate } from './resolve.ts';
import { openGates } from './store.ts';

const stuck: GateAsk = {
  gate: 'escalation',
  subject: 'feature-stuck',
  item: '15',
  params: { sessions: 3 },
  options: [{ id: 'split' }, { id: 'skip' }, { id: 'abort', danger: true }],
  recommended: 'split',
  evidence: ['.harness/sessions/7'],
};
const clock = { now: () => 0, iso: () => '2026-01-02T03:04:05.678Z' };
const skip = { option: 'skip', note: 'later', by: 'ada' };
const at = clock.iso();

let dir = '';
beforeEach(() => {
  dir = join(mkdtempSync(join(tmpdir(), 'gates-')), 'gates');
});
afterEach(() => rmSync(join(dir, '..'), { recursive: true, force: true }));

const open = (io: Io = realIo()) => openGates({ dir, io, clock });
const value = <T>(result: Result<T>): T => {
  if (!result.ok) throw new Error(JSON.stringify(result.failure));
  return result.value;
};
const reasonOf = (result: Result<unknown>) => (result.ok ? 'fine' : result.failure.reason);
const idsOf = (records: Result<readonly { gate: { id: string } }[]>) => value(records).map((r) => r.gate.id);

describe('a question', () => {
  test('is kept with everything that was asked, readable by people', async () => {
    const gate = value(await open().ask(stuck, { key: 'k', epoch: 1 }));
    expect(gate).toEqual({ ...stuck, schema: 1, id: 'g-1', key: 'k', epoch: 1, since: at, policy: 'wait' });
    expect(readFileSync(join(dir, 'g-1.json'), 'utf8')).toBe(
      `${JSON.stringify(JSON.parse(readFileSync(join(dir, 'g-1.json'), 'utf8')), null, 2)}\n`,
    );
  });
  test('is kept with its subject, one by one: the user must know why', async () => {
    const problems = [{ code: 'installed-changed', params: { count: 1 }, ids: ['node_modules/a/index.js'] }] as const;
    const gate = value(await open().ask({ ...stuck, problems }, { key: 'k', epoch: 1 }));
    expect(value(open().find(gate.id))).toMatchObject({ gate: { problems } });
  });

  test('has the title of its item, from who asks or from what was asked; one about no item has none', async () => {
    const gate = value(await open().ask(stuck, { key: 'k', epoch: 1, title: 'A cart can be filled' }));
    expect([gate.title, itemTitle(gate)]).toEqual(['A cart can be filled', 'A cart can be filled']);
    expect(itemTitle({ item: '15', params: { title: 'A cart' } })).toBe('A cart');
    expect([itemTitle(stuck), itemTitle({ item: null, params: { title: 'A finding' } })]).toEqual([null, null]);
  });

  test('of a machine that lost its place has the answer that was not used, under another key and with less said of it', async () => {
    const spec: GateAsk = {
      ...stuck,
      gate: 'question',
      subject: 'workflow-spec',
      params: { file: 'spec.md', summary: 'long' },
    };
    const place = (key: string, session = 3) => ({ key, epoch: 1, session });
    const first = value(await open().ask(spec, place('spec-5@run')));
    value(await open().answer(first.id, skip));
    const less = { ...spec, params: { file: 'spec.md', summary: '' } };
    for (const [other, at] of [
      [{ ...less, params: { file: 'other.md' } }, place('a@run')],
      [{ ...less, recommended: 'skip' }, place('b@run')],
      [less, place('c@run', 4)],
      [less, place('d@another')],
    ] as const) {
      const asked = value(await open().ask(other, at));
      expect(asked.id).not.toBe(first.id);
      rmSync(join(dir, `${asked.id}.json`));
    }
    expect(value(await open().ask(less, place('spec-0@run'))).id).toBe(first.id);
    expect(value(open().answerOf('spec-0@run', 1))).toMatchObject({ option: 'skip' });
    value(open().use(first.id));
    expect(value(await open().ask(less, place('spec-9@run'))).id).not.toBe(first.id);
  });

  test('of the same key and epoch is the same gate, also for a later process', async () => {
    const first = value(await open().ask(stuck, { key: 'k', epoch: 1 }));
    const again = value(await open().ask({ ...stuck, params: { sessions: 4 } }, { key: 'k', epoch: 1 }));
    expect(again).toEqual(first);
    expect(value(await open().ask(stuck, { key: 'other', epoch: 1 })).id).toBe('g-2');
  });
  test('of an action keeps no more of it than the question', async () => {
    const action = { kind: 'ask', ...stuck, key: 'of the action', epoch: 7, id: 'g-9' };
    expect(value(await open().ask(action, { key: 'k', epoch: 1 }))).toMatchObject({ id: 'g-1', key: 'k', epoch: 1 });
  });
  test('without a recommended option that exists is a bug', async () => {
    await expect(open().ask({ ...stuck, recommended: 'x' }, { key: 'k', epoch: 1 })).rejects.toThrow(/recommends/);
    await expect(open().ask({ ...stuck, options: [] }, { key: 'k', epoch: 1 })).rejects.toThrow(/two options/);
  });
  test('never gets a number that was used, whatever became of the files', async () => {
    await open().ask(stuck, { key: 'a', epoch: 1 });
    await open().ask(stuck, { key: 'b', epoch: 1 });
    rmSync(join(dir, 'g-2.json'));
    expect(value(await open().ask(stuck, { key: 'c', epoch: 1 })).id).toBe('g-3');
    rmSync(join(dir, 'last.json'));
    expect(value(await open().ask(stuck, { key: 'd', epoch: 1 })).id).toBe('g-4');
  });
});

describe('an answer', () => {
  test('is found by the key and epoch that asked', async () => {
    const gates = open();
    await gates.ask(stuck, { key: 'k', epoch: 1 });
    expect(value(gates.answerOf('k', 1))).toBe(null);
    expect(value(await gates.answer('g-1', skip))).toEqual({ ...skip, at });
    expect(value(open().answerOf('k', 1))).toEqual({ ...skip, at });
    expect(value(gates.find('g-1'))?.closed).toEqual({ how: 'answered', ...skip, at });
  });
  test('that comes second fails and names the first', async () => {
    const gates = open();
    await gates.ask(stuck, { key: 'k', epoch: 1 });
    await gates.answer('g-1', skip);
    expect(await gates.answer('g-1', { option: 'split', note: '', by: 'bob' })).toMatchObject({
      ok: false,
      failure: { reason: 'gate-already-answered', params: { gate: 'g-1', option: 'skip', by: 'ada', at } },
    });
    expect(value(gates.answerOf('k', 1))?.option).toBe('skip');
  });
  test('with an option that was not offered fails and names the options', async () => {
    const gates = open();
    await gates.ask(stuck, { key: 'k', epoch: 1 });
    expect(await gates.answer('g-1', { ...skip, option: 'merge' })).toMatchObject({
      failure: { reason: 'gate-option-unknown', params: { option: 'merge', allowed: 'split, skip, abort' } },
    });
    expect(value(gates.answerOf('k', 1))).toBe(null);
  });
  test('to a gate that was never asked is refused, and no name is a path', async () => {
    writeFileSync(join(dir, '..', 'g-1.json'), '{}');
    for (const id of ['g-1', '../g-1', 'g-0', 'last', '__proto__'])
      expect(reasonOf(await open().answer(id, skip))).toBe('gate-unknown');
  });
  test('of an earlier epoch never answers a newer gate', async () => {
    const gates = open();
    await gates.ask(stuck, { key: 'k', epoch: 1 });
    await gates.answer('g-1', skip);
    const newer = value(await gates.ask(stuck, { key: 'k', epoch: 2 }));
    expect([newer.id, value(gates.answerOf('k', 2))]).toEqual(['g-2', null]);
    expect(value(gates.answerOf('k', 1))?.option).toBe('skip');
  });
  test('that comes late is refused and shown where the question is asked now', async () => {
    const gates = open();
    await gates.ask(stuck, { key: 'k', epoch: 1 });
    await gates.ask(stuck, { key: 'k', epoch: 3 });
    expect(await gates.answer('g-1', skip)).toMatchObject({
      failure: { reason: 'gate-withdrawn', params: { gate: 'g-1', next: 'g-2', at } },
    });
    expect(idsOf(gates.list({ open: true }))).toEqual(['g-2']);
  });
});

describe('a gate that is not needed any more', () => {
  test('takes no answer, and asking again is a new gate', async () => {
    const gates = open();
    await gates.ask(stuck, { key: 'k', epoch: 1 });
    expect(value(await gates.withdraw('g-1', 'item-skipped'))).toBe(null);
    expect(value(await gates.withdraw('g-1', 'item-skipped'))).toBe(null);
    expect(reasonOf(await gates.answer('g-1', skip))).toBe('gate-withdrawn');
    expect(value(await gates.ask(stuck, { key: 'k', epoch: 1 })).id).toBe('g-2');
    expect(value(await gates.ask(stuck, { key: 'k', epoch: 1 })).id).toBe('g-2');
    expect(value(await gates.answer('g-2', skip)).option).toBe('skip');
    expect(value(gates.answerOf('k', 1))?.option).toBe('skip');
  });
  test('that is answered already cannot be withdrawn', async () => {
    const gates = open();
    await gates.ask(stuck, { key: 'k', epoch: 1 });
    await gates.answer('g-1', skip);
    expect(reasonOf(await gates.withdraw('g-1', 'item-skipped'))).toBe('gate-already-answered');
    expect(reasonOf(await gates.withdraw('g-7', 'item-skipped'))).toBe('gate-unknown');
  });
});

test('the list is in the order of asking, open ones or all', async () => {
  const gates = open();
  for (let n = 1; n <= 11; n += 1) await gates.ask({ ...stuck, item: `${n}` }, { key: `k${n}`, epoch: 1 });
  await gates.answer('g-2', skip);
  expect(idsOf(gates.list({ open: false }))).toEqual(Array.from({ length: 11 }, (_, i) => `g-${i + 1}`));
  expect(idsOf(gates.list({ open: true })).slice(0, 3)).toEqual(['g-1', 'g-3', 'g-4']);
});

test('asking costs as many writes after forty answered gates as at first, and leaves none of them half way', async () => {
  const calls: string[] = [];
  const io = realIo();
  const counting: Io = {
    ...io,
    replace: (path, text) => {
      calls.push(path);
      io.replace(path, text);
    },
  };
  const costOf = async (key: string) => {
    calls.length = 0;
    await open(counting).ask(stuck, { key, epoch: 1 });
    return calls.length;
  };
  const first = await costOf('first');
  for (let n = 0; n < 40; n += 1) {
    const gate = value(await open().ask(stuck, { key: `k${n}`, epoch: 1 }));
    await open().answer(gate.id, skip);
  }
  expect(await costOf('last')).toBe(first);
  expect(readdirSync(join(dir, 'claims'))).toEqual([]);
});

describe('files that a person or another version wrote', () => {
  test('and that cannot be read stop with the name of the file', async () => {
    const gates = open();
    await gates.ask(stuck, { key: 'k', epoch: 1 });
    writeFileSync(join(dir, 'g-1.json'), '{ "schema": 1,');
    expect(gates.list({ open: true })).toMatchObject({
      failure: { reason: 'state-unreadable', params: { file: join(dir, 'g-1.json') } },
    });
    expect(reasonOf(await gates.ask(stuck, { key: 'k', epoch: 1 }))).toBe('state-unreadable');
  });
  test('and that are newer are not guessed at', async () => {
    const gates = open();
    await gates.ask(stuck, { key: 'k', epoch: 1 });
    writeFileSync(join(dir, 'g-1.closed.json'), '{ "schema": 2 }');
    expect(reasonOf(gates.answerOf('k', 1))).toBe('state-newer');
  });
});

test('a machine asks one question about its item at a time: an open one of a position that is lost is withdrawn', async () => {
  const gates = open();
  value(await gates.ask(stuck, { key: 'lost', epoch: 1 }));
  value(await gates.ask({ ...stuck, item: '16' }, { key: 'other item', epoch: 1 }));
  value(await gates.ask({ ...stuck, item: null }, { key: 'of the run', epoch: 1 }));
  value(await gates.ask(stuck, { key: 'k', epoch: 1 }));
  expect(idsOf(gates.list({ open: true }))).toEqual(['g-2', 'g-3', 'g-4']);
  expect(value(gates.find('g-1'))?.closed).toMatchObject({ how: 'withdrawn', why: 'asked-again', next: 'g-4' });
});

describe('what a person types for a gate', () => {
  const typed = (text: string) => {
    const id = resolveGate(text, open());
    return id.ok ? id.value : id.failure.reason;
  };
  beforeEach(async () => {
    const gates = open();
    for (let n = 1; n <= 21; n += 1) {
      const gate = value(await gates.ask({ ...stuck, item: `${n}` }, { key: `k${n}`, epoch: 1 }));
      if (n !== 12) await gates.answer(gate.id, skip);
    }
  });
  test('is the id, its number, or the start of an open one', () => {
    expect(['g-3', 'G-3', '3', '#3', ' 03 ', 'g', 'feat'].map(typed)).toEqual([
      'g-3',
      'g-3',
      'g-3',
      'g-3',
      'g-3',
      'g-12',
      'g-12',
    ]);
  });
  test('is never completed where it is a number', () => {
    expect(['22', 'g-22', '', 'x'].map(typed)).toEqual(Array.from({ length: 4 }, () => 'gate-unknown'));
  });
  test('is refused where it could be more than one', async () => {
    await open().ask({ ...stuck, subject: 'regression' }, { key: 'r', epoch: 1 });
    expect(['g-', 'reg', 'f'].map(typed)).toEqual(['gate-ambiguous', 'g-22', 'g-12']);
  });
});

describe('an answer to a question that is asked again, because the position that asked it is lost', () => {
  const asked = async (ask: GateAsk, epoch: number, session = 7) =>
    value(await open().ask(ask, { key: 'k', epoch, session })).id;

  test('counts, if the same is asked and it was not used', async () => {
    await asked(stuck, 1);
    await open().answer('g-1', skip);
    expect(await asked(stuck, 2)).toBe('g-1');
    expect(value(open().answerOf('k', 2))).toMatchObject(skip);
    expect(value(await open().ask(stuck, { key: 'other', epoch: 3, session: 7 })).id).toBe('g-2');
    // It may be about other work.
    expect(await asked(stuck, 3, 8)).toBe('g-3');
  });

  test('does not count where it was used, or another question is asked', async () => {
    await asked(stuck, 1);
    await open().answer('g-1', skip);
    expect(await asked({ ...stuck, params: { sessions: 4 } }, 2)).toBe('g-2');
    await open().answer('g-2', skip);
    for (let again = 0; again < 2; again += 1) value(open().use('g-2'));
    expect(await asked({ ...stuck, params: { sessions: 4 } }, 3)).toBe('g-3');
  });
});

test('a question that has ended is read once in a run: what a landing asks about its item does not grow with the questions of others', async () => {
  const asked = async (count: number): Promise<number> => {
    const gates = openGates({ dir: join(dir, String(count)), io: quickIo(), clock });
    for (let n = 1; n <= count; n += 1) {
      const gate = value(await gates.ask({ ...stuck, item: `${n}` }, { key: `k${n}`, epoch: 1 }));
      value(await gates.answer(gate.id, skip));
    }
    value(gates.list({ open: false }));
    const names = readdirSync(join(dir, String(count))).length;
    return (await countReads(() => expect(value(gates.list({ open: false }))).toHaveLength(count))) - names;
  };
  const few = await asked(3);
  expect(await asked(30)).toBe(few);
});
