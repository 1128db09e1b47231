// Which files a session may change (reference 004, state.json `scope` and `max_files`): the scope as people write it, and what lies beyond.
// Pure. `src`, `src/` and `src/**` are the folder and all in it; `*.md` is such a name in any folder; `!gen/` leaves out again. As in
// .gitignore, what fits a pattern is in with everything below it.
import type { Problem } from '../../model/verdict.ts';
import { NO_LIMIT } from './state.ts';

/** Whether a path, relative and with slashes, is in the scope. Without one, or with `.`, everything is. */
export function inScope(scope: string): (path: string) => boolean {
  const entries = entriesOf(scope);
  if (entries === null) return () => true;
  const [without, within] = [true, false].map((isNegated) =>
    entries.filter((entry) => entry.startsWith('!') === isNegated).map((entry) => fitOf(entry.replace(/^!/, ''))),
  );
  const isAll = within?.length === 0;
  return (given) => {
    const path = given.normalize('NFC');
    return (isAll || within?.some((fits) => fits(path)) === true) && without?.some((fits) => fits(path)) !== true;
  };
}

/** What a command that takes paths is told: what is in the scope, `.` where it is everything. What is left out is not in it. */
export function scopePaths(scope: string): readonly string[] {
  const within = (entriesOf(scope) ?? []).filter((entry) => !entry.startsWith('!'));
  return within.length === 0 ? ['.'] : within;
}

/** null: no limit. Each `src/a`, `*.md`, `!gen`, without what only decorates it. */
function entriesOf(scope: string): readonly string[] | null {
  const text = scope.trim();
  if (text === '' || text.toLowerCase() === NO_LIMIT) return null;
  const words = text.match(/(?:"[^"]*"|'[^']*'|\{[^{}]*\}|[^\s,])+/g) ?? [];
  const entries = words
    .map((word) => word.replace(/["'`]/g, '').replaceAll('\\', '/').normalize('NFC'))
    .map((word) => word.replace(/^(!?)(?:\.?\/)+(?=[^/])/, '$1').replace(/(?<=[^/])\/+$/, ''))
    .filter((word) => word !== '' && word !== '!');
  const isAll = entries.some((entry) => ['.', './', '/', '*', '**', '**/*'].includes(entry));
  const limited = isAll ? entries.filter((entry) => entry.startsWith('!')) : entries;
  return limited.length === 0 ? null : limited;
}

function fitOf(entry: string): (path: string) => boolean {
  if (entry.split('/').includes('..')) return () => false;
  if (!/[*?[{]/.test(entry)) return (path) => path === entry || path.startsWith(`${entry}/`);
  const folder = entry.replace(/(?:\/\*\*)+$/, '');
  const anywhere = folder.includes('/') || entry !== folder ? '' : '(?:.*/)?';
  const pattern = new RegExp(`^${anywhere}${patternOf(folder)}(?:/.*)?$`, 'su');
  return (path) => pattern.test(path);
}

/** `**` any folders, `*` and `?` within a name, `{a,b}` one of them, `[a-z]` a letter. */
function patternOf(glob: string): string {
  const whole = glob.replace(/\*{3,}/g, '**').replace(/(?:\*\*\/)+/g, '**/');
  const pieces = whole.match(/\*\*\/|\*\*|\*|\?|\[!?[^\]/]+\]|\{[^{}]*\}|[\s\S]/gu) ?? [];
  return pieces
    .map((piece) => {
      if (piece === '**/') return '(?:.*/)?';
      if (piece === '**') return '.*';
      if (piece === '*') return '[^/]*';
      if (piece === '?') return '[^/]';
      if (piece.length > 2 && piece.startsWith('{'))
        return `(?:${piece.slice(1, -1).split(',').map(patternOf).join('|')})`;
      if (piece.length > 2 && piece.startsWith('[')) return classOf(piece.slice(1, -1));
      return literal(piece);
    })
    .join('');
}

/** A range that ends before it begins is no pattern: its letters are meant. */
function classOf(inside: string): string {
  const [not, letters] = inside.startsWith('!') ? ['^', inside.slice(1)] : ['', inside];
  const signs = letters.replace(/[\\\]^[&~|]/g, (sign) => `\\u{${sign.charCodeAt(0).toString(16)}}`);
  try {
    return new RegExp(`[${not}${signs}]`, 'u').source;
  } catch {
    return literal(`[${inside}]`);
  }
}

const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

export type Bounds = {
  /** Paths that a session changed. */
  readonly changed: readonly string[];
  readonly scope: string;
  readonly maxFiles: number;
  /** Folders and files of the workflow itself, which count for nothing: docs_path, `.harness`. */
  readonly own: readonly string[];
};

/** What a session changed beyond what it may. `params.file` is the first of `ids`. */
export function outOfBounds({ changed, scope, maxFiles, own }: Bounds): readonly Problem[] {
  const ours = own.map((path) => path.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '')).filter((path) => path !== '');
  const counted = [...new Set(changed)].filter(
    (path) => !ours.some((one) => path === one || path.startsWith(`${one}/`)),
  );
  const isInScope = inScope(scope);
  const beyond = counted.filter((path) => !isInScope(path));
  const problems: Problem[] = [];
  if (beyond.length > 0)
    problems.push({
      code: 'out-of-scope',
      params: { file: beyond[0] ?? '', count: beyond.length, scope },
      ids: beyond,
    });
  if (counted.length > maxFiles)
    problems.push({ code: 'too-many-files', params: { count: counted.length, max: maxFiles } });
  return problems;
}
