// The rules one by one: an example of each, known attacks, drives and case. Many at once: paths-fuzz.test.ts.
import { describe, expect, test } from 'vitest';
import { NAME_RULES, PLACE_RULES, type PathContext, type PathKind } from './path-rules.ts';
import type { PathFact } from '../../../model/path-fact.ts';
import { walk } from './path-walk.ts';
import { judgePath, judgePathIn } from './paths.ts';

const RULES = [...NAME_RULES, ...PLACE_RULES];
const ABSENT: PathFact = { is: 'absent', alike: [] };
const FOLDER: PathFact = { is: 'folder', alike: [] };
const FILE: PathFact = { is: 'file', names: 1, alike: [] };
const link = (target: string): PathFact => ({ is: 'link', target, alike: [] });
const contextOf = (kind: PathKind = 'file-reference'): PathContext => ({
  kind,
  docsPath: 'out/task/',
  isInScope: (path) => !path.startsWith('elsewhere/'),
});
/** Paths that are not named do not exist. */
const factsOf = (some: { readonly [path: string]: PathFact | null } = {}) => ({
  get: (path: string): PathFact | undefined => (path in some ? (some[path] ?? undefined) : ABSENT),
});
const judged = (path: string, kind?: PathKind, some?: { readonly [path: string]: PathFact | null }) =>
  judgePath(path, contextOf(kind), factsOf(some));
const ruleOf = (path: string, kind?: PathKind): string | null => {
  const verdict = judged(path, kind);
  return verdict.isAllowed ? null : verdict.rule;
};
const KINDS: readonly PathKind[] = ['output-dir', 'docs-path', 'file-reference', 'diff-target'];
const BOTH_FILES: readonly PathKind[] = ['file-reference', 'diff-target'];

/** For each rule a path that it alone refuses. `facts`: what exists. */
const EXAMPLES: {
  readonly [rule: string]: {
    readonly path: string;
    readonly kind?: PathKind;
    readonly facts?: { readonly [path: string]: PathFact | null };
  };
} = {
  empty: { path: '' },
  malformed: { path: 'src/\ud800.ts' },
  control: { path: 'src/a\0.ts' },
  invisible: { path: '.g\u200cit/config' },
  'too-long': { path: `src/${'é'.repeat(128)}` },
  unc: { path: '//server/share' },
  absolute: { path: '/etc/passwd' },
  drive: { path: 'C:temp' },
  stream: { path: 'src/a.ts::$DATA' },
  backslash: { path: 'src\\a.ts', kind: 'diff-target' },
  parent: { path: 'src/../lib/a.ts', facts: { src: FOLDER } },
  'dot-segment': { path: 'src/./a.ts' },
  'empty-segment': { path: 'src//a.ts' },
  'look-alike': { path: '．．/etc/passwd' },
  encoded: { path: '%2e%2E/a.ts' },
  'not-composed': { path: 'src/cafe\u0301.ts' },
  'blank-or-dot-at-the-edge': { path: 'src/a.ts.' },
  device: { path: 'src/Nul.txt' },
  'short-name': { path: 'GIT~1/config' },
  wildcard: { path: 'src/a?.ts' },
  option: { path: '--output=a' },
  home: { path: '~root/a' },
  'git-folder': { path: 'vendor/.GIT/hooks/pre-commit' },
  reserved: { path: 'Planner/out', kind: 'output-dir' },
  'other-docs': { path: 'docs/other', kind: 'output-dir' },
  'no-slug': { path: 'docs/harness/memory', kind: 'docs-path' },
  'harness-folder': { path: 'memory/team.md' },
  configuration: { path: '.harness.yaml', kind: 'diff-target' },
  artifact: { path: 'out/task/spec.md' },
  'out-of-scope': { path: 'elsewhere/a.ts', kind: 'diff-target' },
  unknown: { path: 'src/a.ts', facts: { src: FOLDER, 'src/a.ts': null } },
  'link-out': { path: 'up/a.ts', facts: { up: link('src/../..'), src: FOLDER } },
  'link-lost': { path: 'round/a.ts', facts: { round: link('round') } },
  'below-a-file': { path: 'a.ts/b.ts', facts: { 'a.ts': FILE } },
  'link-itself': { path: 'a.ts', facts: { 'a.ts': link('b.ts'), 'b.ts': FILE } },
  'link-in-diff': { path: 'lib/a.ts', kind: 'diff-target', facts: { lib: link('src'), src: FOLDER, 'src/a.ts': FILE } },
  'link-to-refused': { path: 'x/config', facts: { x: link('.git'), '.git': FOLDER, '.git/config': FILE } },
  'other-spelling': { path: 'readme.md', facts: { 'readme.md': { is: 'absent', alike: ['README.md'] } } },
  'no-file': { path: 'src', facts: { src: FOLDER } },
  'no-folder': { path: 'out', kind: 'output-dir', facts: { out: FILE } },
  'hard-linked': { path: 'a.ts', kind: 'diff-target', facts: { 'a.ts': { is: 'file', names: 2, alike: [] } } },
};
const exampleOf = (rule: string) => EXAMPLES[rule] ?? { path: '' };

