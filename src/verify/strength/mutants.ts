// Mutants: small faults in the changed lines, to see whether the test detects them: a flipped comparison, a negated result, a number
// off by one, a removed statement. Pure. No fault should keep a program from loading.
import { entryOf } from '../../model/entry.ts';
import { closing, familyOf, tokensOf, type Family, type Token } from './tokens.ts';

export type Fault = 'result' | 'comparison' | 'condition' | 'arithmetic' | 'number' | 'text' | 'statement';
export type Mutant = {
  readonly file: string;
  readonly line: number;
  readonly fault: Fault;
  readonly was: string;
  readonly is: string;
  /** The whole text of the file with the fault in it. */
  readonly text: string;
};
export type ChangedFile = { readonly path: string; readonly before: string | null; readonly after: string };

const ORDER: readonly Fault[] = ['result', 'comparison', 'arithmetic', 'condition', 'number', 'statement', 'text'];
const FLIPPED: { readonly [mark: string]: readonly [string, Fault] } = {
  '===': ['!==', 'comparison'],
  '!==': ['===', 'comparison'],
  '==': ['!=', 'comparison'],
  '!=': ['==', 'comparison'],
  '<=': ['>', 'comparison'],
  '>=': ['<', 'comparison'],
  '<': ['>=', 'comparison'],
  '>': ['<=', 'comparison'],
  '&&': ['||', 'condition'],
  '||': ['&&', 'condition'],
  '+': ['-', 'arithmetic'],
  '-': ['+', 'arithmetic'],
  '*': ['+', 'arithmetic'],
  '/': ['*', 'arithmetic'],
  '+=': ['-=', 'arithmetic'],
  '-=': ['+=', 'arithmetic'],
};
const WORDS: { readonly [word: string]: string } = {
  true: 'false',
  false: 'true',
  True: 'False',
  False: 'True',
  and: 'or',
  or: 'and',
};

/** At most `most` mutants, spread over kinds and lines; deterministic. */
export function mutantsOf(files: readonly ChangedFile[], most: number): readonly Mutant[] {
  const all = files.flatMap(mutantsIn);
  const chosen: Mutant[] = [];
  const lines = new Set<string>();
  for (const isFresh of [true, false])
    for (let round = 0; round < most && chosen.length < most; round++)
      for (const fault of ORDER) {
        const at = all.findIndex((m) => m.fault === fault && (!isFresh || !lines.has(`${m.file}:${m.line}`)));
        const [mutant] = at < 0 ? [] : all.splice(at, 1);
        if (mutant === undefined || chosen.length >= most) continue;
        chosen.push(mutant);
        lines.add(`${mutant.file}:${mutant.line}`);
      }
  return chosen;
}

function mutantsIn({ path, before, after }: ChangedFile): Mutant[] {
  const family = familyOf(path);
  if (family === null) return [];
  const lines = new Set(changedLines(before, after));
  const tokens = tokensOf(after, family);
  const make = (from: number, to: number, is: string, line: number, fault: Fault): Mutant => ({
    file: path,
    line,
    fault,
    was: after.slice(from, to),
    is,
    text: `${after.slice(0, from)}${is}${after.slice(to)}`,
  });
  const passedBy = passedByOf(tokens, family);
  const inLine = tokens.flatMap((token, i): Mutant[] => {
    if (!lines.has(token.line) || passedBy.has(i)) return [];
    const change = changeAt(tokens, i, after, family);
    return change === null ? [] : [make(change.from, change.to, change.is, token.line, change.fault)];
  });
  const rows = after.split('\n');
  let offset = 0;
  const statements = rows.flatMap((row, i): Mutant[] => {
    const from = offset;
    offset += row.length + 1;
    if (!lines.has(i + 1) || !isStatement(row, rows[i - 1] ?? '', rows[i + 1] ?? '', family)) return [];
    const indent = /^\s*/.exec(row)?.[0].length ?? 0;
    return [make(from + indent, from + row.length, family === 'py' ? 'pass' : ';', i + 1, 'statement')];
  });
  return [...inLine, ...statements];
}

