// The language of `harness log query`: selects lines of a log. Pure.
//
//   expression := term { [and] term | or expression }      and binds before or; not before both; ( ) group
//   term       := not term | ( expression ) | field op value | "words"
//   op         := = != (the whole text, * matches anything) | ~ !~ (contains) | < <= > >= (numbers, times, levels, ages)
//
// A field is a name of the line (`type`, `level`, `session`, `item`, `ts`) or of its data (`data.why`, or just `why`), or `age`, how long
// ago it was: `age < 2h`. A line without the field only matches negated terms. Case never matters.
import { entryOf } from '../model/entry.ts';
import type { Json } from '../model/json.ts';

export type LoggedLine = { readonly [field: string]: Json };
export type LogTest = (line: LoggedLine, nowMs: number) => boolean;
/** `at`: the position in the expression, from 0. */
export type QueryMistake = { readonly at: number; readonly what: string };
export type ParsedQuery = { readonly ok: true; readonly test: LogTest } | ({ readonly ok: false } & QueryMistake);

type QueryToken = { readonly at: number } & (
  | { readonly kind: 'word' | 'quoted'; readonly text: string }
  | { readonly kind: 'op'; readonly text: Op }
  | { readonly kind: '(' | ')' | 'end' }
);
const OPS = ['!=', '!~', '<=', '>=', '=', '~', '<', '>'] as const;
type Op = (typeof OPS)[number];

class QueryError extends Error {
  readonly at: number;
  constructor(at: number, what: string) {
    super(what);
    this.at = at;
  }
}

/** An empty expression matches every line. */
export function parseQuery(text: string): ParsedQuery {
  try {
    const tokens = tokensOf(text);
    if (tokens[0]?.kind === 'end') return { ok: true, test: () => true };
    const reader: TokenReader = { tokens, next: 0 };
    const test = anyOf(reader);
    const rest = peek(reader);
    if (rest.kind !== 'end') throw new QueryError(rest.at, 'a ")" without its "("');
    return { ok: true, test };
  } catch (error) {
    if (error instanceof QueryError) return { ok: false, at: error.at, what: error.message };
    throw error;
  }
}

function tokensOf(text: string): readonly QueryToken[] {
  const found: QueryToken[] = [];
  const skip = /\s*/y;
  const word = /[^\s()=!~<>"]+/y;
  const quoted = /"((?:[^"\\]|\\.)*)"/y;
  let at = 0;
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    return pattern.exec(text);
  };
  for (;;) {
    at += match(skip)?.[0].length ?? 0;
    if (at >= text.length) return [...found, { kind: 'end', at }];
    const sign = text[at];
    const op = OPS.find((one) => text.startsWith(one, at));
    const [whole, inside] = match(quoted) ?? match(word) ?? [];
    if (sign === '(' || sign === ')') found.push({ kind: sign, at });
    else if (op !== undefined) found.push({ kind: 'op', text: op, at });
    else if (whole === undefined)
      throw new QueryError(at, sign === '"' ? 'a quote that never ends' : `a stray ${sign}`);
    else if (inside !== undefined) found.push({ kind: 'quoted', text: inside.replace(/\\(.)/g, '$1'), at });
    else found.push({ kind: 'word', text: whole, at });
    at += op?.length ?? whole?.length ?? 1;
  }
}

type TokenReader = { readonly tokens: readonly QueryToken[]; next: number };
const peek = ({ tokens, next }: TokenReader): QueryToken => tokens[next] ?? { kind: 'end', at: 0 };
const take = (reader: TokenReader): QueryToken => {
  const token = peek(reader);
  reader.next += 1;
  return token;
};
const isWord = (token: QueryToken, text: string): boolean => token.kind === 'word' && token.text.toLowerCase() === text;

function anyOf(reader: TokenReader): LogTest {
  const all = [allOf(reader)];
  while (isWord(peek(reader), 'or')) {
    take(reader);
    all.push(allOf(reader));
  }
  return (line, now) => all.some((test) => test(line, now));
}

function allOf(reader: TokenReader): LogTest {
  const all = [one(reader)];
  for (
    let token = peek(reader);
    token.kind !== 'end' && token.kind !== ')' && !isWord(token, 'or');
    token = peek(reader)
  ) {
    if (isWord(token, 'and')) take(reader);
    all.push(one(reader));
  }
  return (line, now) => all.every((test) => test(line, now));
}