describe('every rule', () => {
  test('has an example', () => expect(Object.keys(EXAMPLES)).toEqual(RULES.map(({ name }) => name)));

  test.each(RULES)('$name refuses $refuses', ({ name }) => {
    const { path, kind, facts } = exampleOf(name);
    expect(judged(path, kind, facts)).toMatchObject({ isAllowed: false, rule: name });
  });

  test.each(RULES)('$name is needed: without it its example passes', ({ name }) => {
    const { path, kind, facts } = exampleOf(name);
    const others = RULES.filter((rule) => rule.name !== name);
    expect(judgePath(path, contextOf(kind), factsOf(facts), others)).toMatchObject({ isAllowed: true });
  });

  test('has a name of its own', () => {
    expect(new Set(RULES.map(({ name }) => name)).size).toBe(RULES.length);
  });
});

describe('known attacks', () => {
  test.each<readonly [string, string]>([
    ['.harness', 'reserved'],
    ['docs/../../etc', 'parent'],
    ['\\\\server\\share', 'unc'],
    ['/absolute/path', 'absolute'],
    ['memory/foo', 'reserved'],
    ['', 'empty'],
  ])('--output-dir %j is refused: %s', (path, rule) => {
    expect(ruleOf(path, 'output-dir')).toBe(rule);
  });

  test.each([
    ['C:/x', 'drive'],
    ['c:\\x', 'drive'],
    ['//server/share', 'unc'],
    ['\\absolute', 'absolute'],
    ['a\\..\\b', 'parent'],
    ['..', 'parent'],
    ...'memory spec planner generator evaluator verify harness .harness'
      .split(' ')
      .flatMap((name) => [name, `${name}/`, `${name}/x`].map((path) => [path, 'reserved'])),
    ['docs', 'other-docs'],
    ['docs/', 'other-docs'],
    ['docs/other/x', 'other-docs'],
    ['docs/harnessed', 'other-docs'],
    ['docs/Harness/x', 'other-docs'],
    ['DOCS/harness', 'other-docs'],
  ])('step by step, --output-dir %j: %s', (path = '', rule) => {
    expect(ruleOf(path, 'output-dir')).toBe(rule);
  });

  test.each(['docs/harness', 'docs/harness/', 'docs\\harness\\task', 'out', 'build/memory', 'a/spec', '..a', 'a..b/c'])(
    '--output-dir %j is no attack',
    (path) => {
      const plain = path.replaceAll('\\', '/').replace(/\/$/, '');
      expect(judged(path, 'output-dir')).toEqual({ isAllowed: true, path: plain, real: plain });
    },
  );

  test.each(['.harness/state.json', 'docs/harness/task/spec.md', 'memory/team.md', '/etc/passwd', '../x', 'a/../../x'])(
    'the file %j is refused, to read and to change',
    (path) => {
      for (const kind of BOTH_FILES) expect(ruleOf(path, kind)).not.toBe(null);
    },
  );

  test('a diff stays out of .git and inside the scope', () => {
    expect(ruleOf('.git/config', 'diff-target')).toBe('git-folder');
    expect(ruleOf('elsewhere/a.ts', 'diff-target')).toBe('out-of-scope');
    expect(ruleOf('elsewhere/a.ts', 'file-reference')).toBe(null);
  });

  test.each<readonly [string, string | null]>([
    ['docs/harness/task/', null],
    ['out/task/', null],
    ['docs/harness/memory/', 'no-slug'],
    ['docs/harness/', 'no-slug'],
    ['docs/harness', 'no-slug'],
    ['out/', 'no-slug'],
    ['out/..', 'parent'],
    ['docs/harness/task/../memory', 'parent'],
    ['docs/harness//', 'empty-segment'],
    ['docs/harness/ /', 'blank-or-dot-at-the-edge'],
  ])('artifacts in %j may be deleted unless %s', (path, rule) => {
    expect(ruleOf(path, 'docs-path')).toBe(rule);
  });
});

