// Steps that an agent reports, what is left of them after a crash, and errors as the list names them.
import { expect, test } from 'vitest';
import { errorOf } from './log.ts';
import { saysNotDone } from './machine.ts';
import { merged, noteIn, notesIn } from './notes.ts';

const note = (step: number, tree: string | null) =>
  JSON.stringify({ step, total: 3, description: `part ${step}`, at: `t${step}`, tree });

test('a note is kept once, with the tree that was seen after it; a line that a crash cut is left out', () => {
  const text = [note(1, null), note(1, 'tree1'), note(2, null), note(3, 'x').slice(0, -4)].join('\n');
  expect(notesIn(text)).toEqual([
    { step: 1, total: 3, description: 'part 1', timestamp: 't1', tree: 'tree1' },
    { step: 2, total: 3, description: 'part 2', timestamp: 't2', tree: null },
  ]);
  expect(notesIn(null)).toEqual([]);
});

test('a step that the list has already is not added again', () => {
  const known = [{ step: 1, total: 3, description: 'part 1', timestamp: 'earlier' }];
  expect(merged(known, notesIn([note(1, 'a'), note(2, 'b')].join('\n')))).toEqual([
    ...known,
    { step: 2, total: 3, description: 'part 2', timestamp: 't2' },
  ]);
});

test.each([
  ['CHECKPOINT step=2/4 "routes made"', { step: 2, total: 4, description: 'routes made' }],
  ['- CHECKPOINT step=1/1 ""', { step: 1, total: 1, description: '' }],
  ['CHECKPOINT step=5/4 "too far"', null],
  ['CHECKPOINT 2/4 routes', null],
])('%s is a note: %j', (line, expected) => {
  expect(noteIn(line)).toEqual(expected);
});

test.each([
  ['All is well.', false],
  ['Tests pass.\n\nNOT DONE: the queue is missing', true],
  ['It is NOT DONE yet', false],
])('%j says that the task is not done: %s', (text, isNot) => {
  expect(saysNotDone(text)).toBe(isNot);
});

test.each([
  [
    [{ code: 'check-timed-out', params: { check: 'feature', limit: 5 } }],
    'TIMEOUT',
    'check-timed-out check=feature limit=5',
  ],
  [[{ code: 'command-missing', params: { check: 'feature' } }], 'ENV_SETUP', 'command-missing check=feature'],
  [
    [{ code: 'check-failed', params: { check: 'feature', exit: 1, tail: 'a\nlast words\n' } }],
    'TEST_FAIL',
    'check-failed check=feature exit=1: last words',
  ],
  [[{ code: 'harness-file-edited', params: { path: 'x' } }], 'TASK_EXEC', 'harness-file-edited path=x'],
  [[], 'TASK_EXEC', 'output-limit'],
] as const)('%j is an error of the category %s', (problems, category, message) => {
  expect(errorOf('output-limit', problems)).toEqual({ category, message });
});
