import { expect, test } from 'vitest';
import { nameItem } from './find-item.ts';

const items = [
  { id: '1', title: 'User can open the shop' },
  { id: '12', title: 'User can print an invoice' },
  { id: 'task-003', title: 'Move the tables' },
  { id: 'task-004', title: 'Drop the old ones' },
  { id: '0007', title: 'Write the guide' },
];
const named = (word: string) => {
  const found = nameItem(word, items);
  return found.ok ? found.value.id : `${found.failure.reason} ${found.failure.params['suggestion'] ?? ''}`.trim();
};

test.each([
  ['1', '1'],
  ['#12', '12'],
  [' 12 ', '12'],
  ['0007', '0007'],
  ['task-003', 'task-003'],
  ['TASK-004', 'task-004'],
])('%j finds item %s', (word, id) => {
  expect(named(word)).toBe(id);
});
test.each([
  ['2', 'item-unknown 1 (User can open the shop)'],
  ['13', 'item-unknown 12 (User can print an invoice)'],
  ['99', 'item-unknown 12 (User can print an invoice)'],
  ['007', 'item-unknown 0007 (Write the guide)'],
  ['invoice', 'item-unknown 12 (User can print an invoice)'],
  ['taks-003', 'item-unknown task-003 (Move the tables)'],
  ['zzz', 'item-unknown'],
  ['', 'item-unknown'],
  ['task', 'item-ambiguous'],
])('%j finds no item: %s', (word, said) => {
  expect(named(word)).toBe(said);
});
test('without items there is no suggestion', () => {
  expect(nameItem('1', [])).toMatchObject({ failure: { reason: 'item-unknown', params: { suggestion: '' } } });
});
