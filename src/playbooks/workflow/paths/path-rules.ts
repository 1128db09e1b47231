// The rules for paths that users and agents give, one row each, in the order in which they are applied. They hold for every system at once: a
// path that would mean something else on Windows or macOS is refused everywhere. `.git` and `.harness-engine` are refused for all kinds, names
// are compared without case, and a backslash in a diff is refused, since git would not read it as the slash that was judged.
import { CONFIG_FILES } from '../../../model/config.ts';
import { ENGINE_FOLDER } from '../../../model/engine-folder.ts';
import { foldOf } from '../../../model/path-fact.ts';
import type { Walk } from './path-walk.ts';

/** `docs-path`: a session's folder, judged before it is deleted. */
export type PathKind = 'output-dir' | 'docs-path' | 'file-reference' | 'diff-target';

export type PathContext = {
  readonly kind: PathKind;
  /** The folder of the session's documents, which no fix of code may touch. null for the kinds of folders. */
  readonly docsPath: string | null;
  readonly isInScope: (path: string) => boolean;
};

/** A path to judge. */
export type PathSubject = PathContext & {
  /** As it will be used: with slashes, and for all but `diff-target` without `./` before it and without a slash after a folder. */
  readonly path: string;
  readonly segments: readonly string[];
  /** The segments without case and composition. */
  readonly folded: readonly string[];
  /** Used by the rules of the file system only, after all others have agreed. */
  readonly walk: () => Walk;
  /** The part of a path that the rules of names refuse; null: they allow it. */
  readonly refusedName: (path: string) => string | null;
};

type FaultOf = (subject: PathSubject) => string | null;
export type PathRule = {
  /** The reason code. */
  readonly name: string;
  readonly refuses: string;
  /** The part that is wrong; null: nothing is. */
  readonly faultOf: FaultOf;
};

const rulesOf = (rules: { readonly [name: string]: Omit<PathRule, 'name'> }): readonly PathRule[] =>
  Object.entries(rules).map(([name, rule]) => ({ name, ...rule }));

const MAX_BYTES = 1_000;
const MAX_NAME_BYTES = 255;
const bytes = (text: string): number => new TextEncoder().encode(text).length;

/** Characters that look like a dot or a slash and that no normalisation turns into one; the others are found by NFKC. */
const LOOK_ALIKES = new Set(
  '\u2044\u2215\u29f8\u2571\u27cb\u1735\u2041\u3033' + // slashes
    '\u2216\u29f5\u29f9\u2572\u27cd' + // backslashes
    '\u3002\u0701\u0702\ua60e\ua4f8\ua4fa\u06d4\ua789\u2236', // dots and colons
);
const looksAlike = (char: string): boolean =>
  char > '\u007f' && (LOOK_ALIKES.has(char) || /[./\\:~]/.test(char.normalize('NFKC')));
const DEVICES = /^(?:con|prn|aux|nul|clock\$|conin\$|conout\$|(?:com|lpt)[0-9¹²³])$/i;
const isDevice = (name: string): boolean => DEVICES.test((name.split('.')[0] ?? '').trimEnd());
/** At most eight characters before the dot, with a number at their end. */
const isShortName = (name: string): boolean => /^(?=[^.]{3,8}(?:\.|$))[^.]+~\d+(?:\.[^.]{0,3})?$/.test(name);

const isFolder = ({ kind }: PathSubject): boolean => kind === 'output-dir' || kind === 'docs-path';
const isDiff = ({ kind }: PathSubject): boolean => kind === 'diff-target';
const RESERVED = 'memory spec planner generator evaluator verify harness .harness'.split(' ');
/** Whether a path is this folder or is in it. */
const isIn = (folded: readonly string[], folder: string): boolean =>
  folder
    .split('/')
    .filter((name) => name !== '')
    .every((name, n) => folded[n] === foldOf(name));

const whole =
  (isWrong: (subject: PathSubject) => boolean): FaultOf =>
  (subject) =>
    isWrong(subject) ? subject.path : null;
