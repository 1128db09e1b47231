// 100,000 hostile paths over one tree: a path that the rules allow leads the file system to an unprotected place inside the root, and of paths
// with valid names the rules refuse exactly those that lead elsewhere. The resolver is the kernel (realpath), not our own.
import { execFileSync } from 'node:child_process';
import {
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix, win32 } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { amountOf, SEED } from '../../../../test/support/effort.ts';
import { NAME_RULES, PLACE_RULES, type PathContext, type PathKind } from './path-rules.ts';
import { foldOf, type PathFact } from '../../../model/path-fact.ts';

import { CONFIG_FILES } from '../../../model/config.ts';
import { judgePath } from './paths.ts';

const above = realpathSync(mkdtempSync(join(tmpdir(), 'paths-')));
const root = join(above, 'root');
afterAll(() => rmSync(above, { recursive: true }));

const FILES = [
  'src/a.ts',
  'src/b.ts',
  'src/ü.ts',
  'src/日本語.md',
  'src/deep/c.ts',
  'src/deep/er/d.ts',
  'lib/x.ts',
  'README.md',
  '.git/config',
  '.git/hooks/pre-commit',
  '.harness/state.json',
  'memory/team.md',
  'docs/harness/task/spec.md',

  'docs/guide.md',
  'out/task/spec.md',
  'out/other.md',
  'planner/x',
  'sub/.git/config',
  'sub/memory/x',
  '.gitignore',
  '-rf',
  'dot./x',
  'blank /x',
  'x:y',
  'a\\b',
  'cafe\u0301.ts',
  'con',
  'src/Case.ts',
  'src/case.ts',
  'a?b',
  '\u200b',
];
/** Names that Windows or a careless reader takes for another name, as a link to that name. */
const LINKS: { readonly [path: string]: string } = {
  near: 'src',
  'src/deep/up': '..',
  'src/deep/in': '../../lib',
  'src/deep/out': '../../..',
  'src/deep/escape': '../../../outside',
  chain: 'near/deep/up',
  top: '.',
  slash: 'src/',
  'dot-slash': './src/./deep//er/.',
  'node_modules/pkg': '../lib',
  abs: '/etc',
  above: '..',
  outside: '../outside',
  secret: '../outside/secret',
  file: 'src/a.ts',
  'file-slash': 'src/a.ts/',
  'file-dot': 'src/a.ts/.',
  'file-up': 'src/a.ts/..',
  itself: 'itself',
  ring: 'gnir',
  gnir: 'ring',
  lost: 'nowhere/a',
  'lost-up': 'nowhere/../src',
  through: 'src/a.ts/b',
  hidden: '.git',
  'hidden-deep': 'sub/.git',
  inner: '.harness',
  team: 'memory',
  task: 'docs/harness/task',
  artifacts: 'out/task',
  plan: 'planner',
  docs2: 'docs',
  dotted: 'dot.',
  'git~1': '.git',
  '.GIT': '.git',
  Memory: 'memory',
  '%2e%2e': '..',
  '‥': '..',
  '．．': '..',
  '...': '..',
  '~': '../outside',
  'C:': '/',
  aux: '../outside',
  'src/．．': '../..',
};
/** Links that leave the root and come back: the kernel resolves them inside, the rules refuse them. */
const BACK: { readonly [path: string]: string } = { 'abs-in': join(root, 'src'), roundabout: '../root/src' };

for (const file of FILES) {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), '');
}
mkdirSync(join(above, 'outside'));
writeFileSync(join(above, 'outside/secret'), '');
for (const file of ['lib/hard.ts', 'src/hard.ts', 'hard.ts']) linkSync(join(above, 'outside/secret'), join(root, file));
execFileSync('mkfifo', [join(root, 'lib/pipe')]);
for (const [path, target] of [...Object.entries(LINKS), ...Object.entries(BACK)]) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  symlinkSync(target, join(root, path));
}

