// The rules for paths that others give (reference 004, Path Validator and the Safety Guards), one row each, in the order in which they
// are asked. They hold for every system at once: a path that would be something else on Windows or a Mac is refused everywhere.
//
// Stricter than the reference, never laxer: `.git` is refused to all kinds, and so is `.harness-engine`; names are compared without
// case, a backslash in a diff is refused (whoever applies the diff would not read it as the slash that was judged).
import { CONFIG_FILES } from '../../../model/config.ts';
import { ENGINE_FOLDER } from '../../../model/engine-folder.ts';
import { foldOf } from '../../../model/path-fact.ts';
import type { Fact, Walk } from './path-walk.ts';

/** Reference: output_dir, file_reference, diff_target; `docs-path` is what the Safety Guards ask of docs_path before it is deleted. */
export type PathKind = 'output-dir' | 'docs-path' | 'file-reference' | 'diff-target';

export type PathContext = {
  readonly kind: PathKind;
  /** Artifacts lie there, of no use to whoever mends code. Null for the kinds of folders. */
  readonly docsPath: string | null;
  readonly isInScope: (path: string) => boolean;
};

/** A path under judgement. */
export type Subject = PathContext & {
  /** As it will be used: slashes, and for all but `diff-target` no `./` before it and no slash after a folder. */
  readonly path: string;
  readonly segments: readonly string[];
  /** Case and composition taken away. */
  readonly folded: readonly string[];
  /** Only asked by the rules of the file system, when all others have agreed. */
  readonly walk: () => Walk;
  /** The part of a path that the rules of names refuse. */
  readonly refusedName: (path: string) => string | null;
};

export type PathRule = {
  /** The reason code. */
  readonly name: string;
  readonly refuses: string;
  /** Which this rule alone refuses. `facts`: of what is there. */
  readonly example: {
    readonly path: string;
    readonly kind?: PathKind;
    readonly facts?: { readonly [path: string]: Fact | null };
  };
  /** The part that is wrong; null: nothing is. */
  readonly faultOf: (subject: Subject) => string | null;
};

const MOST_BYTES = 1_000;
const MOST_BYTES_OF_A_NAME = 255;
const bytes = (text: string): number => new TextEncoder().encode(text).length;

/** What looks like a dot or a slash and is none by any normalisation; those that become one are found by it. */
const LOOK_ALIKES = new Set(
  '\u2044\u2215\u29f8\u2571\u27cb\u1735\u2041\u3033' + // slashes
    '\u2216\u29f5\u29f9\u2572\u27cd' + // backslashes
    '\u3002\u0701\u0702\ua60e\ua4f8\ua4fa\u06d4\ua789\u2236', // dots and colons
);
const looksAlike = (sign: string): boolean =>
  sign > '\u007f' && (LOOK_ALIKES.has(sign) || /[./\\:~]/.test(sign.normalize('NFKC')));
const DEVICES = /^(?:con|prn|aux|nul|clock\$|conin\$|conout\$|(?:com|lpt)[0-9¹²³])$/i;
const isDevice = (name: string): boolean => DEVICES.test((name.split('.')[0] ?? '').trimEnd());
/** Eight signs at most before the dot, with a number at their end. */
const isShortName = (name: string): boolean => /^(?=[^.]{3,8}(?:\.|$))[^.]+~\d+(?:\.[^.]{0,3})?$/.test(name);

const FOLDERS: readonly PathKind[] = ['output-dir', 'docs-path'];
const isFolder = ({ kind }: Subject): boolean => FOLDERS.includes(kind);
const RESERVED = 'memory spec planner generator evaluator verify harness .harness'.split(' ');
/** Whether a path is this folder or lies in it. */
const isIn = (folded: readonly string[], folder: string): boolean =>
  folder
    .split('/')
    .filter((name) => name !== '')
    .every((name, at) => folded[at] === foldOf(name));

