// The first place where a text stops being JSON, with a name for the mistake. Used only after JSON.parse refused it.
import { skipSpace } from './json-text.ts';

export type SyntaxMistake =
  | 'byte-order-mark'
  | 'empty'
  | 'trailing-comma'
  | 'missing-comma'
  | 'comment'
  | 'single-quotes'
  | 'unquoted-key'
  | 'unterminated-string'
  | 'line-break-in-string'
  | 'bad-escape'
  | 'unexpected-end'
  | 'unexpected-character'
  | 'text-after-the-end';
export type SyntaxFault = { readonly mistake: SyntaxMistake; readonly offset: number };

/** New per call: a sticky pattern keeps its position. */
const scalar = () => /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y;

/** null where the text is JSON. */
export function syntaxFault(text: string): SyntaxFault | null {
  if (text.charCodeAt(0) === 0xfeff) return { mistake: 'byte-order-mark', offset: 0 };
  let at = skipSpace(text, 0);
  if (at === text.length) return { mistake: 'empty', offset: 0 };
  const value = scalar();
  const open: ('{' | '[')[] = [];
  let want: 'value' | 'first' | 'key' | 'first-key' | 'after' = 'value';
  for (;;) {
    at = skipSpace(text, at);
    const c = text.charAt(at);
    const inside = open.at(-1);
    if (want === 'after') {
      if (inside === undefined) return at === text.length ? null : { mistake: 'text-after-the-end', offset: at };
      if (c === (inside === '{' ? '}' : ']')) open.pop();
      else if (c === ',') {
        const next = text.charAt(skipSpace(text, at + 1));
        if (next === '}' || next === ']') return { mistake: 'trailing-comma', offset: at };
        want = inside === '{' ? 'key' : 'value';
      } else return between(text, at);
      at++;
    } else if ((want === 'first' && c === ']') || (want === 'first-key' && c === '}')) {
      open.pop();
      want = 'after';
      at++;
    } else if (want === 'key' || want === 'first-key') {
      if (c !== '"') return odd(text, at, true);
      const end = stringOrFault(text, at);
      if (typeof end !== 'number') return end;
      at = skipSpace(text, end);
      if (text[at] !== ':') return odd(text, at, false);
      at++;
      want = 'value';
    } else if (c === '{' || c === '[') {
      open.push(c);
      want = c === '{' ? 'first-key' : 'first';
      at++;
    } else if (c === '"') {
      const end = stringOrFault(text, at);
      if (typeof end !== 'number') return end;
      at = end;
      want = 'after';
    } else {
      value.lastIndex = at;
      if (!value.test(text)) return odd(text, at, false);
      at = value.lastIndex;
      want = 'after';
    }
  }
}

function between(text: string, at: number): SyntaxFault {
  const c = text.charAt(at);
  if (c === '"' || c === '{' || c === '[' || /[\w-]/.test(c)) return { mistake: 'missing-comma', offset: at };
  return odd(text, at, false);
}

function odd(text: string, at: number, key: boolean): SyntaxFault {
  const c = text.charAt(at);
  if (c === '') return { mistake: 'unexpected-end', offset: text.length };
  if (c === '/' || c === '#') return { mistake: 'comment', offset: at };
  if (c === "'") return { mistake: 'single-quotes', offset: at };
  if (key && /[A-Za-z_$]/.test(c)) return { mistake: 'unquoted-key', offset: at };
  return { mistake: 'unexpected-character', offset: at };
}

/** The end of the string that opens at `from`, or what is wrong in it. */
function stringOrFault(text: string, from: number): number | SyntaxFault {
  for (let at = from + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at + 1;
    if (code < 0x20) return { mistake: 'line-break-in-string', offset: at };
    if (code === 0x5c) {
      if (!/^(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/.test(text.slice(at + 1, at + 6))) {
        return { mistake: 'bad-escape', offset: at };
      }
      at++;
    }
  }
  return { mistake: 'unterminated-string', offset: from };
}