const remembered = <T>(of: (path: string) => T) => {
  const known = new Map<string, T>();
  return (path: string): T => {
    const before = known.get(path);
    if (before !== undefined) return before;
    const value = of(path);
    if (known.size < 300_000) known.set(path, value);
    return value;
  };
};
const attempt = <T>(run: () => T): T | null => {
  try {
    return run();
  } catch {
    return null;
  }
};
const namesIn = remembered((folder) => attempt(() => readdirSync(folder)) ?? []);
const likeIn = (folder: string, name: string): readonly string[] => {
  const all = namesIn(folder);
  return all.includes(name) ? [] : all.filter((one) => foldOf(one) === foldOf(name));
};

/** The file system as a caller reads it. */
const look = remembered((path): PathFact => {
  const full = join(root, path);
  const alike = likeIn(dirname(full), posix.basename(path));
  const stat = attempt(() => lstatSync(full));
  if (stat === null) return { is: 'absent', alike };
  if (stat.isSymbolicLink()) return { is: 'link', target: readlinkSync(full), alike };
  if (stat.isFile()) return { is: 'file', names: stat.nlink, alike };
  return { is: stat.isDirectory() ? 'folder' : 'other', alike };
});

const DOCS_PATH = 'out/task/';
const isInScope = (path: string): boolean => !path.startsWith('src/deep/er');
const isFolderKind = (kind: PathKind): boolean => kind === 'output-dir' || kind === 'docs-path';

/** The kernel's resolution of the beginning of a path. null: there is nothing, or no way to it. */
const seen = remembered((path) => {
  const full = `${root}/${path}`;
  const own = attempt(() => lstatSync(full));
  const real = attempt(() => realpathSync.native(full));
  const end = attempt(() => statSync(full));
  return { own, real, end };
});
const isInside = (path: string): boolean => path === root || path.startsWith(`${root}/`);
const isOneOf = (path: string, folders: readonly string[]): boolean =>
  folders.some((folder) => path === folder || path.startsWith(`${folder}/`));

/** Real paths of the tree that a kind must not reach. */
function isProtected(real: string, kind: PathKind): boolean {
  const path = real.slice(root.length + 1);
  if (isOneOf(path, ['.git', 'sub/.git', 'dot.', 'blank '])) return true;
  if (!isFolderKind(kind)) return isOneOf(path, ['.harness', 'memory', 'docs/harness', 'out/task']);
  if (isOneOf(path, ['.harness', 'memory', 'planner'])) return true;
  return isOneOf(path, ['docs']) && !isOneOf(path, ['docs/harness']);
}

/** Whether a path with valid names may be used, by the kernel, and its real path. */
function resolved(path: string, kind: PathKind): string | null {
  const parts = path.split('/');
  let known = root;
  for (const [at, part] of parts.entries()) {
    const here = parts.slice(0, at + 1).join('/');
    const { own, real, end } = seen(here);
    if (Object.hasOwn(BACK, `${known}/${part}`.slice(root.length + 1))) return null;
    if (own === null) {
      if (at > 0 && seen(parts.slice(0, at).join('/')).end?.isDirectory() !== true) return null;
      if (likeIn(known, part).length > 0) return null;
      const rest = [known, ...parts.slice(at)].join('/');
      return isProtected(rest, kind) || isBase(rest, kind) ? null : rest;
    }
    if (own.isSymbolicLink() && (kind === 'diff-target' || at === parts.length - 1)) return null;
    if (end === null || real === null || !isInside(real)) return null;
    known = real;
  }
  const { end } = seen(path);
  if (isFolderKind(kind) ? end?.isDirectory() !== true : end?.isFile() !== true) return null;
  if (kind === 'diff-target' && (end?.nlink ?? 0) > 1) return null;
  return isProtected(known, kind) || isBase(known, kind) ? null : known;
}
const isBase = (real: string, kind: PathKind): boolean => {
  const path = real.slice(root.length + 1);
  return kind === 'docs-path' && (!path.includes('/') || path === 'docs/harness' || /(?:^|\/)memory$/i.test(path));
};

