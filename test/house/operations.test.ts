// The reference of operations in docs/operations.md is that of the table, and every operation of the command line has a command.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { withOperations } from '../../scripts/operations-reference.ts';
import { OPERATIONS } from '../../src/app/operations/all.ts';
import { COMMANDS } from '../../src/cli/commands.ts';

test('the page has the reference of the table: `node scripts/operations-reference.ts` writes it', () => {
  const page = readFileSync('docs/operations.md', 'utf8');
  expect(page).toBe(withOperations(page));
});

test('each operation is in the table by its own name, and its command exists', () => {
  for (const [name, { name: own, command }] of Object.entries(OPERATIONS)) {
    expect(own).toBe(name);
    if (command !== null) expect(Object.keys(COMMANDS)).toContain(command.split(' ')[0]);
  }
});
