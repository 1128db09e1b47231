// Makes the documentation a site of static pages that need no network: npm run docs, into dist-docs/. The order of the pages is that of docs/index.md.
// `--repository URL` (of a tree of files, as https://…/blob/main) makes links of what is outside docs/, which is plain text without it.
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, posix, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Marked } from 'marked';

const ROOT = resolve(import.meta.dirname, '..');
const FRONT = 'index.md';

export type Section = {
  readonly title: string;
  readonly pages: readonly { readonly file: string; readonly title: string }[];
};
type Heading = { readonly depth: number; readonly text: string; readonly slug: string };

/** The sections of the front page, and the pages that each lists. */
export function sectionsOf(front: string): readonly Section[] {
  return front
    .split(/^## /m)
    .slice(1)
    .map((part) => ({
      title: part.split('\n', 1)[0] ?? '',
      pages: [...part.matchAll(/^- \[([^\]]+)\]\(([\w-]+\.md)\)/gm)].map(([, title = '', file = '']) => ({
        file,
        title,
      })),
    }));
}

/** The anchor of a heading, as GitHub makes it. */
const slugOf = (heading: string): string =>
  plain(heading)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
const plain = (markdown: string): string => markdown.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/[`*]/g, '');

/** Headings with their anchors: a second one of the same words gets a number. */
export function headingsOf(markdown: string): readonly Heading[] {
  const used = new Map<string, number>();
  const withoutCode = markdown.replaceAll(/^(`{3,})[^\n]*\n[\s\S]*?^\1/gm, '');
  return [...withoutCode.matchAll(/^(#{1,6}) +(.+)$/gm)].map(([, marks = '', text = '']) => {
    const slug = slugOf(text);
    const times = used.get(slug) ?? 0;
    used.set(slug, times + 1);
    return { depth: marks.length, text: plain(text), slug: times === 0 ? slug : `${slug}-${times}` };
  });
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const htmlName = (file: string): string => file.replace(/\.md$/, '.html');

/** Where a link of a page leads on the site; null: nowhere, it is plain text. */
function target(href: string, files: ReadonlySet<string>, repository: string | null): string | null {
  if (/^(?:https?:|#|images\/)/.test(href)) return href;
  const [path = '', anchor] = href.split('#');
  if (files.has(path)) return `${htmlName(path)}${anchor === undefined ? '' : `#${anchor}`}`;
  return repository === null ? null : `${repository}/${posix.join('docs', path)}`;
}

/** The body of a page as HTML. */
function bodyOf(markdown: string, files: ReadonlySet<string>, repository: string | null): string {
  const anchors = [...headingsOf(markdown)];
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const { slug } = anchors.shift() ?? { slug: '' };
        return `<h${depth} id="${slug}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens);
        const to = target(href, files, repository);
        return to === null ? text : `<a href="${escaped(to)}">${text}</a>`;
      },
      code: ({ text }) => `<pre tabindex="0"><code>${escaped(text)}</code></pre>\n`,
      html: ({ text }) => (/^\s*<!--/.test(text) ? '' : escaped(text)),
      table({ header, rows }) {
        const row = (cells: typeof header, tag: string): string =>
          `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>\n`;
        // A table of two columns without names has no header, and a column without a name no heading.
        const head = header.some(({ text }) => text !== '') ? `<thead>${row(header, 'th')}</thead>` : '';
        const body = rows.map((cells) => row(cells, 'td')).join('');
        return `<div class="table" tabindex="0"><table>${head.replaceAll('<th></th>', '<td></td>')}<tbody>${body}</tbody></table></div>\n`;
      },
    },
  });
  return marked.parse(markdown, { async: false });
}

/** Every page of the site, by its name. `pages`: the Markdown files of docs/, by theirs. */
export function siteOf(
  pages: ReadonlyMap<string, string>,
  version: string,
  repository: string | null = null,
): ReadonlyMap<string, string> {
  const sections = sectionsOf(pages.get(FRONT) ?? '');
  const order = [{ file: FRONT, title: 'harness' }, ...sections.flatMap((section) => section.pages)];
  const files = new Set(pages.keys());
  return new Map(
    order.map(({ file, title }, at): [string, string] => {
      const text = pages.get(file) ?? '';
      const link = (to: (typeof order)[number]): string =>
        `<a href="${htmlName(to.file)}"${to.file === file ? ' aria-current="page"' : ''}>${escaped(to.title)}</a>`;
      const list = (links: readonly string[]): string => `<ul>${links.map((one) => `<li>${one}</li>`).join('')}</ul>`;
      const menu = sections
        .map((section) => `<h2>${escaped(section.title)}</h2>${list(section.pages.map(link))}`)
        .join('\n');
      const own = headingsOf(text).filter(({ depth }) => depth === 2);
      const parts = list(own.map((one) => `<a href="#${one.slug}">${escaped(one.text)}</a>`));
      const [before, after] = [order[at - 1], order[at + 1]];
      return [
        htmlName(file),
        `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${file === FRONT ? 'harness' : `${escaped(title)} · harness`}</title>
<link rel="stylesheet" href="site.css">
</head>
<body>
<a class="skip" href="#content">To the text</a>
<header><a href="index.html">harness</a> <span>${escaped(version)}</span> <a class="to-pages" href="#pages">All pages</a></header>
<div class="columns">
<main id="content">
${bodyOf(text, files, repository)}
<footer>${before ? `<span>← ${link(before)}</span>` : ''}${after ? `<span class="next">${link(after)} →</span>` : ''}</footer>
</main>
${file !== FRONT && own.length > 1 ? `<nav class="parts" aria-label="On this page"><h2>On this page</h2>${parts}</nav>` : ''}
<nav class="pages" id="pages" aria-label="Pages">
${menu}
</nav>
</div>
</body>
</html>
`,
      ];
    }),
  );
}

/** The pages of docs/ as they are now. */
export const docsPages = (): ReadonlyMap<string, string> =>
  new Map(
    globSync('docs/*.md', { cwd: ROOT })
      .sort()
      .map((path) => [basename(path), readFileSync(join(ROOT, path), 'utf8')]),
  );

if (import.meta.main) {
  const { values } = parseArgs({
    options: { out: { type: 'string', default: join(ROOT, 'dist-docs') }, repository: { type: 'string' } },
  });
  const out = resolve(values.out);
  if (existsSync(out) && !existsSync(join(out, 'site.css')))
    throw new Error(`${out} is no earlier site: name another folder`);
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { readonly version: string };
  const site = siteOf(docsPages(), version, values.repository?.replace(/\/$/, '') ?? null);
  for (const [name, html] of site) writeFileSync(join(out, name), html);
  cpSync(join(ROOT, 'docs/images'), join(out, 'images'), { recursive: true });
  cpSync(join(ROOT, 'scripts/docs-site.css'), join(out, 'site.css'));
  console.log(`${site.size} pages: ${join(out, 'index.html')}`);
}
