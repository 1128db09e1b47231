// Source text as tokens, for JavaScript, TypeScript and Python: enough to find calls, operators and literals without
// being misled by comments and strings. It knows no grammar and skips what it cannot read.

export type Family = 'js' | 'py';
export type TokenKind = 'word' | 'number' | 'string' | 'mark' | 'line';
export type Token = {
  readonly kind: TokenKind;
  readonly text: string;
  /** Offsets into the text. */
  readonly from: number;
  readonly to: number;
  /** From 1. */
  readonly line: number;
};

export function familyOf(path: string): Family | null {
  if (/\.[cm]?[jt]sx?$/.test(path)) return 'js';
  return /\.pyi?$/.test(path) ? 'py' : null;
}

const JS_MARKS =
  /^(?:>>>=|\.\.\.|===|!==|\*\*=|<<=|>>=|>>>|&&=|\|\|=|\?\?=|=>|==|!=|<=|>=|&&|\|\||\?\?|\?\.|\+\+|--|\+=|-=|\*=|\/=|%=|&=|\|=|\^=|\*\*|<<|[^\s\w$])/;
const PY_MARKS =
  /^(?:\*\*=|\/\/=|>>=|<<=|\.\.\.|:=|->|==|!=|<=|>=|\*\*|\/\/|\+=|-=|\*=|\/=|%=|&=|\|=|\^=|@=|<<|>>|[^\s\w])/;
const WORD = /^[\p{L}_$][\p{L}\p{N}_$]*/u;
const NUMBER = /^(?:0[xob][\da-f_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:e[+-]?\d+)?)n?j?/i;
/** After these a slash starts a regular expression. */
const BEFORE_REGEX = new Set([
  'return',
  'typeof',
  'case',
  'in',
  'of',
  'delete',
  'void',
  'throw',
  'new',
  'else',
  'do',
  'await',
  'yield',
]);

