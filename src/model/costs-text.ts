// Reads and writes the text of costs.yaml in the form that the harness itself writes, without a YAML library, which takes a second for the lines of
// ten thousand items. Owns that form: maps and lists of maps by indentation, and plain values. Whatever else a text has is for the library.

type Value = string | number | boolean | null | readonly Value[] | { readonly [key: string]: Value };
type Line = { readonly indent: number; readonly isEntry: boolean; readonly key: string; readonly value: string };

/** null: the text has something else in it. What it returns is what YAML says of the text. */
export function readPlainCosts(text: string): { readonly [key: string]: unknown } | null {
  const lines: Line[] = [];
  for (const line of text.replace(/^(?:#[^\r\n]*\n)*/, '').split('\n')) {
    if (line === '') continue;
    const [, spaces = '', dash = '', key = '', value = ''] = LINE.exec(line) ?? [];
    if (key === '') return null;
    lines.push({ indent: spaces.length + dash.length, isEntry: dash !== '', key, value });
  }
  try {
    const at = { n: 0 };
    const read = mapAt(lines, at, 0);
    return at.n === lines.length && lines.length > 0 ? read : null;
  } catch (error) {
    if (error instanceof OtherForm) return null;
    throw error;
  }
}

class OtherForm extends Error {}

/** The text that was read or written last, with what it says: it is read several times before it changes. */
let last: { readonly text: string; readonly says: unknown } | null = null;

/** What the text says. It is not to be changed. `parse`: of the library, for other forms; it may throw. */
export function costsIn(text: string, parse: (text: string) => unknown): unknown {
  if (last?.text !== text) last = { text, says: readPlainCosts(text) ?? parse(text) };
  return last.says;
}

export function keepCosts(text: string, says: unknown): void {
  last = { text, says };
}

/** An indentation, the dash of an entry, a key, and its value where it is on the line. */
const LINE = /^( {0,20})(- )?([A-Za-z][A-Za-z_]*):(?: (\S+))?$/;
const NUMBER = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,12})?$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
const QUOTED = /^"[A-Za-z0-9 _.,:+/-]*"$/;
/** Words that YAML reads as text. */
const WORD = /^(?!(?:true|false|null|yes|no|on|off|nan|inf)$)[A-Za-z][A-Za-z0-9_-]*$/i;

function valueOf(text: string): Value {
  if (NUMBER.test(text)) return Number(text);
  if (text === 'null') return null;
  if (text === 'true' || text === 'false') return text === 'true';
  if (text === '[]') return [];
  if (text === '{}') return {};
  if (QUOTED.test(text)) return text.slice(1, -1);
  if (TIME.test(text) || WORD.test(text)) return text;
  throw new OtherForm();
}

/** `indent`: of its keys. The first may be the one beside a dash. */
function mapAt(lines: readonly Line[], at: { n: number }, indent: number): { readonly [key: string]: Value } {
  const found: { [key: string]: Value } = {};
  for (let isFirst = true; ; isFirst = false) {
    const line = lines[at.n];
    if (line === undefined || line.indent < indent || (line.isEntry && !isFirst)) return found;
    if (line.indent !== indent || Object.hasOwn(found, line.key)) throw new OtherForm();
    at.n += 1;
    found[line.key] = line.value === '' ? below(lines, at, indent) : valueOf(line.value);
  }
}

function below(lines: readonly Line[], at: { n: number }, indent: number): Value {
  const first = lines[at.n];
  if (first === undefined || first.indent <= indent) throw new OtherForm();
  if (!first.isEntry) return mapAt(lines, at, indent + 2);
  const entries: Value[] = [];
  for (let line = lines[at.n]; line?.isEntry === true && line.indent === indent + 4; line = lines[at.n])
    entries.push(mapAt(lines, at, indent + 4));
  if (entries.length === 0) throw new OtherForm();
  return entries;
}

/** The lines of an item, which stay while it is the same object. */
const written = new WeakMap<object, string>();
const ENTRY = ' '.repeat(4);

/** The lines of the list of items; null: a value is not plain. */
export function itemLines(items: readonly { readonly [key: string]: unknown }[]): string | null {
  const parts: string[] = [];
  for (const item of items) {
    const lines = written.get(item) ?? linesOf(item, ENTRY.length + 2);
    if (lines === null) return null;
    written.set(item, lines);
    parts.push(`${ENTRY}- `, lines.trimStart());
  }
  return parts.join('');
}

/** null: a value is not plain, or there is none. */
function linesOf(map: { readonly [key: string]: unknown }, indent: number): string | null {
  const parts: string[] = [];
  for (const [key, value] of Object.entries(map)) {
    if (value === undefined) continue;
    const text = /^[A-Za-z][A-Za-z_]*$/.test(key) ? textOf(value, indent) : null;
    if (text === null) return null;
    parts.push(`${' '.repeat(indent)}${key}:${text}\n`);
  }
  return parts.length === 0 ? null : parts.join('');
}

/** What follows the colon. */
function textOf(value: unknown, indent: number): string | null {
  // The library writes -0 with its sign, which String leaves out.
  if (typeof value === 'number') return NUMBER.test(String(value)) && !Object.is(value, -0) ? ` ${value}` : null;
  if (typeof value === 'string' && value.length < LONGEST)
    return WORD.test(value) ? ` ${value}` : QUOTED.test(`"${value}"`) && !value.includes(' ') ? ` "${value}"` : null;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const lines = linesOf({ ...value }, indent + 2);
  return lines === null ? null : `\n${lines.trimEnd()}`;
}

/** The library breaks longer lines. */
const LONGEST = 40;
