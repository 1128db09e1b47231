// features.json for any machine: what it says of one item.
import { expect, test } from 'vitest';
import { feature, fileOf } from '../../../test/support/features.ts';
import { backlog } from './backlog.ts';

const read = (text: string) => {
  const list = backlog.read(text, 'features.json');
  if (!list.ok) throw new Error(list.failure.reason);
  return list.value;
};

test('an item is told with its proof, and with everybody who waits behind it', () => {
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

test('the next is another where one is preferred, or is somebody else’s', () => {
  const list = read(fileOf([feature(1), feature(2), feature(3)]));
  expect(list.next()).toBe('1');
  expect(list.next({ prefer: '2' })).toBe('2');
  expect(list.next({ taken: new Set(['1', '2']) })).toBe('3');
});
