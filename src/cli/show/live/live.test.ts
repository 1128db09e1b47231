// The live lines: what they say, and how they are drawn on a terminal that is narrow, changes its size, or shows what an agent wrote.
/* oxlint-disable no-control-regex -- terminals are driven by control characters */
import { expect, test } from 'vitest';
import { openFullCatalogue } from '../../../app/open/language.ts';
import { afterEvent, NO_LANES, type LiveRun } from './lanes.ts';
import { liveLines } from './lines.ts';
import { openRegion, type TerminalStream } from './region.ts';
import { fitted, widthOf } from './width.ts';

type Event = Parameters<typeof afterEvent>[1];
const START = Date.parse('2026-03-01T08:00:00Z');
const catalogue = await openFullCatalogue('en');
const folded = (events: readonly Event[], before: LiveRun = NO_LANES): LiveRun =>
  events.reduce((run, event) => afterEvent(run, event, START), before);
const shown = (run: LiveRun, columns = 100, now = START + 252_000, rows = 24): readonly string[] =>
  liveLines(run.lanes, { columns, rows, now }, { catalogue });

const AT_WORK: readonly Event[] = [
  { type: 'item-started', session: 7, item: '12' },
  { type: 'session-started', session: 7, item: '12', data: { role: 'coding', provider: 'claude' } },
];
const TOOL: Event = { type: 'tool', session: 7, data: { tool: 'Bash', about: 'npm test' } };

test('a lane shows item, role, tool at work, tokens, time and cost', () => {
  const first = folded([...AT_WORK, TOOL, { type: 'context', session: 7, data: { used: 12_340, usd: 0.1 } }]);
  expect(shown(first)).toEqual(['#12 coding · Bash npm test · 12.3k tokens · 4.2 min · $0.10']);
  const second = folded(
    [
      { type: 'tool-ended', session: 7, data: { ok: true } },
      { type: 'usage', session: 7, data: { input: 900_000, output: 100_000, usd: 0.5 } },
      { type: 'context', session: 7, data: { used: 250_000, usd: 0.25 } },
    ],
    first,
  );
  expect(shown(second)).toEqual(['#12 coding · 1.3M tokens · 4.2 min · $0.75']);
});

test('checks, proofs, waits and questions are shown; they belong to their item, or to the only lane', () => {
  const stages = (...events: readonly Event[]): string => shown(folded([...AT_WORK, ...events]))[0] ?? '';
  expect(shown(folded(AT_WORK.slice(0, 1)))).toEqual(['#12 preparing · 4.2 min']);
  expect(stages({ type: 'checking', data: { checks: ['feature', 'full'] } })).toBe(
    '#12 checks · feature, full · 4.2 min',
  );
  expect(stages({ type: 'proving', session: 7 })).toBe('#12 proving the tests · 4.2 min');
  expect(stages({ type: 'proving', session: 7 }, { type: 'proved', session: 7 })).toBe('#12 coding · 4.2 min');
  expect(stages({ type: 'gate-opened', item: '12', data: { gate: 'g-3' } })).toBe('#12 asks · g-3 · 4.2 min');
  expect(stages({ type: 'item-ended', session: 7, item: '12' })).toBe('');
  expect(stages({ type: 'tool', session: 99, data: { tool: 'of another' } })).toBe('#12 coding · 4.2 min');
});

test('an item that waits to land says behind which, until that one has landed', () => {
  const both = folded([
    ...AT_WORK,
    { type: 'item-started', session: 8, item: '13' },
    { type: 'landing-waits', session: 8, item: '13', data: { place: 1, behind: '12' } },
  ]);
  expect(shown(both)[1]).toBe('#13 waits to land · behind #12 · 4.2 min');
  const landed = folded([{ type: 'landed', session: 7, item: '12' }], both);
  expect(shown(landed)).toEqual(['#12 closing · 4.2 min', '#13 waits to land · 4.2 min']);
});

test('each lane has its line; those that do not fit the screen are counted', () => {
  const run = folded([1, 2, 3, 4].map((n) => ({ type: 'item-started', session: n, item: `${n}` })));
  expect(shown(run)).toHaveLength(4);
  expect(shown(run, 100, START, 4)).toEqual(['#1 preparing · 1 sec', '#2 preparing · 1 sec', '… and 2 more lanes']);
});

