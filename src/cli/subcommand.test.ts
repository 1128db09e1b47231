import { expect, test } from 'vitest';
import { parseSubcommand } from './subcommand.ts';

const parts = { ls: ['ITEM?'], show: ['ITEM', 'NUMBER?'] };
const read = (...args: string[]) => {
  const part = parseSubcommand('attempts', args, parts, 'ls');
  return part.ok ? [part.value.name, ...part.value.words].join(' ') : part.failure.params['what'];
};

test('a subcommand with its arguments; missing and unexpected ones are reported', () => {
  expect(read()).toBe('ls');
  expect(read('12')).toBe('ls 12');
  expect(read('ls', '12')).toBe('ls 12');
  expect(read('show', '12', '3')).toBe('show 12 3');
  expect(read('show')).toBe("'harness attempts show' needs ITEM");
  expect(read('12', '3')).toBe("'3' is an unexpected argument of 'harness attempts ls'");
});
test('an unknown subcommand is refused if there is no default', () => {
  expect(parseSubcommand('config', ['chek'], { show: [], check: [] }, null)).toMatchObject({
    failure: { params: { what: "'chek' is not one of show, check" } },
  });
});
