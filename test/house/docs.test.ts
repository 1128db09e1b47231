// Documentation names files that exist, and its site has every page, no broken link, and loads nothing from a network.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { docsPages, headingsOf, sectionsOf, siteOf } from '../../scripts/docs-site.ts';

/** Code of this repository. Paths of other kinds may be examples. */
const PATH = /(?<![\w./-])(?:src|test|scripts|bench)\/[\w./-]*\.(?:ts|mjs)\b/g;
const LINK = /\]\(([^)#:\s]+)(?:#[^)]*)?\)/g;
const ANCHOR = /\]\(([^)#:\s]*)#([^)\s]+)\)/g;
const PAGES = globSync('{README.md,AGENTS.md,docs/*.md}').sort();

test.each(PAGES)('every path in %s exists', (page) => {
  const text = readFileSync(page, 'utf8');
  const named = [...text.matchAll(PATH)].map(([path]) => path);
  const linked = [...text.matchAll(LINK)].map(([, link = '']) => join(dirname(page), link));
  const missing = [...new Set([...named, ...linked])].filter((path) => !existsSync(path));
  expect(missing).toEqual([]);
});

test.each(PAGES)('every anchor that %s links to is a heading', (page) => {
  const broken = [...readFileSync(page, 'utf8').matchAll(ANCHOR)].filter(([, path = '', anchor]) => {
    const text = readFileSync(path === '' ? page : join(dirname(page), path), 'utf8');
    return !headingsOf(text).some(({ slug }) => slug === anchor);
  });
  expect(broken.map(([link]) => link)).toEqual([]);
});

test('the front page lists every page once, so that each is in the menu of the site', () => {
  const pages = docsPages();
  const listed = sectionsOf(pages.get('index.md') ?? '').flatMap((section) => section.pages.map(({ file }) => file));
  expect(listed.toSorted()).toEqual([...pages.keys()].filter((name) => name !== 'index.md').sort());
});

/** What a page of the site refers to, and where that leads nowhere. */
function brokenIn(site: ReadonlyMap<string, string>, name: string): readonly string[] {
  const html = site.get(name) ?? '';
  const used = [...html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, to = '']) => to);
  return used.filter((to) => {
    if (/^https?:/.test(to)) return false;
    const [path = '', anchor] = to.split('#');
    if (path === 'site.css') return false;
    if (path.startsWith('images/')) return !existsSync(join('docs', path));
    const there = path === '' ? html : site.get(path);
    return there === undefined || (anchor !== undefined && !there.includes(`id="${anchor}"`));
  });
}

test('on the site every link, anchor and picture leads somewhere, and no page loads anything from a network', () => {
  const site = siteOf(docsPages(), '1.2.3');
  const broken = [...site.keys()].flatMap((name) => brokenIn(site, name).map((to) => `${name}: ${to}`));
  expect(broken).toEqual([]);
  for (const [name, html] of site) expect(html, name).not.toMatch(/<script|<img[^>]*src="https?:|url\(/);
});

test('a broken link, a broken anchor and a missing picture are found', () => {
  const pages = new Map([
    ['index.md', '# A\n\n## S\n\n- [B](b.md): b\n'],
    [
      'b.md',
      '# B\n\n[no](c.md) [none](#no) ![gone](images/gone.png) [there](index.md#s) [code](../src/x.ts)\n\n<script>x</script>\n',
    ],
  ]);
  const site = siteOf(pages, '1.2.3', 'https://example.org/blob/main');
  expect(brokenIn(site, 'b.html')).toEqual(['#no', 'images/gone.png']);
  expect(site.get('b.html')).toContain('href="https://example.org/blob/main/src/x.ts"');
  expect(site.get('b.html')).toContain('https://example.org/blob/main/docs/c.md');
  expect(site.get('b.html')).not.toContain('<script>');
});
