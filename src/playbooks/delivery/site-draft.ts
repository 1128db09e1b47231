// What a site-reverser wrote: statements in sections, each with the page and the words that show it. The harness looks for the words: what they do not
// show is listed as not seen, and is no acceptance criterion. Pure.
import type { Problem } from '../../model/verdict.ts';
import type { SeenOfPage, SiteReverseResult } from '../../model/site.ts';
import { TAG, tagKey } from './acceptance.ts';
import { cutFences } from './markdown.ts';

export type Citation = { readonly page: string; readonly quote: string };
export type Statement = {
  readonly line: number;
  /** null: it is no acceptance criterion. */
  readonly tag: string | null;
  readonly text: string;
  readonly citations: readonly Citation[];
};
type SiteSection = { readonly title: string; readonly statements: readonly Statement[] };
export type SiteDraft = {
  readonly title: string;
  readonly sections: readonly SiteSection[];
  /** What the author says could not be seen. */
  readonly open: readonly string[];
};

const MOST_TITLE = 200;
const plainLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

export function readSiteDraft(text: string): SiteDraft {
  let title = '';
  const sections: { readonly title: string; readonly statements: Statement[] }[] = [];
  const open: string[] = [];
  let isOpen = false;
  const end = ({ line, text: said }: Block): void => {
    if (isOpen) return void open.push(plainLine(said));
    if (sections.length === 0) sections.push({ title: '', statements: [] });
    sections.at(-1)?.statements.push(statementOf(line, said));
  };
  for (const block of blocksOf(cutFences(text.replace(/^\uFEFF/, '').split(/\r?\n/)))) {
    const [, marks = '', heading = ''] = /^(#{1,6})\s+(.*)$/.exec(block.text) ?? [];
    if (marks === '') {
      end(block);
      continue;
    }
    const said = plainLine(heading).slice(0, MOST_TITLE).toWellFormed();
    if (marks === '#' && title === '') {
      title = said;
      continue;
    }
    isOpen = /^not seen\b/i.test(said);
    if (!isOpen) sections.push({ title: said, statements: [] });
  }
  return { title, sections: sections.filter(({ statements }) => statements.length > 0), open };
}

type Block = { readonly line: number; readonly text: string };

/** Headings, entries of lists with the lines that continue them, and paragraphs. */
function blocksOf(lines: readonly string[]): readonly Block[] {
  const blocks: { readonly line: number; text: string }[] = [];
  let current: { readonly line: number; text: string } | null = null;
  for (const [n, raw] of lines.entries()) {
    const line = n + 1;
    const [, item] = /^\s*(?:[-*+]|\d+[.)])\s+(.*)$/.exec(raw) ?? [];
    if (raw.trim() === '' || /^\s*(?:[-*_]\s*){3,}$/.test(raw)) current = null;
    else if (/^#{1,6}\s/.test(raw)) {
      blocks.push({ line, text: raw.trim() });
      current = null;
    } else if (item !== undefined || current === null || /^\s*>/.test(raw)) {
      current = { line, text: (item ?? raw.replace(/^\s*>?\s*/, '')).trim() };
      blocks.push(current);
    } else current.text += ` ${raw.trim()}`;
  }
  return blocks.filter(({ text }) => text !== '');
}

const TAGGED = new RegExp(`^(?:\\[[ xX]?\\]\\s+)?[*_\`\\[]*(?<tag>${TAG.source})[*_\`\\]]*\\s*[:.–—-]\\s+`, 'u');
/** `(/cart: "Total"; /: "Shop")`. */
const SOURCES = /\(((?:[^()"]|"[^"]*")*)\)/g;
const SOURCE = /`?(\/[^\s"`]*?)`?\s*:\s*`?"([^"]*)"/g;

/** With a full stop, as before its sources. */
const sentence = (text: string): string => {
  const line = plainLine(text).replace(/\s+([.,;:])/g, '$1');
  return /[\p{L}\p{N})]$/u.test(line) ? `${line}.` : line;
};

function statementOf(line: number, raw: string): Statement {
  const text = plainLine(raw).replace(/[“”„«»]/g, '"');
  const { tag = null } = TAGGED.exec(text)?.groups ?? {};
  const groups = [...text.matchAll(SOURCES)].filter(([, inside = '']) => inside.search(SOURCE) >= 0);
  const citations = groups.flatMap(([, inside = '']) =>
    [...inside.matchAll(SOURCE)].map(([, page = '', quote = '']) => ({ page, quote })),
  );
  const said = groups.reduce((left, [whole]) => left.replace(whole, ' '), text).replace(/\s*\.?\s*$/, '');
  return { line, tag, text: sentence(said.replace(TAGGED, '')), citations };
}

