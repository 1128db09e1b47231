import { describe, expect, test } from 'vitest';
import { withKey } from '../../forge/marker.ts';
import { issueNamedIn, textOfIssue } from './convention.ts';

const read = (body: string, labels: readonly string[] = []) =>
  textOfIssue({ number: 12, title: 'A `cart`', body, labels });

describe('an issue says of its item', () => {
  test('its title, with the number that it is known by', () => {
    expect(read('').title).toBe('A cart (#12)');
    expect(issueNamedIn('A cart (#12)')).toBe(12);
    expect(issueNamedIn('A cart (#12) and more')).toBeNull();
    expect(issueNamedIn(textOfIssue({ number: 9, title: 'Undo (#3)', body: '', labels: [] }).title)).toBe(9);
  });

  test.each([
    ['Depends on #3', [3]],
    ['**Depends on:** #3, #4 and #5', [3, 4, 5]],
    ['- Blocked by #7', [7]],
    ['> blocked by: #7', [7]],
    ['- [ ] #8\n- [x] #9 done', [8, 9]],
    ['It depends on #3 of the other tracker', []],
    ['Depends on #12', []],
    ['Depends on #3\nBlocked by #3', [3]],
    ['```\nDepends on #3\n```', []],
    ['See #4', []],
  ])('what it depends on: %j', (body, numbers) => {
    expect(read(body).dependsOn).toEqual(numbers);
  });

  test.each([
    ['Test: tests/cart.test.mjs', 'tests/cart.test.mjs'],
    ['- **Test:** `tests/cart.test.mjs`', 'tests/cart.test.mjs'],
    ['Verify: npm test -- cart', 'npm test -- cart'],
    ['We test: nothing', null],
    ['```\ntest: no\n```', null],
  ])('its proof: %j', (body, verify) => {
    expect(read(body).verify).toBe(verify);
  });

  test('its priority, by a label', () => {
    expect(read('', ['bug', 'priority: 1']).priority).toBe('1');
    expect(read('', ['Priority/P0']).priority).toBe('P0');
    expect(read('', ['high priority']).priority).toBeNull();
  });

  test('its steps, without the issues among them', () => {
    expect(read('- [ ] it opens\n- [ ] #8\n- [ ] it closes').steps).toEqual(['it opens', 'it closes']);
    expect(read('- it opens').steps).toEqual([]);
  });

  test('the rest as notes, without a key of the harness', () => {
    expect(read(withKey('Please.\r\nSoon.', 'features 1')).notes).toBe('Please.\nSoon.');
    expect(read('x'.repeat(9_000)).notes).toHaveLength(4_000);
  });
});
