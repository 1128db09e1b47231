// Reads a JSON file that holds a list of entries: every mistake at once, each with entry, field, line, column and what is allowed.
// A valid file costs one JSON.parse; offsets are computed only for mistakes.
import { failure, type Failure, type Params } from '../../model/failure.ts';
import type { Reason } from '../../model/reasons.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { syntaxFault } from '../../model/json-syntax.ts';
import { elements, memberOf, members, positions, repeatedKeys, skipSpace, type Span } from '../../model/json-text.ts';

/** What a field may hold; formats are lists of these rules. `allowed` is a type expression, the same in every language. */
export type FieldRule = {
  readonly name: string;
  readonly required: boolean;
  readonly allowed: string;
  fits(value: unknown): boolean;
};

export const isText = (v: unknown): boolean => typeof v === 'string';
export const isFilled = (v: unknown): boolean => typeof v === 'string' && v.trim() !== '';
export const isList = (item: (v: unknown) => boolean) => (v: unknown) => Array.isArray(v) && v.every(item);
export const isObject = (v: unknown): v is { [key: string]: unknown } =>
  typeof v === 'object' && v !== null && !Array.isArray(v);
export const isOneOf = (values: readonly string[]) => (v: unknown) => typeof v === 'string' && values.includes(v);
/** An id of one word: it is used in commits, logs and commands. */
export const isWord = (v: unknown): v is string =>
  typeof v === 'string' && /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,99}$/u.test(v);
/** An integer of at least this much. */
export const isAtLeast = (least: number) => (v: unknown) =>
  typeof v === 'number' && Number.isSafeInteger(v) && v >= least;
export const quoted = (values: readonly string[]): string => values.map((v) => `"${v}"`).join(' | ');

/** A path that names something inside the repository and cannot be taken for an option of a test runner. */
export function isInsidePath(value: unknown): boolean {
  if (typeof value !== 'string' || value.trim() === '' || value.length > 1_000) return false;
  // oxlint-disable-next-line no-control-regex
  if (/^[-/\\~]|^[A-Za-z]:|[\u0000-\u001f\u007f]/.test(value)) return false;
  return !value.split(/[/\\]/).includes('..');
}

export const rule = (name: string, allowed: string, fits: (v: unknown) => boolean, required = false): FieldRule => ({
  name,
  required,
  allowed,
  fits,
});

/** A mistake, before its line and column are known. `index` null: the file itself; `place`: an element of the field. */
export type Mistake = {
  readonly reason: Reason;
  readonly params: Params;
  readonly index: number | null;
  readonly field: string;
  readonly place?: number;
};
export type Fields = { readonly [key: string]: unknown };

/** One format: a file with a list of entries. */
export type Format = {
  /** The member that holds the list. */
  readonly list: string;
  /** What an entry is called. */
  readonly entry: 'Feature' | 'Plan' | 'Task';
  readonly file: readonly FieldRule[];
  readonly fields: readonly FieldRule[];
  /** Rules between the fields of an entry. */
  ofEntry?(fields: Fields, index: number): readonly Mistake[];
  /** Rules between entries. Called also where single entries have mistakes. */
  ofList?(list: readonly unknown[]): readonly Mistake[];
  /** Formats with fewer rules: what fits this one fits them. */
  readonly stricterThan?: readonly Format[];
};

/** More mistakes than this are counted, not listed. */
const MAX_LISTED = 500;

/** A large text that was read, and the formats that it fits. */
type KnownText = { readonly text: string; readonly value: unknown; readonly fits: Set<Format> };
/** The newest first. A list is read many times between two changes of it, by the same few texts: as it was, as it is, as it is committed. */
const recent: KnownText[] = [];
const MOST_RECENT = 3;
/** Smaller ones cost less than to look for them. */
const LEAST_LENGTH = 64 * 1024;

function recentText(text: string): KnownText | undefined {
  if (text.length < LEAST_LENGTH) return undefined;
  const place = recent.findIndex((one) => one.text === text);
  const [known] = place < 0 ? [] : recent.splice(place, 1);
  if (known !== undefined) recent.unshift(known);
  return known;
}

/** As `JSON.parse`. The value is shared between readers: none of them changes it. */
export function parseRecords(text: string): unknown {
  const known = recentText(text);
  if (known !== undefined) return known.value;
  const value: unknown = JSON.parse(text);
  if (text.length >= LEAST_LENGTH) {
    recent.unshift({ text, value, fits: new Set() });
    recent.length = Math.min(recent.length, MOST_RECENT);
  }
  return value;
}

