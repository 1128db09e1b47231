// The acceptance criteria of a specification: `<spec>.acceptance.md`, one line for each, with a tag that plans name. Forgiving in its form: a list, headings,
// a table, open boxes.
import { cutFences } from './markdown.ts';

type Criterion = { readonly tag: string; readonly text: string; readonly line: number };
export type AcceptanceCriteria = {
  readonly criteria: readonly Criterion[];
  readonly mistakes: readonly {
    readonly line: number;
    readonly why: 'tag-repeated' | 'criterion-empty';
    readonly tag: string;
  }[];
};

/** Beside the specification. */
export const acceptanceOf = (spec: string): string =>
  spec.replace(/\.(?:md|markdown|txt)$/i, '').concat('.acceptance.md');

/** `REQ-7`, `CART-ADD-012`, `AC1`. */
export const TAG = /[A-Z][A-Z0-9]*(?:[-_][A-Z0-9]+)*[-_]?\d+/;
/** How tags are compared. */
export const tagKey = (tag: string): string => tag.toUpperCase();

const MARKS = '(?:\\*\\*|__|`|\\[|\\])*';
const LINE = new RegExp(
  `^\\s*(?<item>[-*+]\\s+|\\d+[.)]\\s+|#{1,6}\\s+|\\|\\s*)?(?:\\[[ xX]?\\]\\s+)?${MARKS}(?<tag>${TAG.source})${MARKS}(?<end>\\s*[:|)–—]|\\s-|\\s|$)(?<rest>.*)$`,
  'u',
);
/** What is under this heading is no criterion. */
const NOT_SEEN = /^#{1,6}\s+not seen\b/i;

export function readAcceptance(text: string): AcceptanceCriteria {
  const criteria: Criterion[] = [];
  const mistakes: AcceptanceCriteria['mistakes'][number][] = [];
  const seen = new Set<string>();
  let isOver = false;
  for (const [n, raw] of cutFences(text.replace(/^\uFEFF/, '').split(/\r?\n/)).entries()) {
    if (/^#{1,6}\s/.test(raw)) isOver = NOT_SEEN.test(raw);
    if (isOver) continue;
    const { item, tag, end = '', rest = '' } = LINE.exec(raw)?.groups ?? {};
    // A line of prose may begin with a word such as `ISO-8601`.
    if (tag === undefined || (item === undefined && end.trim() === '')) continue;
    const said = rest
      .replace(/^[\s*_`:|–—-]+/, '')
      .replace(/[\s|]+$/, '')
      .trim();
    const line = n + 1;
    if (seen.has(tagKey(tag))) mistakes.push({ line, why: 'tag-repeated', tag });
    else if (said === '') mistakes.push({ line, why: 'criterion-empty', tag });
    else criteria.push({ tag, text: said, line });
    seen.add(tagKey(tag));
  }
  return { criteria, mistakes };
}

/** Entries of lists without a tag: no plan could cover them. */
export function untaggedEntries(text: string): readonly { readonly line: number; readonly text: string }[] {
  let isOver = false;
  return cutFences(text.replace(/^\uFEFF/, '').split(/\r?\n/)).flatMap((raw, n) => {
    if (/^#{1,6}\s/.test(raw)) isOver = NOT_SEEN.test(raw);
    const isEntry = /^(?:[-*+]\s+|\d+[.)]\s+)/.test(raw);
    return isEntry && !isOver && !LINE.test(raw) ? [{ line: n + 1, text: raw.trim() }] : [];
  });
}