const signs =
  (pattern: RegExp): FaultOf =>
  ({ path }) =>
    pattern.exec(path)?.[0] ?? null;
const names =
  (isWrong: (name: string) => boolean): FaultOf =>
  ({ segments }) =>
    segments.find(isWrong) ?? null;
const stopped =
  (why: NonNullable<Walk['stop']>['why']): FaultOf =>
  ({ walk }) => {
    const { stop } = walk();
    return stop?.why === why ? stop.at : null;
  };

/** About the path as text. */
export const NAME_RULES = rulesOf({
  empty: { refuses: 'an empty path', faultOf: whole(({ path }) => path === '') },
  malformed: {
    refuses: 'text that is not valid UTF-8, or was not before it was decoded',
    faultOf: whole(({ path }) => !path.isWellFormed() || path.includes('\ufffd')),
  },
  control: { refuses: 'NUL, line ends and other control characters', faultOf: signs(/[\p{Cc}\p{Zl}\p{Zp}]/u) },
  invisible: {
    refuses: 'characters that some file systems ignore, or that change the reading direction',
    faultOf: signs(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/u),
  },
  'too-long': {
    refuses: 'more than 1,000 bytes, a name of more than 255',
    faultOf: ({ path, segments }) =>
      bytes(path) > MAX_BYTES ? path : (segments.find((name) => bytes(name) > MAX_NAME_BYTES) ?? null),
  },
  unc: { refuses: 'shares and device paths of Windows', faultOf: whole(({ path }) => /^[/\\]{2}/.test(path)) },
  absolute: { refuses: 'an absolute path', faultOf: whole(({ path }) => /^[/\\](?![/\\])/.test(path)) },
  drive: {
    refuses: 'a drive, with and without a slash after it',
    faultOf: whole(({ path }) => /^[A-Za-z]:/.test(path)),
  },
  stream: {
    refuses: 'a colon elsewhere: streams of NTFS, pathspec magic of git',
    faultOf: whole(({ path }) => path.replace(/^[A-Za-z]:/, '').includes(':')),
  },
  backslash: {
    refuses: 'a backslash in a diff; elsewhere it is read as a slash',
    faultOf: whole(({ path }) => path.includes('\\')),
  },
  parent: { refuses: '`..` anywhere', faultOf: whole(({ segments }) => segments.includes('..')) },
  'dot-segment': { refuses: '`.` as a name', faultOf: whole(({ segments }) => segments.includes('.')) },
  'empty-segment': { refuses: 'an empty name', faultOf: whole(({ path }) => /[^/]\/(?:\/|$)/.test(path)) },
  'look-alike': {
    refuses: 'a character that looks like a dot or a slash, or becomes one',
    faultOf: ({ path }) => Array.from(path).find(looksAlike) ?? null,
  },
  encoded: { refuses: 'percent-encoded dots, slashes and percent signs', faultOf: signs(/%(?:2e|2f|5c|25|00|u00)/i) },
  'not-composed': {
    refuses: 'decomposed letters: the same name in other bytes',
    faultOf: whole(({ path }) => path !== path.normalize('NFC')),
  },
  'blank-or-dot-at-the-edge': {
    refuses: 'names that Windows trims: a dot or blank at the end, a blank at the start',
    faultOf: names((name) => !['.', '..'].includes(name) && /^\s|[\s.]$/u.test(name)),
  },
  device: { refuses: 'device names of Windows, with any extension', faultOf: names(isDevice) },
  'short-name': { refuses: 'short names of NTFS, which are another name of some file', faultOf: names(isShortName) },
  wildcard: { refuses: 'characters that Windows does not allow and shells expand', faultOf: signs(/[<>"|?*]/) },
  option: {
    refuses: 'a path that a command would read as an option',
    faultOf: whole(({ path }) => path.startsWith('-')),
  },
  home: {
    refuses: 'a path that a shell would read as a home folder',
    faultOf: whole(({ path }) => path.startsWith('~')),
  },
  'git-folder': {
    refuses: '.git, and its counterpart in a folder without git, in any case, at any depth',
    faultOf: names((name) => ['.git', ENGINE_FOLDER].includes(foldOf(name))),
  },
  reserved: {
    refuses: 'an output folder in a folder of the harness',
    faultOf: whole((subject) => isFolder(subject) && RESERVED.includes(subject.folded[0] ?? '')),
  },
  'other-docs': {
    refuses: 'an output folder in docs/ that is not in docs/harness/',
    faultOf: whole(
      (subject) => isFolder(subject) && subject.folded[0] === 'docs' && !/^docs\/harness(?:\/|$)/.test(subject.path),
    ),
  },
  'no-slug': {
    refuses: "a docs_path that is a whole base, or the team's memory",
    faultOf: whole(
      ({ kind, folded }) =>
        kind === 'docs-path' &&
        (folded.at(-1) === 'memory' || folded.length < 2 || folded.join('/') === 'docs/harness'),
    ),
  },
  'harness-folder': {
    refuses: 'a file in a folder of the harness',
    faultOf: whole(
      (subject) =>
        !isFolder(subject) && ['.harness', 'docs/harness', 'memory'].some((one) => isIn(subject.folded, one)),
    ),
  },
  configuration: {
    refuses: "a change of the harness's configuration",
    faultOf: whole(
      (subject) =>
        isDiff(subject) && subject.folded.length === 1 && CONFIG_FILES.some((one) => one === subject.folded[0]),
    ),
  },
  artifact: {
    refuses: 'a file in docs_path, wherever that is',
    faultOf: whole(
      (subject) => !isFolder(subject) && subject.docsPath !== null && isIn(subject.folded, subject.docsPath),
    ),
  },
  'out-of-scope': {
    refuses: 'a file that is not in the scope',
    faultOf: whole((subject) => isDiff(subject) && !subject.isInScope(subject.path)),
  },
});

/** About the file system. */
export const PLACE_RULES = rulesOf({
  unknown: { refuses: 'a path that was not looked at: the part is what to look at next', faultOf: stopped('unknown') },
  'link-out': {
    refuses: 'a link on the way that leaves the root, even if it would come back',
    faultOf: stopped('leaves'),
  },
  'link-lost': { refuses: 'a link on the way to nothing, or in a cycle', faultOf: stopped('lost') },
  'below-a-file': { refuses: 'a path through something that is not a folder', faultOf: stopped('below-a-file') },
  'link-itself': {
    refuses: 'a path that is itself a link',
    faultOf: ({ path, walk }) => (walk().itself?.is === 'link' ? path : null),
  },
  'link-in-diff': {
    refuses: 'a diff through a link: git refuses it, and a checkpoint does not hold what is behind it',
    faultOf: (subject) => (isDiff(subject) ? subject.walk().link : null),
  },
  'link-to-refused': {
    refuses: 'a path through links to a name that is refused',
    faultOf: ({ walk, refusedName }) => {
      const { link: first, stop, real } = walk();
      return first === null || stop !== null ? null : refusedName(real);
    },
  },
  'other-spelling': {
    refuses: 'a name that exists in another spelling: one file on some machines, two on others',
    faultOf: ({ walk }) => walk().alike,
  },
  'no-file': {
    refuses: 'a folder, pipe or device where a file is expected',
    faultOf: whole((subject) => !isFolder(subject) && ['folder', 'other'].includes(subject.walk().end?.is ?? '')),
  },
  'no-folder': {
    refuses: 'a file or anything else where a folder is expected',
    faultOf: whole((subject) => isFolder(subject) && ['file', 'other'].includes(subject.walk().end?.is ?? '')),
  },
  'hard-linked': {
    refuses: 'a diff of a file that has other names: they may be outside',
    faultOf: whole((subject) => {
      const end = isDiff(subject) ? subject.walk().end : null;
      return end?.is === 'file' && end.names > 1;
    }),
  },
});
