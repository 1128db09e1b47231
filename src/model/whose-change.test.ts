import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AgentEvent } from './event.ts';
import { whoseChanges, writingCalls, type WritingCall } from './whose-change.ts';

const ROOT = '/home/ada/shop';
const MINUTE = 60_000;
const at = (minute: number): string => new Date(minute * MINUTE).toISOString();
type Timed = AgentEvent & { readonly ts: string };

/** A call from one minute to another; `to` null: it was never seen to end. */
const call = (name: string, input: object, from: number, to: number | null): readonly Timed[] => {
  const id = `${name}-${from}`;
  const start: Timed = { t: 'tool-start', id, name, input: input as never, ts: at(from) };
  return to === null ? [start] : [start, { t: 'tool-end', id, ok: true, output: '', ts: at(to) }];
};
const judge = (events: readonly Timed[], path: string, minute: number | null) =>
  whoseChanges([{ path, atMs: minute === null ? null : minute * MINUTE }], writingCalls(events), ROOT);

const USERS = { users: ['src/door'], unclear: [] };
const AGENTS = { users: [], unclear: [] };
const UNCLEAR = { users: [], unclear: ['src/door'] };

const edit = (path: string, from: number) => call('Edit', { file_path: path }, from, from);
const moved = (minute: number): readonly Timed[] => [
  { t: 'file-change', path: `${ROOT}/src/door`, change: 'add', ts: at(minute) },
];
const bash = (command: string, from: number, to: number | null, more: object = {}) =>
  call('Bash', { command, ...more }, from, to);

describe('a changed file is', () => {
  test.each([
    ['the user’s: no call names it, and no command runs', [...edit(`${ROOT}/src/bench`, 1)], 5, USERS],
    [
      'the user’s: only a call that reads names it',
      [...edit('src/bench', 1), ...call('Read', { file_path: 'src/door' }, 4, 6)],
      5,
      USERS,
    ],
    ['the user’s: commands ran before and after', [...bash('npm test', 1, 2), ...bash('npm test', 8, 9)], 5, USERS],
    ['the user’s: deleted, where no command ever ran', [...edit('src/bench', 1)], null, USERS],
    ['the agent’s: a call names it, with its whole path', [...edit(`${ROOT}/src/door`, 5)], 5, AGENTS],
    ['the agent’s: a call names it', [...edit('./src/door', 5)], 5, AGENTS],
    ['the agent’s: a call names its folder', [...call('delete', { path: 'src/' }, 5, 5)], null, AGENTS],
    [
      'the agent’s: named, and changed again by a command',
      [...edit('src/door', 1), ...bash('npm run format', 4, 6)],
      5,
      AGENTS,
    ],
    ['the agent’s: it reports no calls at all', [], 5, AGENTS],
    ['the agent’s: a patch that moved it', moved(5), 5, AGENTS],
    ['of either: a command runs meanwhile', [...bash('make', 4, 6)], 5, UNCLEAR],
    ['of either: a command was never seen to end', [...bash('make', 4, null)], 50, UNCLEAR],
    ['of either: a command left a process', [...bash('npm run dev &', 1, 1)], 50, UNCLEAR],
    ['of either: a command runs in the background', [...bash('make', 1, 1, { run_in_background: true })], 50, UNCLEAR],
    ['of either: deleted, and some command ran', [...bash('make', 1, 2)], null, UNCLEAR],
    ['of either: a tool that is not known runs meanwhile', [...call('mcp__db__dump', {}, 4, 6)], 5, UNCLEAR],
    ['of both: the agent wrote it, and later it was changed again', [...edit('src/door', 1)], 50, UNCLEAR],
  ])('%s', (_, events, minute, whose) => {
    expect(judge(events, 'src/door', minute)).toEqual(whose);
  });

  test('a joined command, a redirection or an output of both streams leaves no process', () => {
    for (const line of ['a && b', 'make > log 2>&1', 'make &> log', 'echo a; b'])
      expect(judge(bash(line, 1, 2), 'src/door', 50)).toEqual(USERS);
  });
});

const minute = fc.integer({ min: 0, max: 1_000 });
const calls = fc.array(
  fc.record({
    fromMs: minute.map((n) => n * MINUTE),
    toMs: minute.map((n) => n * MINUTE),
    paths: fc.subarray(['src/door', 'src', 'notes.txt']),
    isOpen: fc.boolean(),
  }),
);
const changed = fc.array(
  fc.record({
    path: fc.constantFrom('src/door', 'notes.txt', 'lib/a'),
    atMs: fc.option(minute.map((n) => n * MINUTE)),
  }),
);

test('no file that a call names is ever the user’s, and one more call never makes a file theirs', () => {
  fc.assert(
    fc.property(changed, calls, calls, (files, some, more) => {
      const { users } = whoseChanges(files, some, ROOT);
      const named = (list: readonly WritingCall[], path: string): boolean =>
        list.some(({ paths }) => paths.some((one) => path === one || path.startsWith(`${one}/`)));
      expect(users.filter((path) => named(some, path))).toEqual([]);
      if (some.length === 0) return;
      const later = whoseChanges(files, [...some, ...more], ROOT).users;
      expect(later.filter((path) => !users.includes(path))).toEqual([]);
    }),
  );
});
