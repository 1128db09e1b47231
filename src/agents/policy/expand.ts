// Word expansion: what a word of a shell line becomes when the shell runs it. A part that only the running shell knows is
// UNKNOWN. Pure.
import { isAbsolute, resolve } from 'node:path';
import type { ParameterExpansionPart, ParsedScript, SyntaxNode, Word, WordPart } from 'unbash';

/** Marks a part of a text that is only known at run time. A private character: a line that contains it is refused. */
export const UNKNOWN = '\uE000';
/** The same for the contents of a file: code in files is not judged. */
export const FILE_CONTENTS = '\uE001';
export const isDynamic = (text: string): boolean => text.includes(UNKNOWN) || text.includes(FILE_CONTENTS);
/** The absolute path; UNKNOWN if the path can be anywhere. */
export const resolveFrom = (folder: string, path: string): string =>
  isDynamic(path.slice(0, 1)) || (isDynamic(folder.slice(0, 1)) && !isAbsolute(path)) ? UNKNOWN : resolve(folder, path);

const MAX_WORDS = 48;

export type ShellScope = {
  readonly home: string;
  readonly variable: (name: string) => string;
  /** Reads the commands of a substitution and returns what they print. */
  readonly output: (script: ParsedScript | undefined) => string;
  /** Reads the commands of every substitution below a node whose own text is not worked out. */
  readonly visit: (node: SyntaxNode) => void;
};

/** The words that a word becomes: several by braces, and by blanks in an unquoted expansion. */
export function expandWord({ parts, text, value }: Word, scope: ShellScope): readonly string[] {
  if (parts === undefined) return [text.startsWith('~') ? expandTilde(value, scope.home) : value];
  let words: readonly string[] = [''];
  for (const [at, part] of parts.entries()) {
    const next = part.type === 'BraceExpansion' ? expandBraces(part, scope) : [expandPart(part, scope, at === 0)];
    words = words.flatMap((before) => next.map((after) => before + after));
    if (words.length > MAX_WORDS) words = [UNKNOWN];
  }
  const isSplit =
    text.includes('$@') || parts.some(({ type }) => type.endsWith('Expansion') && type !== 'BraceExpansion');
  return isSplit ? words.flatMap((word) => word.split(/\s+/).filter((field) => field !== '')) : words;
}

export const expandParts = (parts: readonly WordPart[], scope: ShellScope): string =>
  parts.map((part) => expandPart(part, scope, false)).join('');

function expandPart(part: WordPart, scope: ShellScope, isFirst: boolean): string {
  switch (part.type) {
    case 'Literal':
      return isFirst ? expandTilde(part.value, scope.home) : part.value;
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return part.value;
    case 'DoubleQuoted':
    case 'LocaleString':
      return expandParts(part.parts, scope);
    case 'SimpleExpansion':
      return scope.variable(part.text.slice(1));
    case 'ParameterExpansion':
      return expandParameter(part, scope);
    case 'CommandExpansion':
      return scope.output(part.script);
    case 'ProcessSubstitution':
      scope.output(part.script);
      return '/dev/fd/63';
    default:
      scope.visit(part);
      if (part.type === 'Glob') return part.kind === 'bracket' ? '?' : part.text;
      return { ArithmeticExpansion: '0', ExtendedGlob: '*', BraceExpansion: UNKNOWN }[part.type];
  }
}

const expandTilde = (text: string, home: string): string =>
  /^~(\/|$)/.test(text) ? home + text.slice(1) : text.replace(/^~(?=[\w-])/, '/home/');

function expandParameter(part: ParameterExpansionPart, scope: ShellScope): string {
  scope.visit(part);
  const { operation, parameter, prefix, index } = part;
  if (prefix !== undefined || index !== undefined) return prefix === '#' ? '0' : UNKNOWN;
  const value = scope.variable(parameter);
  if (operation === undefined) return value;
  if (operation.type === 'Default') return operation.operator.endsWith('+') ? UNKNOWN : value;
  return operation.type === 'Remove' ? withoutMatch(value, operation.operand.value, operation.operator) : UNKNOWN;
}

/** `${X#p}` removes the shortest match at the beginning and `##` the longest, `%` and `%%` the same at the end. */
function withoutMatch(text: string, pattern: string, operator: '#' | '##' | '%' | '%%'): string {
  if (text.length > 256 || /[$`]|\*.*\*/.test(pattern)) return UNKNOWN;
  if (operator.startsWith('#')) {
    const star = operator === '#' ? '[^]*?' : '[^]*';
    return text.replace(new RegExp(`^${globSource(pattern, star)}`), '');
  }
  return text.replace(new RegExp(`^(${operator === '%' ? '[^]*' : '[^]*?'})${globSource(pattern)}$`), '$1');
}

/** A glob as the source of a regular expression; consecutive stars count as one. */
export const globSource = (glob: string, star = '[^]*'): string =>
  glob.replace(/\*+|[^]/g, (sign) =>
    sign.startsWith('*') ? star : sign === '?' || isDynamic(sign) ? '[^]' : sign.replace(/[\\^$.|+()[\]{}]/, '\\$&'),
  );

/** `{a,b}` without nesting; `{1..9}` as one number; anything else is unknown. */
function expandBraces(part: Extract<WordPart, { type: 'BraceExpansion' }>, scope: ShellScope): readonly string[] {
  scope.visit(part);
  if (/^\{-?\d+\.\.-?\d+(\.\.\d+)?\}$/.test(part.text)) return ['0'];
  return /^\{([^{}$`'"\\]*,[^{}$`'"\\]*)\}$/.exec(part.text)?.[1]?.split(',') ?? [UNKNOWN];
}