test('no line is wider than the terminal, however narrow it is', () => {
  const about = '/very/long/path/of/a/file/in/a/deep/folder/with/資料/表.ts';
  const run = folded([...AT_WORK, { ...TOOL, data: { tool: 'Read', about } }]);
  expect(shown(run, 48)).toEqual(['#12 coding · Read /very/long/path/of/… · 4.2 min']);
  for (let columns = 0; columns < 120; columns += 1)
    for (const line of shown(run, columns)) expect(widthOf(line)).toBeLessThanOrEqual(columns);
  expect([widthOf('資料'), fitted('資料表', 5), widthOf('e\u0301'), widthOf('\u001b[31mred\u001b[0m')]).toEqual([
    4,
    '資料…',
    1,
    3,
  ]);
});

test('what an agent wrote cannot move the cursor', () => {
  const about = '\u001b[2J\u001b]0;title\u0007\r\n\u202eevil';
  const [line = ''] = shown(folded([...AT_WORK, { ...TOOL, data: { tool: '\u009b1mBash', about } }]));
  expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
  expect(line).toContain('evil');
});

/** Shows what is written as a terminal of this size does: wraps, moves up, erases. */
function terminal(columns: number, rows = 24) {
  let [screen, row, column]: [string[], number, number] = [[''], 0, 0];
  let resized: () => void = () => undefined;
  const put = (text: string): void => {
    for (const part of text.match(/\u001b\[(\d*)([AJ])|[\s\S]/gu) ?? []) {
      const [, count = '', code] = /^\u001b\[(\d*)([AJ])$/.exec(part) ?? [];
      if (code === 'A') row = Math.max(0, row - Number(count));
      else if (code === 'J') screen = [...screen.slice(0, row), (screen[row] ?? '').slice(0, column)];
      else if (part === '\r') column = 0;
      else if (part === '\n') [row, column] = [row + 1, 0];
      else {
        if (column === stream.columns) [row, column] = [row + 1, 0];
        screen[row] = (screen[row] ?? '').slice(0, column) + part;
        column += 1;
      }
      while (screen.length <= row) screen.push('');
    }
  };
  const stream = {
    columns,
    rows,
    write: (text: string) => (put(text), true),
    on: (_: string, listener: () => void) => void (resized = listener),
    off: () => void (resized = () => undefined),
  };
  return {
    stream: stream as unknown as TerminalStream, // no more of it is used
    lines: () => screen.map((line) => line.trimEnd()),
    /** As terminals do: what is too long for the new width is wrapped. */
    narrow(to: number) {
      screen = screen.flatMap((line) => line.match(new RegExp(`.{1,${to}}`, 'g')) ?? ['']);
      stream.columns = to;
      [row, column] = [screen.length - 1, (screen.at(-1) ?? '').length];
      resized();
    },
  };
}

test('lines are redrawn in place, and what is said meanwhile is above them', () => {
  const t = terminal(40);
  const region = openRegion(
    t.stream,
    () => undefined,
    () => undefined,
  );
  region.draw(['one', 'two']);
  region.above('said');
  region.draw(['one', 'two', 'three']);
  expect(t.lines()).toEqual(['said', 'one', 'two', 'three']);
  region.draw(['four']);
  expect(t.lines()).toEqual(['said', 'four']);
  region.clear();
  expect(t.lines()).toEqual(['said', '']);
  region.draw(['five']);
  region.close();
  expect(t.lines()).toEqual(['said', '']);
});

test('a terminal that becomes narrower while lines are on it is left without remains', () => {
  const t = terminal(40);
  const region = openRegion(
    t.stream,
    () => region.draw(['x'.repeat(10), 'y'.repeat(10)]),
    () => undefined,
  );
  region.above('said');
  region.draw(['x'.repeat(30), 'y'.repeat(30)]);
  t.narrow(12);
  expect(t.lines()).toEqual(['said', 'x'.repeat(10), 'y'.repeat(10)]);
});

test('more lines than the screen has are cut at its end, so that all of them can be redrawn', () => {
  const t = terminal(40, 3);
  const region = openRegion(
    t.stream,
    () => undefined,
    () => undefined,
  );
  region.draw(['1', '2'.repeat(50), '3', '4']);
  region.draw(['5', '6', '7', '8']);
  region.close('keep');
  expect(t.lines()).toEqual(['5', '6', '7', '']);
});