/** Failure: `backlog-invalid` with `count` and one cause per mistake. The value is shared between readers: none of them changes it. */
export function readRecords<T>(text: string, file: string, format: Format): Result<T> {
  const known = recentText(text);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as below
  if (known?.fits.has(format) === true) return ok(known.value as T);
  const syntax = parsed(text, file);
  if (!syntax.ok) return syntax;
  const { value } = syntax;
  const refuse = (mistakes: readonly Mistake[]): Result<never> => refused(text, file, format.list, mistakes);
  if (!isObject(value)) {
    const allowed = `{ "${format.list}": ${format.entry.toLowerCase()}[] }`;
    const params = { field: '', allowed, got: shown(value) };
    return refuse([{ reason: 'backlog-field-invalid', params, index: null, field: '' }]);
  }
  const mistakes = fileMistakes(value, format.file);
  const list = value[format.list];
  if (Array.isArray(list)) {
    const rules = new Map(format.fields.map((rule) => [rule.name, rule]));
    for (const [index, entry] of list.entries()) entryMistakes(entry, index, { format, rules }, mistakes);
    idMistakes(list, format.list, mistakes);
    mistakes.push(...(format.ofList?.(list) ?? []));
  }
  if (keysIn(text) > keysOf(value)) mistakes.push(...repeated(text, format));
  if (mistakes.length > 0) return refuse(mistakes);
  const fits = recentText(text)?.fits;
  for (const one of [format, ...(format.stricterThan ?? [])]) fits?.add(one);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the rules of the format hold for every field of T
  return ok(value as T);
}

function parsed(text: string, file: string): Result<unknown> {
  try {
    return ok(parseRecords(text));
  } catch {
    const fault = syntaxFault(text) ?? { mistake: 'unexpected-character' as const, offset: 0 };
    const at = { file, ...positions(text)(fault.offset) };
    // Any other mistake names the character itself, or the character is invisible.
    const isTelling = fault.mistake === 'unexpected-character' || fault.mistake === 'missing-comma';
    const got = isTelling ? shown(text.slice(fault.offset, fault.offset + 1)) : '';
    return err(
      failure(
        'backlog-invalid',
        { file, count: 1 },
        { at, causes: [failure('backlog-syntax', { mistake: fault.mistake, got }, { at })] },
      ),
    );
  }
}

function fileMistakes(value: Fields, rules: readonly FieldRule[]): Mistake[] {
  const mistakes: Mistake[] = [];
  for (const rule of rules) {
    const got = value[rule.name];
    if (got === undefined || (got === null && !rule.required)) {
      if (!rule.required) continue;
      mistakes.push({
        reason: 'backlog-field-missing',
        params: { field: rule.name, allowed: rule.allowed },
        index: null,
        field: '',
      });
    } else if (!rule.fits(got)) {
      mistakes.push({
        reason: 'backlog-field-invalid',
        params: { field: rule.name, allowed: rule.allowed, got: shown(got) },
        index: null,
        field: rule.name,
      });
    }
  }
  return mistakes;
}

type Given = { readonly format: Format; readonly rules: ReadonlyMap<string, FieldRule> };

function entryMistakes(entry: unknown, index: number, { format, rules }: Given, into: Mistake[]): void {
  if (!isObject(entry)) {
    const params = { entry: format.entry, item: `[${index}]`, field: '', allowed: '{ … }', got: shown(entry) };
    into.push({ reason: 'entry-field-invalid', params, index, field: '' });
    return;
  }
  const name = { entry: format.entry, item: nameOf(entry, index) };
  for (const [field, got] of Object.entries(entry)) {
    const rule = rules.get(field);
    if (rule === undefined || (got === null && !rule.required) || rule.fits(got)) continue;
    into.push(invalid(name, index, rule, got));
  }
  for (const rule of format.fields)
    if (rule.required && !Object.hasOwn(entry, rule.name)) into.push(missing(name, index, rule));
  into.push(...(format.ofEntry?.(entry, index) ?? []));
}

/** How a mistake names an entry: by its id, else by its index. */
export const nameOf = ({ id }: Fields, index: number): string =>
  Number.isSafeInteger(id) || (typeof id === 'string' && id !== '') ? String(id) : `[${index}]`;

type Name = { readonly entry: string; readonly item: string };

export const missing = (name: Name, index: number, { name: field, allowed }: FieldRule): Mistake => ({
  reason: 'entry-field-missing',
  params: { ...name, field, allowed },
  index,
  field: '',
});

function invalid(name: Name, index: number, rule: FieldRule, value: unknown): Mistake {
  const bad = Array.isArray(value) ? value.findIndex((one) => !rule.fits([one])) : -1;
  const got = Array.isArray(value) && bad >= 0 ? value[bad] : value;
  return {
    reason: 'entry-field-invalid',
    params: { ...name, field: rule.name, allowed: rule.allowed, got: shown(got) },
    index,
    field: rule.name,
    ...(bad >= 0 ? { place: bad } : {}),
  };
}

