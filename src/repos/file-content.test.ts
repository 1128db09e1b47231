import { Buffer } from 'node:buffer';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { hasContent } from './file-content.ts';
import { objectIdOf } from './objects.ts';

const top = mkdtempSync(join(tmpdir(), 'file-content-'));
afterAll(() => rmSync(top, { recursive: true, force: true }));
const at = (name: string): string => join(top, name);
writeFileSync(at('file'), 'text');
symlinkSync('text', at('link'));
mkdirSync(at('folder'));

const id = objectIdOf('blob', Buffer.from('text'), '0'.repeat(40));
const other = objectIdOf('blob', Buffer.from('other'), id);

test.each([
  ['file', '100644', id, true],
  ['file', '100755', id, true],
  ['file', '100644', other, false],
  ['file', '120000', id, false],
  ['link', '120000', id, true],
  ['link', '120000', other, false],
  ['link', '100644', id, false],
  ['folder', '100644', id, false],
  ['folder', '120000', id, false],
  ['nothing', '100644', id, false],
  ['nothing', '120000', id, false],
])('the %s as an entry of mode %s with the id %s: %s', (name, mode, wanted, has) => {
  expect(hasContent(at(name), { mode, id: wanted })).toBe(has);
});