/** Tokens of imports, decorators and type declarations: a fault there is no fault in behaviour. */
function passedByOf(tokens: readonly Token[], family: Family): ReadonlySet<number> {
  const passed = new Set<number>();
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i];
    const isFirst = i === 0 || tokens[i - 1]?.kind === 'line' || tokens[i - 1]?.text === ';';
    if (token === undefined) continue;
    const next = tokens[i + 1]?.text;
    const isImport =
      isFirst &&
      (token.text === 'import' || token.text === 'from' || (token.text === 'export' && (next === '*' || next === '{')));
    const isType =
      family === 'js' &&
      isFirst &&
      (token.text === 'type' ||
        token.text === 'interface' ||
        (token.text === 'export' && (next === 'type' || next === 'interface')));
    const isRequire = family === 'js' && token.text === 'require' && next === '(';
    if (!isImport && !isType && !isRequire && !(isFirst && token.text === '@')) continue;
    let end = i;
    let depth = 0;
    for (; end < tokens.length; end++) {
      const { kind, text } = tokens[end] ?? { kind: 'line', text: '' };
      if (/^[([{]$/.test(text) && kind === 'mark') depth++;
      if (/^[)\]}]$/.test(text) && kind === 'mark') depth--;
      passed.add(end);
      if (depth <= 0 && end > i && (kind === 'line' || text === ';')) break;
    }
    i = end;
  }
  return passed;
}

type Change = { readonly from: number; readonly to: number; readonly is: string; readonly fault: Fault };

function changeAt(tokens: readonly Token[], i: number, text: string, family: Family): Change | null {
  const token = tokens[i];
  if (token === undefined) return null;
  const { from, to } = token;
  const before = tokens[i - 1];
  const after = tokens[i + 1];
  if (token.kind === 'word' && token.text === 'return') return turned(tokens, i, family);
  if (token.kind === 'mark' && token.text === '=>') return turned(tokens, i, family);
  if (token.kind === 'word') {
    const other = before?.text === '.' || after?.text === ':' ? undefined : entryOf(WORDS, token.text);
    return other === undefined ? null : { from, to, is: other, fault: 'condition' };
  }
  if (token.kind === 'number') {
    if (!/^\d+$/.test(token.text) || token.text.length > 15) return null;
    return { from, to, is: String(Number(token.text) + 1), fault: 'number' };
  }
  if (token.kind === 'string') return otherText(token, before, after, family);
  if (token.kind !== 'mark') return null;
  const flipped = entryOf(FLIPPED, token.text);
  if (flipped === undefined || before === undefined || after === undefined) return null;
  const isBinary =
    before.kind !== 'line' &&
    (before.kind !== 'mark' || /^[)\]}]$/.test(before.text)) &&
    !BEFORE_OPERAND.has(before.text);
  // Without spaces around them these are types, tags, or stars in a signature.
  const isSpaced = text[from - 1] === ' ' && /\s/.test(text[to] ?? '');
  return isBinary && isSpaced ? { from, to, is: flipped[0], fault: flipped[1] } : null;
}

const BEFORE_OPERAND = new Set([
  'return',
  'typeof',
  'case',
  'in',
  'of',
  'not',
  'and',
  'or',
  'if',
  'else',
  'yield',
  'lambda',
  'print',
  'export',
  'import',
  'function',
]);

/** A negated result: every value becomes a boolean, without throwing. */
function turned(tokens: readonly Token[], i: number, family: Family): Change | null {
  const [token, next, second] = [tokens[i], tokens[i + 1], tokens[i + 2]];
  if (token === undefined || next === undefined || next.kind === 'line') return null;
  if (next.kind === 'mark' && /^[;}{]$/.test(next.text) && !(token.text === 'return' && next.text === '{')) return null;
  if (['yield', 'lambda', 'async', 'function', 'class', 'await'].includes(next.text) && next.text !== 'await')
    return null;
  if (second?.text === '=>') return null;
  if (next.text === '(' && tokens[closing(tokens, i + 1) + 1]?.text === '=>') return null;
  return { from: token.to, to: token.to, is: family === 'js' ? ' !' : ' not', fault: 'result' };
}