/** Spellings that a file system may take for the same name. */
const spellings = (name: string): readonly string[] => [
  name,
  name.toUpperCase(),
  name.replace(/[a-z]/, (sign) => sign.toUpperCase()),
  name.replace(/[a-z]$/, (sign) => sign.toUpperCase()),
];

describe('case, drives and other spellings of the same path', () => {
  test.each([...spellings('.git'), '.ＧＩＴ', '.gıt', ...spellings('.harness-engine')])(
    '%s is .git, at any depth, for every kind',
    (name) => {
      for (const kind of KINDS)
        for (const path of [name, `${name}/config`, `sub/${name}`, `sub/${name}/hooks/x`])
          expect(ruleOf(path, kind)).toBe('git-folder');
    },
  );

  test.each(['.harness', 'memory', 'docs/harness'].flatMap(spellings))('%s is a folder of the harness', (name) => {
    for (const kind of BOTH_FILES) {
      expect(ruleOf(name, kind)).toBe('harness-folder');
      expect(ruleOf(`${name}/a.md`, kind)).toBe('harness-folder');
      expect(ruleOf(`src/${name}/a.md`, kind)).toBe(null);
    }
    const asOutput = name === 'docs/harness' ? null : /^docs/i.test(name) ? 'other-docs' : 'reserved';
    expect(ruleOf(name, 'output-dir')).toBe(asOutput);
  });

  test.each(['.git ', '.git.', '.git. .', '.harness ', '.git\u00a0', ' .git'])(
    '%j is refused for its first or last character',
    (name) => {
      for (const kind of KINDS) expect(ruleOf(`${name}/config`, kind)).toBe('blank-or-dot-at-the-edge');
    },
  );

  test.each(['git~1', 'GIT~2', 'HARNES~1', 'MEMORY~1', 'EVALUA~1', 'HA12CD~1.X', 'ab~12.txt', 'g~it~1'])(
    '%s may be a short name of something',
    (name) => {
      for (const kind of KINDS) expect(ruleOf(`${name}/x`, kind)).toBe('short-name');
    },
  );

  test.each(['a~', 'a~b', 'backup-of-all~1', 'x.ts~1~'])('%s is not a short name', (name) => {
    expect(ruleOf(`src/${name}`)).toBe(null);
  });

  test.each<readonly [string, string]>([
    ['C:', 'drive'],
    ['c:', 'drive'],
    ['C:x', 'drive'],
    ['z:/x', 'drive'],
    ['C:\\x', 'drive'],
    ['./C:/x', 'drive'],
    ['c:../x', 'drive'],
    ['/c:/x', 'absolute'],
    ['//?/C:/x', 'unc'],
    ['\\\\?\\C:\\x', 'unc'],
    ['\\\\.\\pipe\\x', 'unc'],
    ['/\\server/x', 'unc'],
    ['1:/x', 'stream'],
    ['sub/C:/x', 'stream'],
    [':(top)x', 'stream'],
    ['.git::$INDEX_ALLOCATION/config', 'stream'],
    ['C：/x', 'look-alike'],
  ])('the drive, share or stream %j is refused: %s', (path, rule) => {
    for (const kind of KINDS.filter((kind) => kind !== 'diff-target' || !path.startsWith('./')))
      expect(ruleOf(path, kind)).toBe(rule);
    for (const kind of KINDS) expect(ruleOf(path, kind)).not.toBe(null);
  });

  test.each(
    'con CON Con prn aux nul NUL com0 COM1 lpt9 com¹ conin$ CONOUT$ clock$ con.txt nul.tar.gz aux.c'.split(' '),
  )('%s is a device', (name) => {
    expect(ruleOf(`src/${name}`)).toBe('device');
    expect(ruleOf(`${name}/a.ts`)).toBe('device');
  });
  test.each('console.ts com10 com.ts lpt auxiliary null nul-a conf'.split(' '))('%s is not a device', (name) => {
    expect(ruleOf(`src/${name}`)).toBe(null);
  });

  test.each([
    '‥',
    '．．',
    '․․',
    '.․',
    '。',
    'a／b',
    'a∕b',
    'a⁄b',
    'a⧵b',
    'a＼b',
    'a﹨b',
    '℀',
    '﹒﹒',
    'a：b',
    '…',
    '～1',
  ])('%s is refused for its look-alike character', (name) => {
    for (const kind of KINDS) expect(ruleOf(`src/${name}/x`, kind)).toBe('look-alike');
  });

  test.each(['%2e%2e', '%2E.', '..%2f..', '%5c', '%252e%252e', '%00', '%u002e'])(
    '%s is refused: it is encoded',
    (name) => {
      for (const kind of KINDS) expect(ruleOf(`src/${name}x/y`, kind)).toBe('encoded');
    },
  );

  test.each(['\0', '\n', '\r', '\t', '\u001b', '\u007f', '\u0085', '\u2028'])('%j is a control character', (sign) => {
    for (const path of [`src/a${sign}.ts`, `${sign}a.ts`, `a.ts${sign}`, `src${sign}/../x`])
      for (const kind of KINDS) expect(ruleOf(path, kind)).toBe('control');
  });

  test.each(['\u200b', '\u200d', '\u202e', '\u2066', '\ufeff', '\u00ad', '\u034f', '\u3164', '\ufe0f', '\ufff9'])(
    '%j is not seen',
    (sign) => {
      for (const path of [`.g${sign}it/config`, `src/a${sign}.ts`, `${sign}src/a.ts`])
        for (const kind of KINDS) expect(ruleOf(path, kind)).toBe('invisible');
    },
  );

  test.each([
    'src/ä.ts',
    'src/日本語.md',
    'src/مرحبا.ts',
    'src/😀.ts',
    'app/[id]/page.tsx',
    'app/(group)/a b.tsx',
    'src/@x/$y.ts',
    'a',
    '...a',
    '.env',
    '.github/x.yml',
    '.gitignore',
    'memory.ts',
    'x/.gitkeep',
    'src/100%.md',
    "it's.ts",
    'a,b;c=d&e#f!.ts',
  ])('%s is an ordinary file', (path) => {
    for (const kind of BOTH_FILES) expect(judged(path, kind)).toEqual({ isAllowed: true, path, real: path });
  });

  test.each(['\ud800', '\udc00x', '\ufffd'])('%j is not valid text', (sign) => {
    for (const kind of KINDS) expect(ruleOf(`src/a${sign}.ts`, kind)).toBe('malformed');
  });

  test('decomposed letters are refused, composed ones are not', () => {
    expect(ruleOf('src/u\u0308.ts')).toBe('not-composed');
    expect(ruleOf('src/ü.ts')).toBe(null);
    // Two characters for one letter: the Kelvin sign and K, the Angstrom sign and Å.
    expect(ruleOf('\u212a.ts')).toBe('not-composed');
    expect(ruleOf('\u212b.ts')).toBe('not-composed');
  });

  test.each<readonly [string, boolean]>([
    ['a'.repeat(255), true],
    ['a'.repeat(256), false],
    ['€'.repeat(85), true],
    ['€'.repeat(86), false],
    [`${'a/'.repeat(499)}ab`, true],
    [`${'a/'.repeat(499)}abc`, false],
  ])('%#: length is counted in bytes', (path, isShort) => {
    expect(ruleOf(path)).toBe(isShort ? null : 'too-long');
  });
});

