// Which files a session may change (reference 004, state.json `scope` and `max_files`): the scope as people write it, and what lies beyond.
// Pure. `src`, `src/` and `src/**` are the folder and all in it; `*.md` is such a name in any folder; `!gen/` leaves out again. As in
// .gitignore, what fits a pattern is in with everything below it.
import type { Problem } from '../../../model/verdict.ts';
import { NO_LIMIT } from '../file/state.ts';

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

type Fit = (path: string) => boolean;

function fitOf(entry: string): Fit {
  const fits = alternatives(entry).map((glob): Fit => {
    const names = glob.split('/').filter((name) => name !== '');
    if (names.includes('..')) return () => false;
    while (names.at(-1) === '**') names.pop();
    const isAnywhere = !glob.includes('/') && WILD.test(glob);
    const steps = names.map((name): Step<string> => (name === '**' ? ANY : nameFit(name)));
    if (isAnywhere) steps.unshift(ANY);
    return (path) => reaches(steps, path.split('/'), false);
  });
  return (path) => fits.some((fit) => fit(path));
}

const WILD = /[*?[]/;
const MOST_ALTERNATIVES = 256;

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
    if (next.length > MOST_ALTERNATIVES) return all;
    all = next;
  }
}

const ANY = Symbol('any number of them');
type Step<T> = typeof ANY | ((one: T) => boolean);

/** All ways at once, so that no pattern is slow. `isWhole`: to the last of them; else what is below fits too. */
function reaches<T>(steps: readonly Step<T>[], all: readonly T[], isWhole: boolean): boolean {
  let here = new Set([0]);
  for (const step of steps) {
    const next = new Set<number>();
    if (step === ANY) for (let at = Math.min(...here); at <= all.length; at++) next.add(at);
    else for (const at of here) if (at < all.length && step(all[at] as T)) next.add(at + 1);
    if (next.size === 0) return false;
    here = next;
  }
  return !isWhole || here.has(all.length);
}

/** `*` and `?` within a name, `[a-z]` a letter. */
function nameFit(pattern: string): (name: string) => boolean {
  if (!WILD.test(pattern)) return (name) => name === pattern;
  const pieces = pattern.match(/\*+|\[!?[^\]]+\]|[\s\S]/gu) ?? [];
  const steps = pieces.map((piece): Step<string> => {
    if (piece.startsWith('*')) return ANY;
    if (piece === '?') return () => true;
    return piece.length > 2 && piece.startsWith('[') ? lettersFit(piece.slice(1, -1)) : (sign) => sign === piece;
  });
  return (name) => reaches(steps, Array.from(name), true);
}

function lettersFit(inside: string): (sign: string) => boolean {
  const isNot = inside.startsWith('!');
  const pieces = inside.slice(isNot ? 1 : 0).match(/[\s\S]-[\s\S]|[\s\S]/gu) ?? [];
  const isOne = (sign: string): boolean =>
    pieces.some((piece) => {
      const [from = '', dash, to] = Array.from(piece);
      return dash === undefined || to === undefined ? sign === from : sign >= from && sign <= to;
    });
  return (sign) => isOne(sign) !== isNot;
}

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
