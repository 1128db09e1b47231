// Positions in a JSON text: offsets of members and elements, line and column. JSON.parse gives values; this gives their
// places. Nothing here recurses, so deep nesting cannot overflow the stack.

/** An offset span of the text; `end` is exclusive. */
export type Span = { readonly start: number; readonly end: number };
/** `key` is decoded; `keySpan` holds the quotes. */
export type Member = { readonly key: string; readonly keySpan: Span; readonly value: Span };
export type Position = { readonly line: number; readonly column: number };

const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;

export function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && isSpace(text.charCodeAt(at))) at++;
  return at;
}

/** The end of the string that opens at `from`. */
function stringEnd(text: string, from: number): number {
  let at = from + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return text.length;
    let slashes = 0;
    while (text.charCodeAt(quote - 1 - slashes) === 0x5c) slashes++;
    if (slashes % 2 === 0) return quote + 1;
    at = quote + 1;
  }
}

/** The end of the value that begins at `from`. The text must be valid JSON. */
export function valueEnd(text: string, from: number): number {
  const first = text.charAt(from);
  if (first === '"') return stringEnd(text, from);
  if (first !== '{' && first !== '[') return scalarEnd(text, from);
  const sign = /["[\]{}]/g;
  sign.lastIndex = from;
  let depth = 0;
  while (sign.test(text)) {
    const at = sign.lastIndex - 1;
    const c = text.charCodeAt(at);
    if (c === 0x22) sign.lastIndex = stringEnd(text, at);
    else depth += c === 0x7b || c === 0x5b ? 1 : -1;
    if (depth === 0) return sign.lastIndex;
  }
  return text.length;
}

function scalarEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && !isSpace(text.charCodeAt(at)) && !',]}'.includes(text.charAt(at))) at++;
  return at;
}

/** The members of the object that opens at `from`, in order, duplicates included. Nothing where no object opens. */
export function* members(text: string, from: number): Generator<Member, void, undefined> {
  if (text[from] !== '{') return;
  let at = skipSpace(text, from + 1);
  while (text[at] === '"') {
    const { key, keySpan, start } = keyAt(text, at);
    const value = { start, end: valueEnd(text, start) };
    yield { key, keySpan, value };
    at = skipSpace(text, value.end);
    if (text[at] !== ',') return;
    at = skipSpace(text, at + 1);
  }
}

/** The key that opens at `at`, and where its value begins. */
function keyAt(text: string, at: number): { readonly key: string; readonly keySpan: Span; readonly start: number } {
  const keySpan = { start: at, end: stringEnd(text, at) };
  const key: string = JSON.parse(text.slice(keySpan.start, keySpan.end));
  return { key, keySpan, start: skipSpace(text, skipSpace(text, keySpan.end) + 1) };
}

/** Where the value of the first member with this key begins; the value, which may be megabytes, and what follows are not looked at. */
export function startOfMember(text: string, from: number, wanted: string): number | null {
  if (text[from] !== '{') return null;
  for (let at = skipSpace(text, from + 1); text[at] === '"';) {
    const { key, start } = keyAt(text, at);
    if (key === wanted) return start;
    at = skipSpace(text, valueEnd(text, start));
    if (text[at] !== ',') return null;
    at = skipSpace(text, at + 1);
  }
  return null;
}

/** The elements of the array that opens at `from`. Nothing where no array opens. */
export function* elements(text: string, from: number): Generator<Span, void, undefined> {
  if (text[from] !== '[') return;
  let at = skipSpace(text, from + 1);
  while (at < text.length && text[at] !== ']') {
    const span = { start: at, end: valueEnd(text, at) };
    yield span;
    at = skipSpace(text, span.end);
    if (text[at] !== ',') return;
    at = skipSpace(text, at + 1);
  }
}

/** The member with this key; of a repeated key the last one, as in JSON.parse. */
export function memberOf(text: string, from: number, key: string): Member | null {
  let found: Member | null = null;
  for (const member of members(text, from)) if (member.key === key) found = member;
  return found;
}

/** Deeper objects are not looked at: a file may be hostile. */
const DEEPEST = 4;

/** Keys that an object has more than once, of which JSON.parse keeps the last; `top`: the member of the outermost object that it is in. */
export function repeatedKeys(text: string, from: number): readonly { readonly key: string; readonly top: string }[] {
  const found: { readonly key: string; readonly top: string }[] = [];
  const open = [{ at: from, top: '', depth: 0 }];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const { at, top, depth } = one;
    if (depth > DEEPEST) continue;
    for (const { start } of elements(text, at)) open.push({ at: start, top, depth: depth + 1 });
    const seen = new Set<string>();
    for (const { key, value } of members(text, at)) {
      const outer = depth === 0 ? key : top;
      if (seen.has(key)) found.push({ key, top: outer });
      seen.add(key);
      open.push({ at: value.start, top: outer, depth: depth + 1 });
    }
  }
  return found;
}

/** Turns offsets into 1-based lines and columns; built once, then each answer is a binary search. */
export function positions(text: string): (offset: number) => Position {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
}
