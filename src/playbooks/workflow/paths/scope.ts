// Which files a session may change, by `scope` and `max_files` of state.json. `src`, `src/` and `src/**` are the folder and everything in it,
// `*.md` is such a name in any folder, `!gen/` excludes again. As in .gitignore, a pattern includes everything below what it matches.
import type { Problem } from '../../../model/verdict.ts';
import { NO_LIMIT } from '../file/state.ts';

/** Whether a path, relative and with slashes, is in the scope. An empty scope, and `.`, include everything. */
export function inScope(scope: string): (path: string) => boolean {
  const entries = entriesOf(scope);
  if (entries === null) return () => true;
  const [without, within] = [true, false].map((isNegated) =>
    entries.filter((entry) => entry.startsWith('!') === isNegated).map((entry) => matcherOf(entry.replace(/^!/, ''))),
  );
  const isAll = within?.length === 0;
  return (given) => {
    const path = given.normalize('NFC');
    return (isAll || within?.some((matches) => matches(path)) === true) && without?.some((one) => one(path)) !== true;
  };
}

/** The scope as arguments of a command that takes paths; `.` if it includes everything. Exclusions are left out. */
export function scopePaths(scope: string): readonly string[] {
  const within = (entriesOf(scope) ?? []).filter((entry) => !entry.startsWith('!'));
  return within.length === 0 ? ['.'] : within;
}

/** `src/a`, `*.md`, `!gen`, without quotes and needless slashes; null: no limit. */
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

type Matcher = (path: string) => boolean;

function matcherOf(entry: string): Matcher {
  const matchers = alternatives(entry).map((glob): Matcher => {
    const names = glob.split('/').filter((name) => name !== '');
    if (names.includes('..')) return () => false;
    while (names.at(-1) === '**') names.pop();
    const isAnywhere = !glob.includes('/') && WILD.test(glob);
    const steps = names.map((name): Step => (name === '**' ? ANY : nameMatcher(name)));
    if (isAnywhere) steps.unshift(ANY);
    return (path) => reaches(steps, path.split('/'), false);
  });
  return (path) => matchers.some((matches) => matches(path));
}

const WILD = /[*?[]/;
const MAX_ALTERNATIVES = 256;

/** `{a,b}` is two patterns. */
function alternatives(glob: string): readonly string[] {
  let all = [glob];
  for (;;) {
    const next = all.flatMap((one) => {
      const [whole, inside = ''] = /\{([^{}]*)\}/.exec(one) ?? [];
      if (whole === undefined) return [one];
      return inside.split(',').map((word) => one.replace(whole, () => word));
    });
    if (next.length === all.length && next.every((one, at) => one === all[at])) return all;
    if (next.length > MAX_ALTERNATIVES) return all;
    all = next;
  }
}

const ANY = Symbol('any number of them');
type Step = typeof ANY | ((one: string) => boolean);

/** All alternatives at once, so that no pattern is slow. `isWhole`: the steps match all of them; otherwise a beginning is enough. */
function reaches(steps: readonly Step[], all: readonly string[], isWhole: boolean): boolean {
  let here = new Set([0]);
  for (const step of steps) {
    const next = new Set<number>();
    if (step === ANY) for (let n = Math.min(...here); n <= all.length; n++) next.add(n);
    else for (const n of here) if (matchesAt(all, n, step)) next.add(n + 1);
    if (next.size === 0) return false;
    here = next;
  }
  return !isWhole || here.has(all.length);
}
const matchesAt = (all: readonly string[], n: number, matches: (one: string) => boolean): boolean => {
  const one = all[n];
  return one !== undefined && matches(one);
};

/** `*` and `?` within a name, `[a-z]` one character. */
function nameMatcher(pattern: string): (name: string) => boolean {
  if (!WILD.test(pattern)) return (name) => name === pattern;
  const pieces = pattern.match(/\*+|\[!?[^\]]+\]|[\s\S]/gu) ?? [];
  const steps = pieces.map((piece): Step => {
    if (piece.startsWith('*')) return ANY;
    if (piece === '?') return () => true;
    return piece.length > 2 && piece.startsWith('[') ? letterMatcher(piece.slice(1, -1)) : (char) => char === piece;
  });
  return (name) => reaches(steps, Array.from(name), true);
}

function letterMatcher(inside: string): (char: string) => boolean {
  const isNot = inside.startsWith('!');
  const pieces = inside.slice(isNot ? 1 : 0).match(/[\s\S]-[\s\S]|[\s\S]/gu) ?? [];
  const isListed = (char: string): boolean =>
    pieces.some((piece) => {
      const [from = '', dash, to] = Array.from(piece);
      return dash === undefined || to === undefined ? char === from : char >= from && char <= to;
    });
  return (char) => isListed(char) !== isNot;
}

type Bounds = {
  /** Paths that were changed. */
  readonly changed: readonly string[];
  readonly scope: string;
  readonly maxFiles: number;
  /** Folders and files of the workflow itself, which do not count: docs_path, `.harness`. */
  readonly own: readonly string[];
};

/** Changes outside of the scope, and more of them than allowed. `params.file` is the first of `ids`. */
export function outOfBounds({ changed, scope, maxFiles, own }: Bounds): readonly Problem[] {
  const ours = own.map((path) => path.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '')).filter((path) => path !== '');
  const counted = [...new Set(changed)].filter(
    (path) => !ours.some((one) => path === one || path.startsWith(`${one}/`)),
  );
  const isInScope = inScope(scope);
  const outside = counted.filter((path) => !isInScope(path));
  const problems: Problem[] = [];
  if (outside.length > 0)
    problems.push({
      code: 'out-of-scope',
      params: { file: outside[0] ?? '', count: outside.length, scope },
      ids: outside,
    });
  if (counted.length > maxFiles)
    problems.push({ code: 'too-many-files', params: { count: counted.length, max: maxFiles } });
  return problems;
}
