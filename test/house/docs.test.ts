// Documentation names files that exist.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

/** Code of this repository. Paths of other kinds may be examples. */
const PATH = /(?<![\w./-])(?:src|test|scripts|bench)\/[\w./-]*\.(?:ts|mjs)\b/g;
const LINK = /\]\(([^)#:\s]+)(?:#[^)]*)?\)/g;

test.each(globSync('{README.md,AGENTS.md,docs/*.md}').sort())('every path in %s exists', (page) => {
  const text = readFileSync(page, 'utf8');
  const named = [...text.matchAll(PATH)].map(([path]) => path);
  const linked = [...text.matchAll(LINK)].map(([, link = '']) => join(dirname(page), link));
  const missing = [...new Set([...named, ...linked])].filter((path) => !existsSync(path));
  expect(missing).toEqual([]);
});
