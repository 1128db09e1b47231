// A plan file, `NNNN-slug.md`: its title, what it depends on, its tags and its test, from front matter or from lines below the title. Forgiving in
// its form; what cannot be read is reported with its line.
import { parse } from 'yaml';
import { entryOf } from '../../model/entry.ts';

export type PlanHead = {
  /** NNNN. */
  readonly id: string;
  /** NNNN-slug. */
  readonly name: string;
  readonly title: string;
  /** Numbers of other plans, four digits. */
  readonly dependsOn: readonly string[];
  readonly tags: readonly string[];
  /** Lower runs first; null: not said. */
  readonly priority: number | null;
  /** The test that proves it; null: the whole suite does. */
  readonly testFile: string | null;
  /** What cannot be read, each with the line it is in. */
  readonly mistakes: readonly { readonly line: number; readonly what: string }[];
};

/** `0012-cart.md`, with its number and its name. */
const FILE = /^(?<name>(?<id>\d{4})-[\p{L}\p{N}][\p{L}\p{N}._-]*)\.md$/u;

/** null: the file is no plan. */
export function planName(file: string): { readonly id: string; readonly name: string } | null {
  const { id, name } = FILE.exec(file)?.groups ?? {};
  return id === undefined || name === undefined ? null : { id, name };
}

type Field = 'title' | 'dependsOn' | 'tags' | 'priority' | 'testFile';
const FIELDS: { readonly [key: string]: Field } = {
  title: 'title',
  depends: 'dependsOn',
  dependson: 'dependsOn',
  dependencies: 'dependsOn',
  dependency: 'dependsOn',
  requires: 'dependsOn',
  blockedby: 'dependsOn',
  tags: 'tags',
  tag: 'tags',
  acceptance: 'tags',
  priority: 'priority',
  test: 'testFile',
  testfile: 'testFile',
};
const fieldOf = (key: string): Field | undefined => entryOf(FIELDS, key.toLowerCase().replace(/[^a-z]/g, ''));

type Said = { readonly field: Field; readonly value: unknown; readonly line: number };

export function readPlan(file: string, text: string): PlanHead | null {
  const named = planName(file);
  if (named === null) return null;
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const front = frontMatter(lines);
  const body = lines.slice(front.length);
  const said = [...front.said, ...headerLines(body, front.length)];
  const first = (field: Field): Said | undefined => said.find((one) => one.field === field);
  const mistakes = [...front.mistakes];
  const dependsOn: string[] = [];
  for (const { value, line } of said.filter(({ field }) => field === 'dependsOn'))
    for (const word of wordsOf(value)) {
      const number = numberOf(word);
      if (number !== null) dependsOn.push(number);
      else if (!NONE.test(word)) mistakes.push({ line, what: `\`${word}\` is no number of a plan` });
    }
  const priority = first('priority');
  const rank = priority === undefined ? null : Number(textOf(priority.value));
  if (priority !== undefined && !Number.isFinite(rank))
    mistakes.push({ line: priority.line, what: 'the priority is no number' });
  const testFile = unquoted(textOf(first('testFile')?.value));
  return {
    ...named,
    title: titleOf(textOf(first('title')?.value) || headingOf(body), named.name),
    dependsOn: [...new Set(dependsOn)],
    tags: [...new Set(said.filter(({ field }) => field === 'tags').flatMap(({ value }) => wordsOf(value)))].filter(
      (tag) => !NONE.test(tag),
    ),
    priority: Number.isFinite(rank) ? rank : null,
    testFile: testFile === '' || NONE.test(testFile) ? null : testFile,
    mistakes,
  };
}

const NONE = /^(?:none|nothing|n\/a|-|–|—|null|\[\])$/i;

type Front = Pick<PlanHead, 'mistakes'> & { readonly said: readonly Said[]; readonly length: number };