/** At least the keys of the text: a string may look like one. */
const keysIn = (text: string): number => text.match(/"\s*:/g)?.length ?? 0;

function keysOf(value: unknown): number {
  let count = 0;
  const open: unknown[] = [value];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (typeof one !== 'object' || one === null) continue;
    if (!Array.isArray(one)) count += Object.keys(one).length;
    for (const inner of Object.values(one)) if (typeof inner === 'object' && inner !== null) open.push(inner);
  }
  return count;
}

/** Keys that are there twice: the first value would be lost without a word. */
function repeated(text: string, { list, entry }: Format): readonly Mistake[] {
  const root = skipSpace(text, 0);
  const found: Mistake[] = [];
  const seen = new Set<string>();
  for (const { key, value } of members(text, root)) {
    if (seen.has(key)) found.push({ reason: 'backlog-key-repeated', params: { field: key }, index: null, field: key });
    seen.add(key);
    if (key !== list) continue;
    let index = 0;
    for (const { start } of elements(text, value.start)) {
      for (const { key: twice, top } of repeatedKeys(text, start)) {
        const params = { entry, item: idAt(text, start, index), field: twice };
        found.push({ reason: 'entry-key-repeated', params, index, field: top });
      }
      index += 1;
    }
  }
  return found;
}

const idAt = (text: string, start: number, index: number): string => {
  const id = memberOf(text, start, 'id');
  return nameOf({ id: id === null ? undefined : JSON.parse(text.slice(id.value.start, id.value.end)) }, index);
};

function idMistakes(list: readonly unknown[], name: string, into: Mistake[]): void {
  const first = new Map<unknown, number>();
  for (const [index, entry] of list.entries()) {
    const id = isObject(entry) ? entry['id'] : undefined;
    if (typeof id !== 'number' && typeof id !== 'string') continue;
    const earlier = first.get(id);
    if (earlier === undefined) first.set(id, index);
    else {
      const params = { item: String(id), first: `${name}[${earlier}]` };
      into.push({ reason: 'entry-id-duplicate', params, index, field: 'id' });
    }
  }
}

function refused(text: string, file: string, list: string, mistakes: readonly Mistake[]): Result<never> {
  const placeOf = places(text, list, mistakes);
  const causes: Failure[] = mistakes
    .slice(0, MAX_LISTED)
    .map((m) => failure(m.reason, m.params, { at: { file, ...placeOf(m), key: keyOf(m, list) } }));
  causes.sort((a, b) => (a.at?.line ?? 0) - (b.at?.line ?? 0) || (a.at?.column ?? 0) - (b.at?.column ?? 0));
  const at = causes[0]?.at ?? { file };
  return err(failure('backlog-invalid', { file, count: mistakes.length }, { at, causes }));
}

function keyOf(m: Mistake, list: string): string {
  const field = m.field === '' ? String(m.params['field'] ?? '') : m.field;
  if (m.index === null) return field;
  return `${list}[${m.index}]${field === '' ? '' : `.${field}`}${m.place === undefined ? '' : `[${m.place}]`}`;
}

/** One walk over the text finds the entries that have mistakes; inside each only the field is looked for. */
function places(
  text: string,
  name: string,
  mistakes: readonly Mistake[],
): (m: Mistake) => { line: number; column: number } {
  const root = skipSpace(text, 0);
  const wanted = new Set(mistakes.map((m) => m.index));
  const spans = new Map<number, Span>();
  const list = memberOf(text, root, name);
  let index = 0;
  if (list !== null)
    for (const span of elements(text, list.value.start)) if (wanted.has(index++)) spans.set(index - 1, span);
  const position = positions(text);
  return (m) => {
    const parent = m.index === null ? root : (spans.get(m.index)?.start ?? root);
    if (m.field === '') return position(parent);
    const member = memberOf(text, parent, m.field);
    if (member === null) return position(parent);
    let start = member.value.start;
    if (m.place !== undefined) {
      let place = 0;
      for (const one of elements(text, start)) if (place++ === m.place) start = one.start;
    }
    return position(start);
  };
}

/** A value for an error message: short, on one line. */
export function shown(value: unknown): string {
  if (Array.isArray(value)) return '[…]';
  if (typeof value === 'object' && value !== null) return '{…}';
  const text = typeof value === 'string' ? JSON.stringify(value.slice(0, 60)) : String(value);
  return text.slice(0, 70);
}