export function tokensOf(text: string, family: Family): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  let line = 1;
  const push = (kind: TokenKind, length: number): void => {
    const piece = text.slice(at, at + length);
    tokens.push({ kind, text: piece, from: at, to: at + length, line });
    skip(length);
  };
  const skip = (length: number): void => {
    for (let i = at; i < at + length; i++) if (text[i] === '\n') line++;
    at += Math.max(1, length);
  };
  while (at < text.length) {
    const c = text[at] ?? '';
    const rest = text.slice(at, at + 80);
    if (c === '\n') push('line', 1);
    else if (/\s/.test(c)) skip(1);
    else if (family === 'py' && c === '\\' && text[at + 1] === '\n') skip(2);
    else if (family === 'py' && c === '#') skip(toLineEnd(text, at));
    else if (family === 'js' && rest.startsWith('//')) skip(toLineEnd(text, at));
    else if (family === 'js' && rest.startsWith('#!') && at === 0) skip(toLineEnd(text, at));
    else if (family === 'js' && rest.startsWith('/*')) skip(past(text, at + 2, '*/') - at);
    else if (family === 'py' && /^[a-z]{0,2}(?:"""|''')/i.test(rest)) push('string', tripleEnd(text, at) - at);
    else if (family === 'py' && /^[rbuf]{0,2}["']/i.test(rest))
      push('string', quoteEnd(text, at + rest.search(/["']/)) - at);
    else if (family === 'js' && (c === '"' || c === "'")) push('string', quoteEnd(text, at) - at);
    else if (family === 'js' && c === '`') push('string', templateEnd(text, at) - at);
    else if (family === 'js' && c === '/' && beginsRegex(tokens)) push('string', regexEnd(text, at) - at);
    else {
      const word = WORD.exec(rest);
      const number = word === null ? NUMBER.exec(rest) : null;
      if (word !== null) push('word', wordEnd(text, at) - at);
      else if (number !== null) push('number', number[0].length);
      else push('mark', ((family === 'js' ? JS_MARKS : PY_MARKS).exec(rest)?.[0] ?? c).length);
    }
  }
  return tokens;
}

function wordEnd(text: string, at: number): number {
  let end = at;
  while (end < text.length && /[\p{L}\p{N}_$]/u.test(text[end] ?? '')) end++;
  return Math.max(end, at + 1);
}

const toLineEnd = (text: string, at: number): number => {
  const end = text.indexOf('\n', at);
  return (end < 0 ? text.length : end) - at;
};

function past(text: string, from: number, word: string): number {
  const end = text.indexOf(word, from);
  return end < 0 ? text.length : end + word.length;
}

function quoteEnd(text: string, at: number): number {
  const quote = text[at];
  for (let i = at + 1; i < text.length; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === quote) return i + 1;
    else if (text[i] === '\n') return i;
  }
  return text.length;
}

function tripleEnd(text: string, at: number): number {
  const start = at + text.slice(at).search(/["']/);
  const mark = text.slice(start, start + 3);
  for (let i = start + 3; i < text.length; i++) {
    if (text[i] === '\\') i++;
    else if (text.startsWith(mark, i)) return i + 3;
  }
  return text.length;
}

/** A template is one literal, including its expressions. */
function templateEnd(text: string, at: number): number {
  let depth = 0;
  for (let i = at + 1; i < text.length; i++) {
    const c = text[i];
    if (c === '\\') i++;
    else if (depth === 0 && c === '`') return i + 1;
    else if (c === '$' && text[i + 1] === '{') {
      depth++;
      i++;
    } else if (depth > 0 && c === '{') depth++;
    else if (depth > 0 && c === '}') depth--;
    else if (depth > 0 && c === '`') i = templateEnd(text, i) - 1;
  }
  return text.length;
}

function beginsRegex(tokens: readonly Token[]): boolean {
  const last = tokens.findLast((t) => t.kind !== 'line');
  if (last === undefined) return true;
  if (last.kind === 'word') return BEFORE_REGEX.has(last.text);
  return last.kind === 'mark' && !/^[)\]}]$|^\+\+$|^--$/.test(last.text);
}

function regexEnd(text: string, at: number): number {
  let inClass = false;
  for (let i = at + 1; i < text.length; i++) {
    const c = text[i];
    if (c === '\\') i++;
    else if (c === '\n') return at + 1;
    else if (c === '[') inClass = true;
    else if (c === ']') inClass = false;
    else if (c === '/' && !inClass) {
      let end = i + 1;
      while (/[a-z]/.test(text[end] ?? '')) end++;
      return end;
    }
  }
  return text.length;
}

const OPEN = new Set(['(', '[', '{']);
const CLOSE = new Set([')', ']', '}']);

/** Index of the bracket that closes the one at `open`; the end if none does. */
export function closing(tokens: readonly Token[], open: number): number {
  let depth = 0;
  for (let i = open; i < tokens.length; i++) {
    const { kind, text } = tokens[i] ?? { kind: 'line', text: '' };
    if (kind !== 'mark') continue;
    if (OPEN.has(text)) depth++;
    else if (CLOSE.has(text) && --depth === 0) return i;
  }
  return tokens.length;
}

/** The tokens between brackets cut at their top-level commas; none for empty brackets. */
export function argumentsOf(tokens: readonly Token[], open: number, close: number): readonly (readonly Token[])[] {
  const found: Token[][] = [[]];
  let depth = 0;
  for (const token of tokens.slice(open + 1, close)) {
    if (token.kind === 'line') continue;
    if (token.kind === 'mark' && OPEN.has(token.text)) depth++;
    if (token.kind === 'mark' && CLOSE.has(token.text)) depth--;
    if (depth === 0 && token.kind === 'mark' && token.text === ',') found.push([]);
    else found.at(-1)?.push(token);
  }
  return found.filter((one) => one.length > 0);
}