/** `length`: how many lines it has, with its fences. */
function frontMatter(lines: readonly string[]): Front {
  const nothing = { said: [], mistakes: [], length: 0 };
  if (lines[0]?.trimEnd() !== '---') return nothing;
  const end = lines.findIndex((line, n) => n > 0 && /^(?:---|\.\.\.)\s*$/.test(line));
  if (end === -1) return nothing;
  const length = end + 1;
  try {
    const value: unknown = parse(lines.slice(1, end).join('\n'));
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return { ...nothing, length };
    const said = Object.entries(value).flatMap(([key, one]): readonly Said[] => {
      const field = fieldOf(key);
      const line = lines.findIndex((text, n) => n > 0 && text.startsWith(key)) + 1;
      return field === undefined || one === null ? [] : [{ field, value: one, line: Math.max(line, 1) }];
    });
    return { said, mistakes: [], length };
  } catch (error) {
    const why = error instanceof Error ? (error.message.split('\n')[0] ?? '') : '';
    return { said: [], mistakes: [{ line: 1, what: `the front matter is no YAML: ${why}` }], length };
  }
}

/** `Depends on: 0001, 0002`, also in a list or in bold letters, above the first section. `skipped`: the lines before these. */
function headerLines(lines: readonly string[], skipped: number): readonly Said[] {
  const said: Said[] = [];
  for (const [n, raw] of lines.entries()) {
    if (/^##\s/.test(raw)) break;
    const line = raw.replace(/^[\s>*+-]*/, '').replace(/\*\*|__/g, '');
    const [, key = '', value = ''] = /^([A-Za-z][A-Za-z _-]{2,20}):\s*(.*)$/.exec(line) ?? [];
    const field = key === '' ? undefined : fieldOf(key);
    if (field !== undefined) said.push({ field, value: value.trim(), line: skipped + n + 1 });
  }
  return said;
}

const headingOf = (lines: readonly string[]): string =>
  lines
    .find((line) => /^#\s+\S/.test(line))
    ?.replace(/^#\s+/, '')
    .replace(/\s+#+\s*$/, '')
    .trim() ?? '';

/** Without `Plan 0012:` before it. Left out: the words of the file's name. */
function titleOf(said: string, name: string): string {
  const plain = withoutNumber(said);
  return plain === '' ? name.slice(5).replace(/[-_]+/g, ' ') : plain.slice(0, MOST_OF_TITLE);
}
const MOST_OF_TITLE = 200;

const withoutNumber = (said: string): string =>
  said
    .replace(/^(?:plan\s+)?#?\d{1,4}\s*[:.—–-]\s*/i, '')
    .replace(/\s+/g, ' ')
    .trim();

/** A title that is read as it was written. The number of an issue at its end is kept. */
export function writtenTitle(text: string): string {
  const plain = withoutNumber(text).replace(/\s+#+$/, '');
  if (plain !== text) return writtenTitle(plain);
  if (plain.length <= MOST_OF_TITLE) return plain;
  const [issue = ''] = /\s*\(#\d{1,9}\)$/.exec(plain) ?? [];
  return `${plain
    .slice(0, MOST_OF_TITLE - issue.length)
    .toWellFormed()
    .trimEnd()}${issue}`;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : '';
}

const unquoted = (text: string): string => text.replace(/^["'`]+|["'`]+$/g, '').trim();

/** A list, or text with commas or spaces between its words. */
function wordsOf(value: unknown): readonly string[] {
  const all: readonly unknown[] = Array.isArray(value)
    ? value
    : textOf(value)
        .replace(/^\[|\]$/g, '')
        .split(/[,;]+/);
  return all.map((one) => unquoted(textOf(one))).filter((word) => word !== '');
}

/** `1`, `0001`, `#0001`, `0001-cart`, `0001-cart.md`, `[0001](0001-cart.md)`. */
function numberOf(word: string): string | null {
  const [, digits = ''] = /^\[?#?(?:plan\s+)?(?:.*\/)?(\d{1,4})(?![\p{L}\p{N}])/iu.exec(word) ?? [];
  return digits === '' ? null : digits.padStart(4, '0');
}
