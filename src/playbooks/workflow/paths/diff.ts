// A unified diff as an agent writes it, read by a grammar that is narrower than git's, and written anew from what was read: git never
// sees a line that was not understood here, so it can reach no path but those of the headers. What no header line shows is refused.
import { isSame, namesOf, NONE, quoted, Unread, type DiffFault } from './diff-names.ts';

/** What becomes of one file. `made`, `gone`: it is not there before, or after; the mode that git calls it by. */
export type FileChange = {
  readonly path: string;
  readonly kind: 'made' | 'changed' | 'gone';
  readonly mode: '100644' | '100755';
  readonly hunks: readonly Hunk[];
};
/** `lines` with their sign, and without their line end: ` same`, `-old`, `+new`, `\ No newline at end of file`. */
export type Hunk = { readonly from: number; readonly to: number; readonly lines: readonly string[] };

/** `line`: what is wrong, as it stands there. */
export type ReadDiff = { readonly files: readonly FileChange[] } | { readonly fault: DiffFault; readonly line: string };

/** Never throws. What stands around the changes is passed by, as git does. */
export function readDiff(text: string): ReadDiff {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const files: FileChange[] = [];
  try {
    for (let at = 0; at < lines.length;) {
      const read = readFileChange(lines, at);
      if (read.file !== null) files.push(read.file);
      at = read.next;
    }
  } catch (error) {
    if (error instanceof Unread) return { fault: error.fault, line: error.line };
    throw error;
  }
  return files.length === 0 ? { fault: 'no-hunk', line: '' } : { files };
}

/** As git reads it, and nothing besides. */
export const diffText = (files: readonly FileChange[]): string => files.map(changeText).join('');

const GIT = 'diff --git ';
const HUNK = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@/;
const NO_END = '\\ No newline at end of file';
const bare = (line: string): string => line.replace(/\r$/, '');

/** The line where names are said, and the next. */
const isNamed = (lines: readonly string[], at: number): boolean =>
  /^--- \S/.test(lines[at] ?? '') && /^\+\+\+ \S/.test(lines[at + 1] ?? '');

/** What git would act on where it stands outside of a hunk. */
const MORE: readonly (readonly [RegExp, DiffFault])[] = [
  [/^(?:rename|copy) (?:from|to|old|new) /, 'rename'],
  [/^(?:similarity|dissimilarity) index /, 'rename'],
  [/^(?:GIT binary patch|Binary files? .* differ)/, 'binary'],
  [/^(?:old|new) mode /, 'mode'],
];

function readFileChange(lines: readonly string[], start: number): { file: FileChange | null; next: number } {
  const first = bare(lines[start] ?? '');
  const isGit = first.startsWith(GIT);
  const { at, mode } = isGit ? gitHeader(lines, start) : { at: start, mode: null };
  if (!isNamed(lines, at)) {
    if (isGit) throw new Unread('no-header', first);
    refuse(first);
    if (/^@@ .*@@/.test(first)) throw new Unread('no-header', first);
    return { file: null, next: start + 1 };
  }
  const named = bare(lines[at + 1] ?? '');
  const names = namesOf(bare(lines[at] ?? ''), named);
  const { path, kind } = names;
  if (isGit && !isSame(first.slice(GIT.length), names)) throw new Unread('name', first);
  if (mode !== null && mode.is !== kind) throw new Unread('mode', `${mode.is} ${path}`);
  const { hunks, next } = readHunks(lines, at + 2);
  if (hunks.length === 0) throw new Unread('no-hunk', named);
  return { file: { path, kind, mode: mode?.mode ?? '100644', hunks }, next };
}

type Mode = { readonly is: 'made' | 'gone'; readonly mode: FileChange['mode'] };

/** The lines between git's own and the names. */
function gitHeader(lines: readonly string[], start: number): { at: number; mode: Mode | null } {
  let mode: Mode | null = null;
  let at = start + 1;
  for (; at < lines.length && !isNamed(lines, at); at++) {
    const line = bare(lines[at] ?? '');
    refuse(line);
    const [, word = '', bits = ''] = /^(new|deleted) file mode (\d+)/.exec(line) ?? [];
    if (word !== '') mode = { is: word === 'new' ? 'made' : 'gone', mode: modeOf(bits, line) };
    if (line.startsWith(GIT) || line.startsWith('@@ ')) throw new Unread('no-header', bare(lines[start] ?? ''));
  }
  return { at, mode };
}