/** The specification of the validator, written a second time. */
function isRefusedBySpecification(given: string, kind: PathKind): boolean {
  if (isFolderKind(kind) && given === '') return true;
  const path = given.replaceAll('\\', '/');
  if (path.startsWith('/') || /^[A-Za-z]:\//.test(path)) return true;
  if (path.split('/').includes('..')) return true;
  const [first = '', second = ''] = path.split('/');
  if (isFolderKind(kind)) {
    const reserved = ['memory', 'spec', 'planner', 'generator', 'evaluator', 'verify', 'harness', '.harness'];
    return reserved.includes(first) || (first === 'docs' && second !== 'harness');
  }
  if (['.harness/', 'docs/harness/', 'memory/'].some((folder) => path.startsWith(folder))) return true;
  return kind === 'diff-target' && (path.startsWith('.git/') || !isInScope(path));
}

const isShort = (name: string): boolean => {
  const [base = '', end = '', ...more] = name.split('.');
  return base.length <= 8 && end.length <= 3 && more.length === 0 && /.~\d+$/.test(base);
};

/** As Windows reads it: dots and blanks at the end are removed, case does not count, devices are everywhere. */
function isSafeOnWindows(path: string, kind: PathKind): boolean {
  const full = win32.resolve('C:\\root', path);
  if (!full.startsWith('C:\\root\\')) return false;
  const names = full
    .slice('C:\\root\\'.length)
    .split('\\')
    .map((name) => name.replace(/[. ]+$/, '').toUpperCase());
  if (names.some((name) => name === '' || name === '.GIT' || isShort(name) || name.includes(':'))) return false;
  if (names.some((name) => /^(?:CON|PRN|AUX|NUL|COM\d|LPT\d)(?: *\.|$)/.test(name))) return false;
  const [first = '', second = ''] = names;
  if (isFolderKind(kind)) return !['MEMORY', '.HARNESS', 'PLANNER'].includes(first);
  return !['MEMORY', '.HARNESS'].includes(first) && !(first === 'DOCS' && second === 'HARNESS');
}

/** As macOS reads it: composition and case do not count, invisible characters are removed. */
const isSafeOnMac = (path: string): boolean =>
  path
    .normalize('NFD')
    .toLowerCase()
    .replace(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, '')
    .split('/')
    .every((name) => !['.git', '..', '.', ''].includes(name));

/** Every path through the tree, also through links, up to a depth. */
function waysFrom(folder: string, depth: number): readonly string[] {
  if (depth === 0) return [];
  return namesIn(join(root, folder)).flatMap((name) => {
    const path = folder === '' ? name : `${folder}/${name}`;
    const end = attempt(() => realpathSync.native(join(root, path)));
    const isEntered = end !== null && isInside(end) && attempt(() => statSync(end))?.isDirectory() === true;
    return [path, ...(isEntered ? waysFrom(path, depth - 1) : [])];
  });
}
const ways = fc.constantFrom(...waysFrom('', 4));
const plain = 'src deep lib near top up a.ts c.ts new new.ts docs harness out task memory readme.md SRC in'.split(' ');
const hostile = [
  '..',
  '.',
  '',
  '...',
  '.. ',
  '. .',
  '.git',
  '.GIT',
  '.git.',
  '.Git ',
  'git~1',
  'GIT~1.',
  '.g\u200cit',
  '.harness',
  'Memory',

  'DOCS',
  'con',
  'NUL.txt',
  'com1 .x',
  'a:b',
  'a.ts::$DATA',
  'C:',
  '%2e%2e',
  '%2F',
  '‥',
  '．．',
  'a／b',
  'a\\b',
  '..\\..',
  '\\',

  'x\0',
  'y\n',
  '\u202ex',
  'cafe\u0301',
  '\ud800',
  '\ufffd',
  ' a',
  'a ',
  'a\u00a0',
  '-rf',
  '~',
  '~root',
  'a*',
  'x'.repeat(256),
  './x',
  '℀',
  'a|b',
  '.gıt',
  '.ＧＩＴ',
  'planner',
  'Planner',
  '\u00ad.git',
];
const names = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...plain) },
  { weight: 4, arbitrary: fc.constantFrom(...Object.keys(LINKS), ...Object.keys(BACK)) },
  { weight: 3, arbitrary: fc.constantFrom(...hostile) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 6 }) },
);
const bases = fc.oneof(
  { weight: 3, arbitrary: ways },
  { weight: 2, arbitrary: fc.array(names, { minLength: 1, maxLength: 6 }).map((all) => all.join('/')) },
  { weight: 2, arbitrary: fc.tuple(ways, names).map(([way, name]) => `${way}/${name}`) },
  // Tested on their own: random paths hardly ever reach them.
  { weight: 1, arbitrary: fc.constantFrom(...CONFIG_FILES) },
);
/** One character inserted, removed or upper-cased, somewhere. */
const bent = fc
  .tuple(
    bases,
    fc.nat(),
    fc.constantFrom('put', 'cut', 'large', 'small'),
    fc.constantFrom('/', '\\', '.', ':', ' ', '~', '%', '?', '\0', '\u200b', '-'),
  )
  .map(([path, nat, how, sign]) => {
    const at = nat % (path.length + 1);
    const [before, here, after] = [path.slice(0, at), path.slice(at, at + 1), path.slice(at + 1)];
    if (how === 'put') return before + sign + here + after;
    if (how === 'cut') return before + after;
    return before + (how === 'large' ? here.toUpperCase() : here.toLowerCase()) + after;
  });