/** A shorter quote is found anywhere. */
const SHORTEST = 3;
const comparable = (text: string): string => text.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase();
const samePage = (page: string): string => page.replace(/#.*$/, '').replace(/(.)\/$/, '$1');

export type SeenIn = Pick<SeenOfPage, 'page' | 'words'>;
type Doubt = {
  readonly why: 'not-cited' | 'page-not-seen' | 'quote-too-short' | 'quote-not-seen';
  readonly what: string;
};

/** null: what it cites was seen. */
export function doubtOf({ citations }: Statement, seen: readonly SeenIn[]): Doubt | null {
  if (citations.length === 0) return { why: 'not-cited', what: '' };
  for (const { page, quote } of citations) {
    const found = seen.find((one) => samePage(one.page) === samePage(page));
    if (found === undefined) return { why: 'page-not-seen', what: page };
    const wanted = comparable(quote);
    if (wanted.replace(/[^\p{L}\p{N}]/gu, '').length < SHORTEST) return { why: 'quote-too-short', what: quote };
    if (!found.words.some((text) => comparable(text).includes(wanted))) return { why: 'quote-not-seen', what: quote };
  }
  return null;
}

export type JudgedSite = SiteReverseResult & {
  /** For the author; the files above have what is right already. */
  readonly problems: readonly Problem[];
};

/** null: there is nothing in it that was seen and has a tag. `url`: of the site. */
export function judgeSite(
  draft: SiteDraft,
  { url, pages }: { readonly url: string; readonly pages: readonly SeenIn[] },
): JudgedSite | null {
  const problems: Problem[] = [];
  const open = [...draft.open];
  const tags = new Set<string>();
  const wrong = ({ line, text }: Statement, { why, what }: { readonly why: string; readonly what: string }): void => {
    problems.push({ code: 'site-statement-unproved', params: { line, why, what: what.slice(0, 200).toWellFormed() } });
    open.push(text);
  };
  const sections = draft.sections.map(({ title, statements }) => ({
    title,
    statements: statements.filter((one) => {
      const doubt = doubtOf(one, pages);
      const again = one.tag !== null && tags.has(tagKey(one.tag));
      if (doubt !== null) wrong(one, doubt);
      else if (again) wrong(one, { why: 'tag-repeated', what: one.tag });
      else if (one.tag !== null) tags.add(tagKey(one.tag));
      return doubt === null && !again;
    }),
  }));
  if (tags.size === 0) return null;
  const kept = sections.filter(({ statements }) => statements.length > 0);
  const count = kept.reduce((sum, { statements }) => sum + statements.length, 0);
  const title = draft.title === '' ? new URL(url).host : draft.title;
  return {
    problems,
    statements: count,
    criteria: tags.size,
    notSeen: open.length,
    spec: specText(title, url, pages.length, kept, open),
    acceptance: acceptanceText(title, kept),
  };
}

function specText(
  title: string,
  url: string,
  pages: number,
  sections: readonly SiteSection[],
  open: readonly string[],
): string {
  const about = `What was seen of ${url}, on ${pages} ${pages === 1 ? 'page' : 'pages'}. Each statement names where it was seen.`;
  return document([
    `# ${title}`,
    about,
    ...sections.map(({ title: name, statements }) => sectionText(name, statements.map(fullLine))),
    ...(open.length === 0
      ? []
      : [
          sectionText(
            'Not seen',
            open.map((text) => `- ${withoutTag(text)}`),
          ),
        ]),
  ]);
}

const acceptanceText = (title: string, sections: readonly SiteSection[]): string =>
  document([
    `# Acceptance criteria: ${title}`,
    ...sections.flatMap(({ title: name, statements }) => {
      const lines = statements.flatMap(({ tag, text }) => (tag === null ? [] : [`- ${tag}: ${text}`]));
      return lines.length === 0 ? [] : [sectionText(name, lines)];
    }),
  ]);

const document = (parts: readonly string[]): string => `${parts.join('\n\n').toWellFormed()}\n`;
const sectionText = (title: string, lines: readonly string[]): string =>
  `${title === '' ? '' : `## ${title}\n\n`}${lines.join('\n')}`;
/** What was not seen must not look like a criterion. */
const withoutTag = (text: string): string => text.replace(TAGGED, '');

const fullLine = ({ tag, text, citations }: Statement): string =>
  `- ${tag === null ? '' : `${tag}: `}${text} (${citations.map(({ page, quote }) => `${page}: "${quote}"`).join('; ')})`;
