// Which lines of a log a query selects.
import { assert, constantFrom, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseQuery, type LoggedLine } from './log-query.ts';

const NOW = Date.parse('2026-03-01T12:00:00.000Z');
const LINES: { readonly [name: string]: LoggedLine } = {
  landed: {
    ts: '2026-03-01T11:30:00.000Z',
    type: 'landed',
    level: 'important',
    session: 3,
    item: '12',
    data: { commit: 'abc' },
  },
  back: {
    ts: '2026-03-01T08:00:00.000Z',
    type: 'rolled-back',
    level: 'important',
    session: 2,
    item: '7',
    data: { why: 'regression' },
  },
  checked: {
    ts: '2026-02-27T12:00:00.000Z',
    type: 'checked',
    level: 'routine',
    session: 1,
    data: { ms: 1500, names: ['feature', 'full'] },
  },
  sandbox: { ts: '2026-03-01T07:00:00.000Z', type: 'sandbox', level: 'critical', data: { level: 'none' } },
};
const found = (query: string): readonly string[] => {
  const parsed = parseQuery(query);
  if (!parsed.ok) throw new Error(`${parsed.at}: ${parsed.what}`);
  return Object.entries(LINES).flatMap(([name, line]) => (parsed.test(line, NOW) ? [name] : []));
};
const ALL = Object.keys(LINES);

describe('a query', () => {
  test.each([
    ['', ALL],
    ['type=landed', ['landed']],
    ['TYPE = Landed', ['landed']],
    ['type=*back', ['back']],
    ['type!=landed', ['back', 'checked', 'sandbox']],
    ['why~gress', ['back']],
    ['data.why=regression', ['back']],
    ['names=full', ['checked']],
    ['regression', ['back']],
    ['"rolled-back" item=7', ['back']],
    ['level>=important', ['landed', 'back', 'sandbox']],
    ['level<important', ['checked']],
    ['session>1 session<=3', ['landed', 'back']],
    ['ms>1000', ['checked']],
    ['age<2h', ['landed']],
    ['age>=1d', ['checked']],
    ['ts>=2026-03-01T08', ['landed', 'back']],
    ['type=landed or type=checked', ['landed', 'checked']],
    ['type=landed and item=7 or type=checked', ['checked']],
    ['level>=important and (item=7 or item=12)', ['landed', 'back']],
    ['not level>=important', ['checked']],
    ['not (type=landed or type=checked)', ['back', 'sandbox']],
    ['item!=7', ['landed', 'checked', 'sandbox']],
    ['nothing-has-this', []],
  ])('%s', (query, names) => expect(found(query)).toEqual(names));

  test.each([
    ['type=', 5, 'value is missing'],
    ['(type=landed', 12, 'without its'],
    ['type=landed)', 11, 'without its'],
    ['"never ends', 0, 'never ends'],
    ['level>loud', 6, 'neither a number'],
    ['age<soon', 4, 'neither a number'],
    ['or', 0, 'missing'],
    ['type=landed or', 14, 'missing'],
    ['= 3', 0, 'missing'],
  ])('%s is refused with its position', (query, at, what) =>
    expect(parseQuery(query)).toEqual({ ok: false, at, what: expect.stringContaining(what) }),
  );

  test('never throws, whatever is typed, and a word finds the lines that contain it', () => {
    assert(property(string(), (text) => void parseQuery(text)));
    assert(
      property(constantFrom(...ALL), (name) => {
        expect(found(JSON.stringify(LINES[name]?.['type']))).toContain(name);
      }),
    );
  });
});