const around = fc
  .tuple(
    bases,
    fc.constantFrom('', './', '/', '//', '\\\\', 'C:', 'c:/', '../', './/'),
    fc.constantFrom('', '/', '//', '.', ' ', '/.', '/..', '\\'),
  )
  .map(([path, before, after]) => before + path + after);
const paths = fc.oneof(
  { weight: 5, arbitrary: bases },
  { weight: 3, arbitrary: bent },
  { weight: 1, arbitrary: around },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
);
const kinds = fc.constantFrom<PathKind>('output-dir', 'docs-path', 'file-reference', 'diff-target');
const NAMES = new Set(NAME_RULES.map(({ name }) => name));

const COUNT = amountOf(40_000, 80_000, 1_000_000);

test(`of ${COUNT} paths every allowed one is where the kernel says, inside the root and unprotected`, () => {
  const met = new Map<string, number>();
  fc.assert(
    fc.property(paths, kinds, (given, kind) => {
      const context: PathContext = { kind, docsPath: isFolderKind(kind) ? null : DOCS_PATH, isInScope };
      const verdict = judgePath(given, context, { get: look });
      const rule = verdict.isAllowed ? 'allowed' : verdict.rule;
      met.set(rule, (met.get(rule) ?? 0) + 1);
      if (!verdict.isAllowed && NAMES.has(rule)) return;
      expect(isRefusedBySpecification(given, kind)).toBe(false);
      // The others were judged by the file system: exactly as the kernel resolves them.
      const path = kind === 'diff-target' ? given : given.replaceAll('\\', '/').replace(/^(\.\/)+/, '');
      const cut = isFolderKind(kind) ? path.replace(/\/$/, '') : path;
      const place = resolved(cut, kind)?.slice(root.length + 1) ?? null;
      // The rules about names also apply to the target of links: they have tables of their own (paths.test.ts).
      const there = place === null || place === cut ? null : judgePath(place, context, { get: look });
      const real = there !== null && !there.isAllowed && NAMES.has(there.rule) ? null : place;
      expect(verdict).toEqual(
        real === null
          ? { isAllowed: false, rule: expect.any(String), part: expect.any(String) }
          : { isAllowed: true, path: cut, real },
      );
      if (!verdict.isAllowed) return;
      expect(posix.resolve(root, cut)).toBe(`${root}/${cut}`);
      expect([isSafeOnWindows(cut, kind), isSafeOnMac(cut)]).toEqual([true, true]);
    }),
    { numRuns: COUNT, seed: SEED },
  );
  // Every rule refused some, and enough paths were allowed.
  const silent = [...NAME_RULES, ...PLACE_RULES].filter(({ name }) => name !== 'unknown' && !met.has(name));
  expect(silent.map(({ name }) => name)).toEqual([]);
  expect(met.get('allowed')).toBeGreaterThan(5_000);
}, 600_000);
