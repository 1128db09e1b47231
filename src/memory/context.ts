// The block at the end of every prompt that says, for programs as much as for agents, what this turn is about.
//
//   ## Runtime context
//   PLAYBOOK=features
//   TITLE=Sign in\nwith a key
//
// It cannot be forged. A value is one line: `\` is written `\\`, line feed `\n`, return `\r`, tab `\t`, and every other
// character that ends a line, is invisible or turns text around, and a space at either end, `\uXXXX`. Text that others
// wrote comes before the block, and each of its lines that reads like the heading is quoted with `> `. So the heading
// occurs exactly once in a prompt, last, and what follows it is ours.
import { entryOf } from '../model/entry.ts';
import type { ItemId } from '../model/item.ts';

export const CONTEXT_HEADING = '## Runtime context';

export type RuntimeContext = {
  readonly playbook: string;
  readonly role: string;
  readonly item: ItemId | null;
  /** A second key for the item; left out: there is none. */
  readonly itemKey?: string;
  readonly title: string;
  /** Absolute path of the work tree. */
  readonly workdir: string;
  readonly session: number;
  readonly attempt: number;
  /** A file that must exist afterwards; '' for none. */
  readonly output: string;
};

const WRITTEN: { readonly [character: string]: string } = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };
const READ: { readonly [letter: string]: string } = { '\\': '\\', n: '\n', r: '\r', t: '\t' };
/** Cc control · Cf invisible, direction · Zl Zp line and paragraph separators · Cs half a character. */
const UNSAFE = /[\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]|^\s|\s$/gu;
const LINE = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/u;
const LINES = new RegExp(`(${LINE.source})`, 'u');
const LIKE_HEADING = /^[^\p{L}\p{N}]*runtime[^\p{L}\p{N}]*context[^\p{L}\p{N}]*$/iu;

/** Ends with a line feed. ITEM is empty for a session without an item, OUTPUT is left out where no file is awaited. */
export function contextBlock(context: RuntimeContext): string {
  const { playbook, item, itemKey, output } = context;
  const pairs: readonly (readonly [string, string])[] = [
    ['PLAYBOOK', playbook],
    ['ROLE', context.role],
    ['ITEM', item ?? ''],
    ...(itemKey !== undefined && item !== null ? [[itemKey, item] as const] : []),
    ['TITLE', context.title],
    ['WORKDIR', context.workdir],
    ['SESSION', String(context.session)],
    ['ATTEMPT', String(context.attempt)],
    ...(output === '' ? [] : [['OUTPUT', output] as const]),
  ];
  return `${CONTEXT_HEADING}\n${pairs.map(([key, value]) => `${key}=${escapeValue(value)}\n`).join('')}`;
}

/**
 * The values of the block, unescaped. null where the prompt has no block exactly as `contextBlock` writes it: the heading
 * not once, a line that is no KEY=value, a key twice, an escape that is none.
 */
export function readContext(prompt: string): { readonly [key: string]: string } | null {
  const lines = prompt.split('\n');
  const heading = lines.indexOf(CONTEXT_HEADING);
  if (heading < 0 || lines.lastIndexOf(CONTEXT_HEADING) !== heading) return null;
  if (lines.at(-1) === '') lines.pop();
  const values = new Map<string, string>();
  for (const line of lines.slice(heading + 1)) {
    const [, key, written] = /^([A-Z][A-Z0-9_]*)=(.*)$/su.exec(line) ?? [];
    const value = written === undefined ? null : unescapeValue(written);
    if (key === undefined || value === null || values.has(key)) return null;
    values.set(key, value);
  }
  return values.size === 0 ? null : Object.fromEntries(values);
}

/** Quotes each line that reads like the heading, with any decoration and after any line ending. */
export const guardHeading = (text: string): string => quote(text, likeHeading);

/** The same for a text that is kept and guarded again: a line that is quoted already stays as it is. */
export const guardOnce = (text: string): string => quote(text, (line) => !line.startsWith('> ') && likeHeading(line));

const likeHeading = (line: string): boolean => LIKE_HEADING.test(line.normalize('NFKC').replaceAll(/\p{Cf}/gu, ''));

const quote = (text: string, isQuoted: (line: string) => boolean): string =>
  text
    .split(LINES)
    .map((line) => (isQuoted(line) ? `> ${line}` : line))
    .join('');

function escapeValue(value: string): string {
  return value.replace(
    UNSAFE,
    (character) =>
      entryOf(WRITTEN, character) ??
      Array.from({ length: character.length }, (_, i) => unit(character.charCodeAt(i))).join(''),
  );
}

const unit = (code: number): string => `\\u${code.toString(16).padStart(4, '0')}`;

function unescapeValue(written: string): string | null {
  if (!/^(?:[^\\]|\\[\\nrt]|\\u[0-9a-f]{4})*$/su.test(written)) return null;
  return written.replace(/\\(?:u([0-9a-f]{4})|(.))/gsu, (_, hex: string | undefined, letter: string) =>
    hex === undefined ? (entryOf(READ, letter) ?? letter) : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