function otherText(token: Token, before: Token | undefined, after: Token | undefined, family: Family): Change | null {
  const isKey = after?.text === ':' && (before?.text === '{' || before?.text === ',' || before?.kind === 'line');
  const isAlone =
    (before === undefined || before.kind === 'line') &&
    (after === undefined || after.kind === 'line' || after.text === ';');
  if (isKey || isAlone || !/^(?:"[^"]*"|'[^']*')$/.test(token.text)) return null;
  if (family === 'js' && (before?.text === 'case' || before?.text === 'from')) return null;
  const quote = token.text[0] ?? '"';
  return {
    from: token.from,
    to: token.to,
    is: token.text.length > 2 ? quote + quote : `${quote}-${quote}`,
    fault: 'text',
  };
}

/** A line that is one whole statement: a call, or an assignment to an existing variable. */
function isStatement(row: string, above: string, below: string, family: Family): boolean {
  const line = row.trim();
  if (!isBalanced(line)) return false;
  if (/^(?:[.?:&|+*/)\]}]|and\b|or\b)/.test(below.trim()) || /[,([{=+&|?:.\\]$/.test(above.trim())) {
    if (!(family === 'py' && above.trim().endsWith(':')) && !/[{;]$/.test(above.trim())) return false;
  }
  const subject = /^(?:await\s+)?(?:this\.|self\.)?[A-Za-z_$][\w$]*/.exec(line)?.[0] ?? '';
  if (subject === '' || NO_STATEMENT.test(subject)) return false;
  const isCall = /^(?:await\s+)?[\w$.]+\(.*\);?$/.test(line);
  const isChange =
    family === 'js'
      ? /^[\w$]+(?:\.[\w$]+|\[[^\]]*\])+\s*[-+*/]?=[^=].*;$|^[\w$]+\s*[-+*/]=.*;$/.test(line)
      : /^[\w]+(?:\.\w+|\[[^\]]*\])+\s*[-+*/]?=[^=]/.test(line);
  return (family === 'js' ? isCall && line.endsWith(';') : isCall) || isChange;
}

const NO_STATEMENT =
  /^(?:if|for|while|switch|return|throw|const|let|var|function|class|import|export|else|try|catch|def|with|raise|case|elif|assert|print|super)$/;

function isBalanced(line: string): boolean {
  let depth = 0;
  for (const c of line) {
    if (/[([{]/.test(c)) depth++;
    if (/[)\]}]/.test(c) && --depth < 0) return false;
  }
  return depth === 0;
}

/**
 * The text of a mutant as a runner that checks types loads it: a fault is often a type error, and a file that does not load shows nothing about
 * its test.
 */
export function withoutTypeCheck(path: string, text: string): string {
  if (!/\.[cm]?tsx?$/.test(path)) return text;
  const [head = '', ...rest] = text.split('\n');
  return head.startsWith('#!') ? [head, NO_CHECK, ...rest].join('\n') : `${NO_CHECK}\n${text}`;
}
const NO_CHECK = '// @ts-nocheck';

const MOST_COMPARED = 1_500;

/** Line numbers of `after`, from 1, that `before` does not have. In large texts everything between the common start and end counts. */
export function changedLines(before: string | null, after: string): readonly number[] {
  const now = after.split('\n');
  if (before === null) return now.map((_, i) => i + 1);
  const was = before.split('\n');
  let head = 0;
  while (head < was.length && head < now.length && was[head] === now[head]) head++;
  let tail = 0;
  while (tail < was.length - head && tail < now.length - head && was.at(-1 - tail) === now.at(-1 - tail)) tail++;
  const [a, b] = [was.slice(head, was.length - tail), now.slice(head, now.length - tail)];
  if (a.length > MOST_COMPARED || b.length > MOST_COMPARED) return b.map((_, i) => head + i + 1);
  const kept = keptOf(a, b);
  return b.flatMap((_, i) => (kept.has(i) ? [] : [head + i + 1]));
}

/** Indexes in `b` of a longest common subsequence of lines. */
function keptOf(a: readonly string[], b: readonly string[]): ReadonlySet<number> {
  const width = b.length + 1;
  const longest = new Uint16Array((a.length + 1) * width);
  const at = (i: number, j: number): number => longest[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      longest[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const kept = new Set<number>();
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) {
      kept.add(j);
      i++;
      j++;
    } else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
  return kept;
}
