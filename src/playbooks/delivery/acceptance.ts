// The acceptance criteria of a specification, `<spec>.acceptance.md`: entries of lists, rows of tables or headings, each with a tag that plans name.
// Forgiving in its form; an entry without a tag is reported with its line, since it could never be covered.

export type AcceptanceCriteria = {
  readonly criteria: readonly { readonly tag: string; readonly text: string; readonly line: number }[];
  readonly mistakes: readonly { readonly line: number; readonly what: string }[];
};

/** `docs/spec.md` → `docs/spec.acceptance.md`. */
export const acceptanceFile = (spec: string): string => spec.replace(/(?:\.(?:md|markdown|txt))?$/i, '.acceptance.md');

/** Tags are the same whatever their case, and with or without # before them. */
export const sameTag = (tag: string): string => tag.trim().replace(/^#/, '').toUpperCase();

const WORD = String.raw`[\p{L}][\p{L}\p{N}]*(?:[-_.:/][\p{L}\p{N}]+)*`;
/** Recognized without brackets: it has a number. */
const NUMBERED = String.raw`(?=[\p{L}\p{N}._-]*\p{N})[\p{Lu}][\p{L}\p{N}]*(?:[-_.][\p{L}\p{N}]+)*`;
const CLOTHED = [
  // [REQ-7], (REQ-7), `REQ-7`, **REQ-7**, **[REQ-7]**, #REQ-7
  new RegExp(String.raw`^[*_]*\[#?(${WORD})\][*_]*(?!\()`, 'u'),
  new RegExp(String.raw`^\(#?(${NUMBERED})\)`, 'u'),
  new RegExp(String.raw`^[*_]*\x60#?(${NUMBERED})\x60[*_]*`, 'u'),
  new RegExp(String.raw`^(?:\*\*|__)#?(${NUMBERED}):?(?:\*\*|__)`, 'u'),
  new RegExp(String.raw`^#?(${NUMBERED})(?=\s*(?:[:.)–—|-]|$|\s))`, 'u'),
];
const AT_END = new RegExp(String.raw`(?:\[#?(${WORD})\]|\(#?(${NUMBERED})\)|#(${NUMBERED}))\s*[.]?\s*$`, 'u');

export function readAcceptance(text: string): AcceptanceCriteria {
  const criteria: { tag: string; text: string; line: number }[] = [];
  const mistakes: { line: number; what: string }[] = [];
  const known = new Map<string, number>();
  for (const { entry, line, isHeading } of entriesOf(text)) {
    const found = tagOf(entry);
    if (found === null) {
      if (!isHeading) mistakes.push({ line, what: `no tag, such as [REQ-7]: ${entry.slice(0, 80)}` });
      continue;
    }
    const before = known.get(sameTag(found.tag));
    if (before !== undefined) {
      mistakes.push({ line, what: `the tag ${found.tag} is in line ${before}, too` });
      continue;
    }
    known.set(sameTag(found.tag), line);
    criteria.push({ ...found, line });
  }
  return { criteria, mistakes };
}

type Entry = { readonly entry: string; readonly line: number; readonly isHeading: boolean };

/** Entries of lists at the left margin, rows of tables, headings. What is indented below an entry belongs to it. */
function entriesOf(text: string): readonly Entry[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const entries: Entry[] = [];
  let fence: string | null = null;
  for (const [n, raw] of lines.entries()) {
    const line = n + 1;
    const [, mark = null] = /^\s*(`{3,}|~{3,})/.exec(raw) ?? [];
    if (fence !== null) {
      if (mark?.startsWith(fence) === true) fence = null;
      continue;
    }
    if (mark !== null) {
      fence = mark;
      continue;
    }
    const [, item = null] = /^ ?(?:[-*+•]|\d{1,4}[.)])\s+(.*\S)/u.exec(raw) ?? [];
    const [, heading = null] = /^#{1,6}\s+(.*\S)/.exec(raw) ?? [];
    if (item !== null) entries.push({ entry: withoutBox(item), line, isHeading: false });
    else if (heading !== null) entries.push({ entry: heading, line, isHeading: true });
    else if (isRow(raw) && !isRule(raw) && !isRule(lines[n + 1] ?? ''))
      entries.push({ entry: cellsOf(raw), line, isHeading: false });
  }
  return entries;
}

const withoutBox = (text: string): string => text.replace(/^\[[ xX✓✔-]?\]\s+/u, '');
const isRow = (line: string): boolean => /^\s*\|.*\|\s*$/.test(line);
/** The line below the head of a table. */
const isRule = (line: string): boolean => /^\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?\s*$/.test(line);
const cellsOf = (row: string): string =>
  row
    .split('|')
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '')
    .join(' | ');

function tagOf(entry: string): { readonly tag: string; readonly text: string } | null {
  for (const form of CLOTHED) {
    const [whole = '', tag] = form.exec(entry) ?? [];
    if (tag !== undefined) return { tag, text: restOf(entry.slice(whole.length)) };
  }
  const end = AT_END.exec(entry);
  const tag = end?.[1] ?? end?.[2] ?? end?.[3];
  return tag === undefined ? null : { tag, text: restOf(entry.slice(0, end?.index)) };
}

const restOf = (text: string): string => text.replace(/^[\s:.)–—|-]+/u, '').trim();