describe('a path is normalised first, except in a diff', () => {
  test.each<readonly [string, PathKind, string]>([
    ['./src/a.ts', 'file-reference', 'src/a.ts'],
    ['.\\src\\a.ts', 'file-reference', 'src/a.ts'],
    ['./././a.ts', 'file-reference', 'a.ts'],
    ['./out/', 'output-dir', 'out'],
    ['out\\', 'output-dir', 'out'],
    ['docs/harness/task/', 'docs-path', 'docs/harness/task'],
  ])('%s for %s is %s', (given, kind, path) => {
    expect(judged(given, kind)).toMatchObject({ isAllowed: true, path });
  });

  test.each<readonly [string, string]>([
    ['./src/a.ts', 'dot-segment'],
    ['src\\a.ts', 'backslash'],
    ['src/', 'empty-segment'],
  ])('%s in a diff is refused: %s', (path, rule) => {
    expect(ruleOf(path, 'diff-target')).toBe(rule);
  });

  test.each(['././', './', '.', 'src//', 'out//', './/etc', './/./a'])('%s stays refused', (path) => {
    for (const kind of KINDS) expect(ruleOf(path, kind)).not.toBe(null);
  });
});

describe('links', () => {
  const tree = {
    src: FOLDER,
    'src/a.ts': FILE,
    'src/deep': FOLDER,
    'src/deep/up': link('..'),
    'src/deep/out': link('../../..'),
    'src/deep/round': link('../../../tree/src'),
    near: link('src'),
    chain: link('near/deep/up'),
    top: link('.'),
    abs: link('/etc'),
    itself: link('itself'),
    ring: link('gnir'),
    gnir: link('ring'),
    lost: link('nowhere/a'),
    through: link('src/a.ts/b'),
    hidden: link('.git'),
    '.git': FOLDER,
    inner: link('.harness/x'),
    '.harness': FOLDER,
    '.harness/x': FOLDER,
  };
  test.each<readonly [string, string]>([
    ['near/a.ts', 'src/a.ts'],
    ['chain/a.ts', 'src/a.ts'],
    ['chain/new/b.ts', 'src/new/b.ts'],
    ['src/deep/up/a.ts', 'src/a.ts'],
    ['top/top/near/deep/up/a.ts', 'src/a.ts'],
  ])('%s is %s: it may be read, not changed by a diff', (path, real) => {
    expect(judged(path, 'file-reference', tree)).toEqual({ isAllowed: true, path, real });
    expect(judged(path, 'diff-target', tree)).toMatchObject({ rule: 'link-in-diff' });
  });

  test.each<readonly [string, string, string]>([
    ['abs/passwd', 'link-out', 'abs'],
    ['src/deep/out/x', 'link-out', 'src/deep/out'],
    ['near/deep/out/x', 'link-out', 'near'],
    ['src/deep/round/a.ts', 'link-out', 'src/deep/round'],
    ['itself/x', 'link-lost', 'itself'],
    ['ring/x', 'link-lost', 'ring'],
    ['lost', 'link-lost', 'nowhere'],
    ['lost/x', 'link-lost', 'nowhere'],
    ['through/x', 'below-a-file', 'src/a.ts'],
    ['near', 'link-itself', 'near'],
    ['chain', 'link-itself', 'chain'],
    ['src/deep/up', 'link-itself', 'src/deep/up'],
    ['abs', 'link-out', 'abs'],
    ['hidden/config', 'link-to-refused', '.git/config'],
    ['inner/state.json', 'link-to-refused', '.harness/x/state.json'],
    ['top/.harness2/x', '', ''],
    ['src/a.ts/x', 'below-a-file', 'src/a.ts'],
  ])('%s is refused: %s at %s', (path, rule, part) => {
    for (const kind of BOTH_FILES) {
      const verdict = judged(path, kind, tree);
      if (rule === '') expect(verdict.isAllowed).toBe(kind === 'file-reference');
      else if (kind === 'diff-target' && rule === 'link-to-refused')
        expect(verdict).toMatchObject({ rule: 'link-in-diff' });
      else expect(verdict).toEqual({ isAllowed: false, rule, part });
    }
  });

  test('forty links are followed, as the kernel does, and one more is a cycle', () => {
    const chainOf = (count: number) => ({
      ...Object.fromEntries(
        Array.from({ length: count }, (_, n) => [`l${n}`, link(n === count - 1 ? 'src' : `l${n + 1}`)]),
      ),
      src: FOLDER,
    });
    expect(judged('l0/a.ts', 'file-reference', chainOf(40))).toMatchObject({ real: 'src/a.ts' });
    expect(judged('l0/a.ts', 'file-reference', chainOf(41))).toMatchObject({ rule: 'link-lost' });
  });

  test('the rules about names also apply where the links of an output folder lead', () => {
    const links = { x: link('planner'), planner: FOLDER, y: link('docs'), docs: FOLDER };
    expect(judged('x/out', 'output-dir', links)).toMatchObject({ rule: 'link-to-refused' });
    expect(judged('y/out', 'output-dir', links)).toMatchObject({ rule: 'link-to-refused' });
  });
});

