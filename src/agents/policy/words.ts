// What a word of a shell line can be when it is run, as far as the line alone says it: a few known texts, with HOLE
// where something stands that nobody can know beforehand. Pure; a shell is read here, never run.
import type { ParameterExpansionPart, ParsedScript, SyntaxNode, Word, WordPart } from 'unbash';

/** Stands in a text for what is only known when the line runs. A private character, so that no line can write it. */
export const HOLE = '\uE000';
/** The texts a word can become, at least one. */
export type Arg = readonly string[];

/** More possibilities than this are one that nobody knows. */
const MOST_TEXTS = 48;

/** What words are read against: variables, folders, and how commands inside of words are read. */
export type Scope = {
  readonly home: string;
  readonly folders: readonly string[];
  readonly variable: (name: string) => Arg | null;
  /** Reads the commands of a substitution and says what it prints. */
  readonly output: (script: ParsedScript | undefined) => Arg;
  /** Reads the commands that stand anywhere in a part whose text is not worked out. */
  readonly inside: (part: SyntaxNode) => void;
};

type Piece = { readonly texts: Arg; readonly isQuoted: boolean };

/** The arguments a word becomes: one, or several where an unquoted variable holds blanks. */
export function argsOf(word: Word, scope: Scope): readonly Arg[] {
  const texts = textsOf(word, scope);
  const [only] = texts;
  const splits = (word.parts ?? []).some((part) => part.type.endsWith('Expansion') && part.type !== 'BraceExpansion');
  if (!splits || texts.length !== 1 || only === undefined || !/\s/.test(only)) return [texts];
  return only
    .split(/\s+/)
    .filter((text) => text !== '')
    .map((text) => [text]);
}

/** The texts of a word as one. */
export function textsOf(word: Word, scope: Scope): Arg {
  if (word.parts === undefined) return [word.text.startsWith('~') ? tilde(word.value, scope.home) : word.value];
  return joined(word.parts.map((part, at) => pieceOf(part, scope, at === 0)));
}

/** The texts of quoted or unquoted parts that stand side by side. */
export function joined(pieces: readonly Piece[]): Arg {
  let texts: readonly string[] = [''];
  for (const piece of pieces) {
    const next = texts.flatMap((before) => piece.texts.map((text) => before + text));
    texts = next.length > MOST_TEXTS ? texts.slice(0, 1).map((before) => before + HOLE) : next;
  }
  return [...new Set(texts)];
}

export function pieceOf(part: WordPart, scope: Scope, isFirst: boolean): Piece {
  const plain = (text: string): Piece => ({ texts: [text], isQuoted: false });
  switch (part.type) {
    case 'Literal':
      return plain(isFirst ? tilde(part.value, scope.home) : part.value);
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return { texts: [part.value], isQuoted: true };
    case 'DoubleQuoted':
    case 'LocaleString':
      return { texts: joined(part.parts.map((inner) => pieceOf(inner, scope, false))), isQuoted: true };
    case 'SimpleExpansion':
      return { texts: valueOf(part.text.replace(/^\$/, ''), scope), isQuoted: false };
    case 'ParameterExpansion':
      return { texts: expansion(part, scope), isQuoted: false };
    case 'CommandExpansion':
      return { texts: scope.output(part.script), isQuoted: false };
    case 'ProcessSubstitution':
      scope.output(part.script);
      return plain('/dev/fd/63');
    case 'ArithmeticExpansion':
      scope.inside(part);
      return plain('0');
    case 'Glob':
      scope.inside(part);
      return plain(part.kind === 'bracket' ? '?' : part.text);
    case 'ExtendedGlob':
      scope.inside(part);
      return plain('*');
    case 'BraceExpansion':
      scope.inside(part);
      return { texts: braces(part.text), isQuoted: false };
  }
}

const tilde = (text: string, home: string): string => {
  if (text === '~' || text.startsWith('~/')) return home + text.slice(1);
  return /^~[\w-]+/.test(text) ? `/home/${text.slice(1)}` : text;
};

function valueOf(name: string, scope: Scope): Arg {
  if (name === 'HOME') return [scope.home];
  if (name === 'PWD') return scope.folders;
  if (/^[?#$!]$/.test(name)) return ['0'];
  return scope.variable(name) ?? [HOLE];
}

function expansion(part: ParameterExpansionPart, scope: Scope): Arg {
  scope.inside(part);
  if (part.prefix === '#') return ['0'];
  if (part.prefix === '!' || part.index !== undefined) return [HOLE];
  const { operation } = part;
  const known = valueOf(part.parameter, scope);
  if (operation === undefined) return known;
  if (operation.type === 'Default') {
    const other = textsOf(operation.operand, scope);
    const isSet = !known.includes(HOLE);
    return isSet && !operation.operator.endsWith('+') ? known : [...known, ...other];
  }
  if (operation.type === 'Remove') {
    const patterns = textsOf(operation.operand, scope);
    const [pattern] = patterns;
    if (patterns.length !== 1 || pattern === undefined) return [HOLE];
    return known.map((text) => without(text, pattern, operation.operator));
  }
  return [HOLE];
}

/** `${X#p}`, `##`, `%`, `%%`: the shortest or longest match at one end is taken away. */
function without(text: string, pattern: string, operator: '#' | '##' | '%' | '%%'): string {
  if (text.length > 1_000 || pattern.length > 200) return HOLE;
  const fits = globPattern(pattern);
  const lengths = Array.from({ length: text.length + 1 }, (_, n) => n);
  if (operator.length === 2) lengths.reverse();
  for (const n of lengths) {
    if (operator.startsWith('#') && fits.test(text.slice(0, n))) return text.slice(n);
    if (operator.startsWith('%') && fits.test(text.slice(text.length - n))) return text.slice(0, text.length - n);
  }
  return text;
}

/** A glob as a pattern of whole texts. Stars in a row are one: a pattern of many would take for ever. */
export function globPattern(glob: string): RegExp {
  const body = glob
    .replace(/\*+/g, '*')
    .split('')
    .map((c) => (c === '*' ? '[^]*' : c === '?' || c === HOLE ? '[^]' : c.replace(/[\\^$.|+()[\]{}]/, '\\$&')))
    .join('');
  return (glob.match(/\*/g)?.length ?? 0) > 6 ? /^[^]*$/ : new RegExp(`^${body}$`, 'i');
}

/** `{a,b}` without nesting, `{1..9}` as a digit; anything richer is not known. */
function braces(text: string): Arg {
  if (/^\{-?\d+\.\.-?\d+(\.\.\d+)?\}$/.test(text)) return ['0'];
  const inner = /^\{([^{}$`'"\\]*)\}$/.exec(text)?.[1];
  if (inner === undefined || !inner.includes(',')) return [HOLE];
  const texts = inner.split(',');
  return texts.length > MOST_TEXTS ? [HOLE] : texts;
}