const whole = (isWrong: (subject: Subject) => boolean) => (subject: Subject) =>
  isWrong(subject) ? subject.path : null;
const signs = (pattern: RegExp) => (subject: Subject) => pattern.exec(subject.path)?.[0] ?? null;
const names = (isWrong: (name: string) => boolean) => (subject: Subject) => subject.segments.find(isWrong) ?? null;
const stopped =
  (why: NonNullable<Walk['stop']>['why']) =>
  ({ walk }: Subject) => {
    const { stop } = walk();
    return stop?.why === why ? stop.at : null;
  };

const FILE: Fact = { is: 'file', names: 1, alike: [] };
const FOLDER: Fact = { is: 'folder', alike: [] };
const link = (target: string): Fact => ({ is: 'link', target, alike: [] });

/** Of what a path says. */
export const NAME_RULES: readonly PathRule[] = [
  { name: 'empty', refuses: 'no path', example: { path: '' }, faultOf: whole(({ path }) => path === '') },
  {
    name: 'malformed',
    refuses: 'what cannot be written in UTF-8, or could not be read as it',
    example: { path: 'src/\ud800.ts' },
    faultOf: whole(({ path }) => !path.isWellFormed() || path.includes('\ufffd')),
  },
  {
    name: 'control',
    refuses: 'NUL, line ends and other control characters',
    example: { path: 'src/a\0.ts' },
    faultOf: signs(/[\p{Cc}\p{Zl}\p{Zp}]/u),
  },
  {
    name: 'invisible',
    refuses: 'characters that some file systems leave out, and that turn the reading direction',
    example: { path: '.g\u200cit/config' },
    faultOf: signs(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/u),
  },
  {
    name: 'too-long',
    refuses: 'more than 1,000 bytes, a name of more than 255',
    example: { path: `src/${'é'.repeat(128)}` },
    faultOf: ({ path, segments }) =>
      bytes(path) > MOST_BYTES ? path : (segments.find((name) => bytes(name) > MOST_BYTES_OF_A_NAME) ?? null),
  },
  {
    name: 'unc',
    refuses: 'shares and device paths of Windows',
    example: { path: '//server/share' },
    faultOf: whole(({ path }) => /^[/\\]{2}/.test(path)),
  },
  {
    name: 'absolute',
    refuses: 'a path from the root of the machine',
    example: { path: '/etc/passwd' },
    faultOf: whole(({ path }) => /^[/\\](?![/\\])/.test(path)),
  },
  {
    name: 'drive',
    refuses: 'a drive, with and without a slash after it',
    example: { path: 'C:temp' },
    faultOf: whole(({ path }) => /^[A-Za-z]:/.test(path)),
  },
  {
    name: 'stream',
    refuses: 'a colon elsewhere: streams of NTFS, magic of git',
    example: { path: 'src/a.ts::$DATA' },
    faultOf: whole(({ path }) => path.replace(/^[A-Za-z]:/, '').includes(':')),
  },
  {
    name: 'backslash',
    refuses: 'a backslash in a diff; elsewhere it is read as a slash',
    example: { path: 'src\\a.ts', kind: 'diff-target' },
    faultOf: whole(({ path }) => path.includes('\\')),
  },
  {
    name: 'parent',
    refuses: 'the way up, anywhere',
    example: { path: 'src/../lib/a.ts', facts: { src: FOLDER } },
    faultOf: whole(({ segments }) => segments.includes('..')),
  },
  {
    name: 'dot-segment',
    refuses: 'a folder itself as a name',
    example: { path: 'src/./a.ts' },
    faultOf: whole(({ segments }) => segments.includes('.')),
  },
  {
    name: 'empty-segment',
    refuses: 'a name without a letter',
    example: { path: 'src//a.ts' },
    faultOf: whole(({ path }) => /[^/]\/(?:\/|$)/.test(path)),
  },
  {
    name: 'look-alike',
    refuses: 'what looks like a dot or a slash, or becomes one',
    example: { path: '．．/etc/passwd' },
    faultOf: ({ path }) => Array.from(path).find(looksAlike) ?? null,
  },
  {
    name: 'encoded',
    refuses: 'dots, slashes and percent signs in percents',
    example: { path: '%2e%2E/a.ts' },
    faultOf: signs(/%(?:2e|2f|5c|25|00|u00)/i),
  },
  {
    name: 'not-composed',
    refuses: 'letters in pieces: the same name in other bytes',
    example: { path: 'src/cafe\u0301.ts' },
    faultOf: whole(({ path }) => path !== path.normalize('NFC')),
  },
  {
    name: 'blank-or-dot-at-the-edge',
    refuses: 'names that Windows cuts off: dots and blanks at the end, blanks before',
    example: { path: 'src/a.ts.' },
    faultOf: names((name) => !['.', '..'].includes(name) && /^\s|[\s.]$/u.test(name)),
  },
  {
    name: 'device',
    refuses: 'names of devices, with any ending',
    example: { path: 'src/Nul.txt' },
    faultOf: names(isDevice),
  },
  {
    name: 'short-name',
    refuses: 'short names of NTFS, which are another name of something',
    example: { path: 'GIT~1/config' },
    faultOf: names(isShortName),
  },
  {
    name: 'wildcard',
    refuses: 'characters that Windows cannot keep and shells expand',
    example: { path: 'src/a?.ts' },
    faultOf: signs(/[<>"|?*]/),
  },
  {
    name: 'option',
    refuses: 'what reads as an option of a command',
    example: { path: '--output=a' },
    faultOf: whole(({ path }) => path.startsWith('-')),
  },
  {
    name: 'home',
    refuses: 'what a shell reads as a home folder',
    example: { path: '~root/a' },
    faultOf: whole(({ path }) => path.startsWith('~')),
  },
  {
    name: 'git-folder',
    refuses: '.git, and what stands for it in a folder without git, in any case, at any depth',
    example: { path: 'vendor/.GIT/hooks/pre-commit' },
    faultOf: names((name) => ['.git', ENGINE_FOLDER].includes(foldOf(name))),
  },
  {
    name: 'reserved',
    refuses: 'an output folder in a folder of the harness',
    example: { path: 'Planner/out', kind: 'output-dir' },
    faultOf: whole((subject) => isFolder(subject) && RESERVED.includes(subject.folded[0] ?? '')),
  },
  {
    name: 'other-docs',
    refuses: 'an output folder in docs/ that is not in docs/harness/',
    example: { path: 'docs/other', kind: 'output-dir' },
    faultOf: whole(
      (subject) => isFolder(subject) && subject.folded[0] === 'docs' && !/^docs\/harness(?:\/|$)/.test(subject.path),
    ),
  },
  {
    name: 'no-slug',
    refuses: "artifacts that are a whole base, or the team's memory",
    example: { path: 'docs/harness/memory', kind: 'docs-path' },
    faultOf: whole(
      ({ kind, folded }) =>
        kind === 'docs-path' &&
        (folded.at(-1) === 'memory' || folded.length < 2 || folded.join('/') === 'docs/harness'),
    ),
  },
  {
    name: 'harness-folder',
    refuses: 'a file in a folder of the harness',
    example: { path: 'memory/team.md' },
    faultOf: whole(
      (subject) =>
        !isFolder(subject) && ['.harness', 'docs/harness', 'memory'].some((one) => isIn(subject.folded, one)),
    ),
  },
  {
    name: 'configuration',
    refuses: 'a change of what the harness goes by',
    example: { path: '.harness.yaml', kind: 'diff-target' },
    faultOf: whole(
      ({ kind, folded }) =>
        kind === 'diff-target' && folded.length === 1 && CONFIG_FILES.some((one) => one === folded[0]),
    ),
  },
  {
    name: 'artifact',
    refuses: 'a file in docs_path, wherever that is',
    example: { path: 'out/task/spec.md' },
    faultOf: whole(
      (subject) => !isFolder(subject) && subject.docsPath !== null && isIn(subject.folded, subject.docsPath),
    ),
  },
  {
    name: 'out-of-scope',
    refuses: 'a file that the scope leaves out',
    example: { path: 'elsewhere/a.ts', kind: 'diff-target' },
    faultOf: whole(({ kind, path, isInScope }) => kind === 'diff-target' && !isInScope(path)),
  },
];

/** Of what is there. */
export const PLACE_RULES: readonly PathRule[] = [
  {
    name: 'unknown',
    refuses: 'what nobody has looked at: the part is what to look at next',
    example: { path: 'src/a.ts', facts: { src: FOLDER, 'src/a.ts': null } },
    faultOf: stopped('unknown'),
  },
  {
    name: 'link-out',
    refuses: 'a link on the way that leaves the root, were it to come back',
    example: { path: 'up/a.ts', facts: { up: link('src/../..'), src: FOLDER } },
    faultOf: stopped('leaves'),
  },
  {
    name: 'link-lost',
    refuses: 'a link on the way to nothing, or in a circle',
    example: { path: 'round/a.ts', facts: { round: link('round') } },
    faultOf: stopped('lost'),
  },
  {
    name: 'below-a-file',
    refuses: 'a way through something that is no folder',
    example: { path: 'a.ts/b.ts', facts: { 'a.ts': FILE } },
    faultOf: stopped('below-a-file'),
  },
  {
    name: 'link-itself',
    refuses: 'a link in its own place',
    example: { path: 'a.ts', facts: { 'a.ts': link('b.ts'), 'b.ts': FILE } },
    faultOf: ({ path, walk }) => (walk().itself?.is === 'link' ? path : null),
  },
  {
    name: 'link-in-diff',
    refuses: 'a diff through a link: git refuses it, and what is saved before does not hold what is behind it',
    example: { path: 'lib/a.ts', kind: 'diff-target', facts: { lib: link('src'), src: FOLDER, 'src/a.ts': FILE } },
    faultOf: ({ kind, walk }) => (kind === 'diff-target' ? walk().link : null),
  },
  {
    name: 'link-to-refused',
    refuses: 'a way through links to what has a name that is refused',
    example: { path: 'x/config', facts: { x: link('.git'), '.git': FOLDER, '.git/config': FILE } },
    faultOf: ({ walk, refusedName }) => {
      const { link, stop, real } = walk();
      return link === null || stop !== null ? null : refusedName(real);
    },
  },
  {
    name: 'other-spelling',
    refuses: 'what is there under another spelling: one file on some machines, two on others',
    example: { path: 'readme.md', facts: { 'readme.md': { is: 'absent', alike: ['README.md'] } } },
    faultOf: ({ walk }) => walk().alike,
  },
  {
    name: 'no-file',
    refuses: 'a folder, pipe or device in the place of a file',
    example: { path: 'src', facts: { src: FOLDER } },
    faultOf: (subject) =>
      !isFolder(subject) && ['folder', 'other'].includes(subject.walk().end?.is ?? '') ? subject.path : null,
  },
  {
    name: 'no-folder',
    refuses: 'a file or anything else in the place of a folder',
    example: { path: 'out', kind: 'output-dir', facts: { out: FILE } },
    faultOf: (subject) =>
      isFolder(subject) && ['file', 'other'].includes(subject.walk().end?.is ?? '') ? subject.path : null,
  },
  {
    name: 'hard-linked',
    refuses: 'a diff of a file that has other names: they may be outside',
    example: { path: 'a.ts', kind: 'diff-target', facts: { 'a.ts': { is: 'file', names: 2, alike: [] } } },
    faultOf: ({ kind, path, walk }) => {
      const { end } = walk();
      return kind === 'diff-target' && end?.is === 'file' && end.names > 1 ? path : null;
    },
  },
];
