// The table of the harness's files in docs/architecture.md is that of the module.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { withFiles } from '../../scripts/state-files-reference.ts';
import { STATE_FILES } from '../../src/model/state-files.ts';
import { RECORDS } from '../../src/model/records.ts';

test('the page has the table of the module: `node scripts/state-files-reference.ts` writes it', () => {
  const page = readFileSync('docs/architecture.md', 'utf8');
  expect(page).toBe(withFiles(page));
});

test.each(Object.entries(RECORDS))('%s has one owner: %s', (name, owner) => {
  const rows = STATE_FILES.filter(({ file }) => file.includes(`\`${name}\``));
  expect(rows.map((row) => [row.owner, row.guard])).toEqual([[owner, null]]);
});