function refuse(line: string): void {
  for (const [pattern, fault] of MORE) if (pattern.test(line)) throw new Unread(fault, line);
}

function modeOf(bits: string, line: string): FileChange['mode'] {
  if (bits !== '100644' && bits !== '100755') throw new Unread('mode', line);
  return bits;
}

function readHunks(lines: readonly string[], start: number): { hunks: readonly Hunk[]; next: number } {
  const hunks: Hunk[] = [];
  let at = start;
  for (;;) {
    const ahead = pastBlank(lines, at);
    if (lines[ahead]?.startsWith('@@') !== true) return { hunks, next: at };
    at = ahead;
    const head = bare(lines[at] ?? '');
    const [whole, from = '', had, to = '', has] = HUNK.exec(head) ?? [];
    if (whole === undefined) throw new Unread('hunk', head);
    const body = counted(lines, at + 1, Number(had ?? 1), Number(has ?? 1)) ?? uncounted(lines, at + 1);
    if (!body.some((line) => /^[+-]/.test(line))) throw new Unread('hunk', head);
    hunks.push({
      from: Number(from),
      to: Number(to),
      lines: body.map((line) => (BLANK.test(line) ? ` ${line}` : line)),
    });
    at += 1 + body.length;
  }
}

/** Editors cut the blank that such a line begins with. */
const BLANK = /^\r?$/;

function pastBlank(lines: readonly string[], from: number): number {
  let at = from;
  while (at < lines.length && BLANK.test(lines[at] ?? '')) at += 1;
  return at;
}

/** Where the counts of the header hold: up to there nothing in it is anything but a line of the file. */
function counted(lines: readonly string[], start: number, had: number, has: number): readonly string[] | null {
  let [old, now, at] = [had, has, start];
  for (; (old > 0 || now > 0) && at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (/^[ -]|^\r?$/.test(line)) old -= 1;
    if (/^[ +]|^\r?$/.test(line)) now -= 1;
    if (!/^[ +\\-]|^\r?$/.test(line)) return null;
  }
  if ((lines[at] ?? '').startsWith('\\')) at += 1;
  const isWhole = old === 0 && now === 0 && (isEnd(lines, at) || /^\s*$/.test(lines[at] ?? ''));
  return isWhole ? lines.slice(start, at) : null;
}

/** Agents miscount: then a hunk goes to the next header. Blank lines at its end are of nobody. */
function uncounted(lines: readonly string[], start: number): readonly string[] {
  let at = start;
  while (!isEnd(lines, at) && /^[ +\\-]|^\r?$/.test(lines[at] ?? '')) at += 1;
  if (!isEnd(lines, at)) throw new Unread('hunk', lines[at] ?? '');
  while (at > start && BLANK.test(lines[at - 1] ?? '')) at -= 1;
  return lines.slice(start, at);
}

const isEnd = (lines: readonly string[], at: number): boolean =>
  at >= lines.length || /^(?:@@ |diff --git )/.test(lines[at] ?? '') || isNamed(lines, at);

/** With a mode, so that git takes nothing but a file for it. */
function changeText({ path, kind, mode, hunks }: FileChange): string {
  const [a, b] = [quoted(`a/${path}`), quoted(`b/${path}`)];
  const about = {
    made: [`new file mode ${mode}`],
    gone: [`deleted file mode ${mode}`],
    changed: ['index 0000000..0000000 100644'],
  }[kind];
  return [
    `${GIT}${a} ${b}`,
    ...about,
    `--- ${kind === 'made' ? NONE : a}`,
    `+++ ${kind === 'gone' ? NONE : b}`,
    ...hunks.flatMap(({ from, to, lines }) => [
      `@@ -${from},${countOf(lines, ' ', '-')} +${to},${countOf(lines, ' ', '+')} @@`,
      ...lines.map((line) => (line.startsWith('\\') ? NO_END : line)),
    ]),
    '',
  ].join('\n');
}

const countOf = (lines: readonly string[], ...signs: readonly string[]): number =>
  lines.filter((line) => signs.includes(line[0] ?? '')).length;
