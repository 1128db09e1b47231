// features.json for any machine: its items in the neutral form.
import { expect, test } from 'vitest';
import { feature, fileOf } from '../../../test/support/features.ts';
import { backlog } from './backlog.ts';

const read = (text: string) => {
  const list = backlog.read(text, 'features.json');
  if (!list.ok) throw new Error(list.failure.reason);
  return list.value;
};

test('an item has its proof, and everything that depends on it', () => {
  const list = read(fileOf([feature(1), feature(2, { depends_on: [1] }), feature(3, { depends_on: [2] })]));
  expect(list.subject('1')).toMatchObject({
    id: '1',
    title: 'User can do thing 1',
    testFile: 'tests/test_1.py',
    verification: 'automated',
    passes: false,
    dependents: ['2', '3'],
  });
  expect(list.subject('7')).toBeNull();
});

test('the next item is another where one is preferred, or others are taken', () => {
  const list = read(fileOf([feature(1), feature(2), feature(3)]));
  expect(list.next()).toBe('1');
  expect(list.next({ prefer: '2' })).toBe('2');
  expect(list.next({ taken: new Set(['1', '2']) })).toBe('3');
});

test.each(['01', '1.0', ' 1', '1e0', '0x1', ''])('%j names no item, although it is a number', (id) => {
  const list = read(fileOf([feature(1)]));
  expect([list.subject(id), list.canStart(id)]).toEqual([null, false]);
});

test('an item can start if it is open and everything that it depends on has landed, or was skipped to unblock it', () => {
  const list = read(
    fileOf([
      feature(1, { passes: true }),
      feature(2, { depends_on: [1] }),
      feature(3, { depends_on: [2] }),
      feature(4, { skipped: { reason: 'no', unblock: true } }),
      feature(5, { depends_on: [4] }),
    ]),
  );
  expect(list.items.filter(({ id }) => list.canStart(id)).map(({ id }) => id)).toEqual(['2', '5']);
});

test.each([
  [undefined, []],
  [false, []],
  [true, ['tests/test_1.py', 'tests/test_shared.py']],
  [['./tests/test_9.py'], ['tests/test_1.py', 'tests/test_9.py']],
])('an item with may_change_tests: %j may change the old tests of %j', (may, opened) => {
  const files = ['src/a.py', 'tests/test_shared.py'];
  const list = read(fileOf([feature(1, { files, ...(may === undefined ? {} : { may_change_tests: may }) })]));
  expect(list.subject('1')?.mayChangeTests).toEqual(opened);
});

test('the size of an item is counted by the rules of the reader', () => {
  const text = fileOf([feature(1, { verification_steps: ['a', 'b', 'c'] })]);
  const sizeOf = (maxSteps?: number) => {
    const list = backlog.read(text, 'features.json', maxSteps === undefined ? {} : { maxSteps });
    return list.ok ? list.value.subject('1')?.oversized : null;
  };
  expect(sizeOf()).toEqual([]);
  expect(sizeOf(2)).toMatchObject([{ flag: 'too-many-steps' }]);
});