function one(reader: TokenReader): LogTest {
  const token = take(reader);
  if (isWord(token, 'not')) {
    const test = one(reader);
    return (line, now) => !test(line, now);
  }
  if (token.kind === '(') {
    const test = anyOf(reader);
    const end = take(reader);
    if (end.kind !== ')') throw new QueryError(end.at, 'a "(" without its ")"');
    return test;
  }
  const isJoint = isWord(token, 'and') || isWord(token, 'or');
  if ((token.kind !== 'word' && token.kind !== 'quoted') || isJoint)
    throw new QueryError(token.at, 'a field or a word is missing');
  const op = peek(reader);
  if (token.kind === 'quoted' || op.kind !== 'op') return contains(token.text);
  take(reader);
  const value = take(reader);
  if (value.kind !== 'word' && value.kind !== 'quoted')
    throw new QueryError(value.at, `a value is missing behind ${op.text}`);
  return compared(token.text, op.text, value.text, value.at);
}

const contains = (text: string): LogTest => {
  const wanted = text.toLowerCase();
  return (line) => JSON.stringify(line).toLowerCase().includes(wanted);
};

function compared(field: string, op: Op, value: string, at: number): LogTest {
  const wanted = value.toLowerCase();
  switch (op) {
    case '!=':
    case '!~': {
      const test = compared(field, op === '!=' ? '=' : '~', value, at);
      return (line, now) => !test(line, now);
    }
    case '=': {
      const pattern = new RegExp(`^${wanted.split('*').map(literally).join('.*')}$`, 's');
      return (line) => textsOf(line, field).some((text) => pattern.test(text));
    }
    case '~':
      return (line) => textsOf(line, field).some((text) => text.includes(wanted));
    default: {
      const bound = field === 'age' ? ageMs(value) : measureOf(field, value);
      if (bound === null) throw new QueryError(at, `${value} is neither a number nor a time, an age or a level`);
      return (line, now) => {
        const found = field === 'age' ? ageOf(line, now) : measureOf(field, fieldOf(line, field));
        return found !== null && typeof found === typeof bound && holds(found, op, bound);
      };
    }
  }
}

const holds = (a: number | string, op: '<' | '<=' | '>' | '>=', b: number | string): boolean =>
  op === '<' ? a < b : op === '<=' ? a <= b : op === '>' ? a > b : a >= b;

const literally = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

function fieldOf(line: LoggedLine, field: string): Json | undefined {
  const below = (from: Json | undefined, path: readonly string[]): Json | undefined =>
    path.reduce<Json | undefined>(
      (at, name) =>
        typeof at === 'object' && at !== null && !Array.isArray(at)
          ? Object.entries(at).find(([key]) => key.toLowerCase() === name)?.[1]
          : undefined,
      from,
    );
  const path = field.toLowerCase().split('.');
  return below(line, path) ?? below(line['data'], path);
}

/** A list matches if one of its elements does. */
function textsOf(line: LoggedLine, field: string): readonly string[] {
  const value = fieldOf(line, field);
  if (value === undefined || value === null) return [];
  const all = Array.isArray(value) ? value : [value];
  return all.map((each) => (typeof each === 'object' ? JSON.stringify(each) : String(each)).toLowerCase());
}

const LEVELS = ['debug', 'routine', 'important', 'critical'];

/** A number, or a text that sorts like its meaning (times in ISO 8601). Null: neither. */
function measureOf(field: string, value: Json | undefined): number | string | null {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return null;
  const rank = LEVELS.indexOf(value.toLowerCase());
  if (field === 'level') return rank < 0 ? null : rank;
  if (/^\d{4}-\d\d(-\d\d|$)/.test(value)) return value;
  return /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : null;
}

const UNITS: { readonly [unit: string]: number } = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

const ageOf = ({ ts }: LoggedLine, now: number): number | null =>
  typeof ts === 'string' ? now - Date.parse(ts) : null;

function ageMs(value: string): number | null {
  const [, count, unit = ''] = /^(\d+(?:\.\d+)?)([smhdw])$/i.exec(value) ?? [];
  return count === undefined ? null : Number(count) * (entryOf(UNITS, unit.toLowerCase()) ?? 0);
}