describe('the file system', () => {
  test('is read no further than a verdict needs', async () => {
    const looked: string[] = [];
    const world = {
      look: async (path: string): Promise<PathFact> => {
        looked.push(path);
        return path === 'lib' ? link('src') : path === 'src' || path === 'a' ? FOLDER : ABSENT;
      },
    };
    const judge = (path: string) => judgePathIn(world, path, contextOf());
    expect(await judge('../x')).toMatchObject({ rule: 'parent' });
    expect(looked).toEqual([]);
    expect(await judge('lib/new/b.ts')).toEqual({ isAllowed: true, path: 'lib/new/b.ts', real: 'src/new/b.ts' });
    // Nothing exists below a path that does not exist.
    expect(looked).toEqual(['lib', 'src', 'src/new']);
  });

  test('a name with the right spelling is allowed, another spelling is not', () => {
    const like: PathFact = { ...FILE, alike: ['README.md'] };
    expect(judged('readme.md', 'diff-target', { 'readme.md': like })).toMatchObject({
      rule: 'other-spelling',
      part: 'readme.md',
    });
    const folder: PathFact = { ...FOLDER, alike: ['src'] };
    expect(judged('SRC/new.ts', 'file-reference', { SRC: folder })).toMatchObject({
      rule: 'other-spelling',
      part: 'SRC',
    });
  });

  test('an output folder is new or a folder; a file is new or a file', () => {
    const other: PathFact = { is: 'other', alike: [] };
    for (const [fact, asFolder, asFile] of [
      [ABSENT, true, true],
      [FOLDER, true, false],
      [FILE, false, true],
      [other, false, false],
    ] as const) {
      expect(judged('x', 'output-dir', { x: fact }).isAllowed).toBe(asFolder);
      expect(judged('x', 'diff-target', { x: fact }).isAllowed).toBe(asFile);
    }
  });

  test('the root itself is not followed', () => {
    expect(walk('', factsOf())).toMatchObject({ real: '', end: null, itself: null, stop: null });
  });
});
