// The cassette as text: an unchanged one is read, and every change of it is found.
import { Buffer } from 'node:buffer';
import { describe, expect, test } from 'vitest';
import { NO_USAGE } from '../../model/usage.ts';
import { parseCassette, sealed, type CassetteLine, type RecordedTurn } from './cassette.ts';

const header: CassetteLine = {
  t: 'cassette',
  schema: 1,
  harness: '1',
  playbook: 'features',
  command: 'harness run',
  tree: 'aa',
};
const turn = (session: number, number: number, text: string): RecordedTurn => ({
  t: 'turn',
  session,
  turn: number,
  role: 'coding',
  item: '1',
  provider: 'claude',
  prompt: { sha256: '00', text },
  events: [{ t: 'text', text: 'a ","seal":"0" in it' }],
  outcome: {
    end: 'end-turn',
    failure: null,
    text: '',
    resume: null,
    usage: NO_USAGE,
    toolCalls: 0,
    ms: 1,
    wrapUp: null,
  },
  tree: { before: 'aa', after: 'bb' },
  changes: [{ path: 'a', was: null, now: { mode: 'file', text: 'ä\n' } }],
  unplayable: null,
});
const end: CassetteLine = { t: 'end', result: 'landed', reason: 'verified', items: [], tree: 'bb', resumed: false };
/** The first line of a cassette of a later version, which has another type there. */
const later: CassetteLine = JSON.parse(JSON.stringify({ ...header, schema: 2 }));
const written = (...lines: readonly CassetteLine[]): string => {
  let seal = '';
  return lines
    .map((line) => {
      const next = sealed(seal, line);
      seal = next.seal;
      return next.text;
    })
    .join('');
};
const whole = written(header, turn(1, 1, 'first'), turn(1, 2, 'second'), end);
const problem = (text: string): readonly unknown[] => {
  const read = parseCassette('c.jsonl', text);
  return read.ok ? [] : [read.failure.reason, read.failure.params['what'], read.failure.at?.line ?? null];
};

test('what was written is read again, and every line is JSON for other programs', () => {
  const read = parseCassette('c.jsonl', whole);
  expect(read).toMatchObject({ ok: true, value: { header, turns: [turn(1, 1, 'first'), turn(1, 2, 'second')], end } });
  for (const line of whole.trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('seal');
});

test('of a turn that was repeated after a crash the last recording counts', () => {
  const read = parseCassette('c.jsonl', written(header, turn(1, 1, 'cut'), turn(1, 1, 'whole')));
  expect(read.ok && read.value.turns.map((one) => one.prompt.text)).toEqual(['whole']);
});

describe('a cassette is refused', () => {
  const lines = whole.split('\n');
  test.each([
    ['a line that was changed', whole.replace('second', 'secund'), 'cassette-damaged', 3],
    ['a line that was left out', lines.toSpliced(1, 1).join('\n'), 'cassette-damaged', 2],
    ['a line that occurs twice', lines.toSpliced(1, 0, lines[1] ?? '').join('\n'), 'cassette-damaged', 3],
    ['half a line at the end', whole.slice(0, -5), 'cassette-cut', 4],
    ['something else', '{"hello":1}\n', 'cassette-damaged', 1],
    ['nothing', '', 'cassette-empty', null],
    ['no beginning', written(end), 'cassette-odd', 1],
    ['two beginnings', written(header, header), 'cassette-odd', 2],
    ['a later version', written(later), 'cassette-newer', 1],
  ])('for %s', (_, text, what, line) => {
    expect(problem(text)).toEqual(['cassette-invalid', what, line]);
  });

  test('except for an incomplete last line of a crash while it was recorded, which is cut off', () => {
    const read = parseCassette('c.jsonl', `${written(header, turn(1, 1, 'ä'))}{"t":"tu`, 'cut');
    expect(read).toMatchObject({ ok: true, value: { bytes: Buffer.byteLength(written(header, turn(1, 1, 'ä'))) } });
  });
});
