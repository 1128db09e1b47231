// How a diff names its file: `--- a/<path>`, `+++ b/<path>`, in the quotes of git or without, and what can be wrong with a diff.
import { entryOf } from '../../../model/entry.ts';

export const DIFF_FAULTS = {
  'no-hunk': 'nothing in it says what to change',
  'no-header': 'a change without the two lines that name its file',
  name: 'a name that is not a/<path> or b/<path>, or two names that are not the same',
  rename: 'a rename or a copy',
  binary: 'a change of a binary file',
  mode: 'a change of a mode, a link or a submodule',
  hunk: 'a hunk that is not whole',
} as const;
export type DiffFault = keyof typeof DIFF_FAULTS;
/** Never leaves the reader of diffs. */
export class Unread extends Error {
  readonly fault: DiffFault;
  readonly line: string;
  constructor(fault: DiffFault, line: string) {
    super(fault);
    this.fault = fault;
    this.line = line.slice(0, 200);
  }
}

export const NONE = '/dev/null';

export type Names = {
  readonly path: string;
  /** `made`, `gone`: it is not there before, or after. */
  readonly kind: 'made' | 'changed' | 'gone';
  readonly raw: readonly [string, string];
};

export function namesOf(old: string, now: string): Names {
  const before = nameIn(old.slice(4), 'a/', old);
  const after = nameIn(now.slice(4), 'b/', now);
  const path = after.path ?? before.path;
  if (path === null || (before.path !== null && path !== before.path)) throw new Unread('name', `${old} ${now}`);
  const kind = before.path === null ? 'made' : after.path === null ? 'gone' : 'changed';
  return { path, kind, raw: [before.raw, after.raw] };
}

/** A tab ends a name; what follows is a time. */
function nameIn(rest: string, prefix: string, line: string): { path: string | null; raw: string } {
  if (rest.startsWith('"')) {
    const [raw = ''] = /^"(?:[^"\\]|\\.)*"/.exec(rest) ?? [];
    const name = raw === '' ? null : unquoted(raw.slice(1, -1));
    const tail = rest.slice(raw.length);
    if (name === null || !name.startsWith(prefix) || !/^(?:\t.*)?$/.test(tail)) throw new Unread('name', line);
    return { path: name.slice(2), raw };
  }
  const [raw = ''] = rest.split('\t');
  if (raw === NONE) return { path: null, raw };
  if (!raw.startsWith(prefix) || raw.length === prefix.length) throw new Unread('name', line);
  return { path: raw.slice(2), raw };
}

/** The line of git's own names the same file, in the same words or in quotes. */
export function isSame(said: string, { path, raw }: Names): boolean {
  const inWords = (prefix: string): readonly string[] => [
    `${prefix}${path}`,
    ...raw.filter((one) => one.startsWith(`"${prefix}`)),
    // Of the name that is /dev/null, in the quotes of the other.
    ...raw.filter((one) => one.startsWith('"')).map((one) => `"${prefix}${one.slice(3)}`),
  ];
  return inWords('a/').some((a) => inWords('b/').some((b) => said === `${a} ${b}`));
}

const ESCAPES: { readonly [letter: string]: number } = {
  a: 7,
  b: 8,
  t: 9,
  n: 10,
  v: 11,
  f: 12,
  r: 13,
  '"': 34,
  '\\': 92,
};

/** As git quotes; null: it would not. */
function unquoted(text: string): string | null {
  const bytes: number[] = [];
  for (const [piece] of text.matchAll(/\\[0-3][0-7]{2}|\\.|[^\\]+|\\/gsu)) {
    const code = piece[1] === undefined ? undefined : entryOf(ESCAPES, piece[1]);
    if (!piece.startsWith('\\')) bytes.push(...new TextEncoder().encode(piece));
    else if (piece.length === 4) bytes.push(Number.parseInt(piece.slice(1), 8));
    else if (code === undefined || piece.length !== 2) return null;
    else bytes.push(code);
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}

/** Always in quotes but for the plainest names: a blank in a name makes git guess. */
export function quoted(name: string): string {
  if (/^[\w./@+,=-]+$/.test(name)) return name;
  const escaped = Array.from(name, (sign) => {
    if (sign === '"' || sign === '\\') return `\\${sign}`;
    return sign < ' ' || sign === '\u007f' ? `\\${sign.charCodeAt(0).toString(8).padStart(3, '0')}` : sign;
  });
  return `"${escaped.join('')}"`;
}
