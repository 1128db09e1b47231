// A unified diff as an agent writes it, read by a grammar that is narrower than git's, and written again from what was read: git never sees a
// line that was not understood here, so it can touch no path but those of the headers. A change that no header line shows is refused.

/** `no-hunk`: it changes nothing · `no-header`: no two lines name the file · `name`: not a/<path> or b/<path>, or two different names. */
export type DiffFault = 'no-hunk' | 'no-header' | 'name' | 'rename' | 'binary' | 'mode' | 'hunk';

/** The change of one file. `mode`: git's name for the mode of a new or deleted file. */
export type FileChange = {
  readonly path: string;
  readonly kind: 'made' | 'changed' | 'gone';
  readonly mode: '100644' | '100755';
  readonly hunks: readonly Hunk[];
};
/** Lines with their sign and without their line end: ` same`, `-old`, `+new`, `\ No newline at end of file`. */
export type Hunk = { readonly from: number; readonly to: number; readonly lines: readonly string[] };

/** `line`: the line that is wrong. */
export type ReadDiff = { readonly files: readonly FileChange[] } | { readonly fault: DiffFault; readonly line: string };

/** Thrown and caught in this file only. */
class DiffError extends Error {
  readonly fault: DiffFault;
  readonly line: string;
  constructor(fault: DiffFault, line: string) {
    super(fault);
    this.fault = fault;
    this.line = line.slice(0, 200);
  }
}

/** Never throws. Text around the changes is ignored, as git does. */
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
    if (error instanceof DiffError) return { fault: error.fault, line: error.line };
    throw error;
  }
  return files.length === 0 ? { fault: 'no-hunk', line: '' } : { files };
}

/** As git reads it, and nothing else. */
export const diffText = (files: readonly FileChange[]): string => files.map(changeText).join('');

const GIT = 'diff --git ';
const NO_FILE = '/dev/null';
const HUNK = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@/;
const NO_END = '\\ No newline at end of file';
const bare = (line: string): string => line.replace(/\r$/, '');

/** Whether this line and the next name the file. */
const isNamed = (lines: readonly string[], at: number): boolean =>
  /^--- \S/.test(lines[at] ?? '') && /^\+\+\+ \S/.test(lines[at + 1] ?? '');

/** Lines outside of a hunk that git would act on. */
const REFUSED: readonly (readonly [RegExp, DiffFault])[] = [
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
    if (isGit) throw new DiffError('no-header', first);
    refuse(first);
    if (/^@@ .*@@/.test(first)) throw new DiffError('no-header', first);
    return { file: null, next: start + 1 };
  }
  const named = bare(lines[at + 1] ?? '');
  const names = namesOf(bare(lines[at] ?? ''), named);
  const { path, kind } = names;
  if (isGit && !isSameFile(first.slice(GIT.length), names)) throw new DiffError('name', first);
  if (mode !== null && mode.is !== kind) throw new DiffError('mode', `${mode.is} ${path}`);
  const { hunks, next } = readHunks(lines, at + 2);
  if (hunks.length === 0) throw new DiffError('no-hunk', named);
  return { file: { path, kind, mode: mode?.mode ?? '100644', hunks }, next };
}

type Mode = { readonly is: 'made' | 'gone'; readonly mode: FileChange['mode'] };

/** The lines between `diff --git` and the names. */
function gitHeader(lines: readonly string[], start: number): { at: number; mode: Mode | null } {
  let mode: Mode | null = null;
  let at = start + 1;
  for (; at < lines.length && !isNamed(lines, at); at++) {
    const line = bare(lines[at] ?? '');
    refuse(line);
    const [, word = '', bits = ''] = /^(new|deleted) file mode (\d+)/.exec(line) ?? [];
    if (word !== '') mode = { is: word === 'new' ? 'made' : 'gone', mode: modeOf(bits, line) };
    if (line.startsWith(GIT) || line.startsWith('@@ ')) throw new DiffError('no-header', bare(lines[start] ?? ''));
  }
  return { at, mode };
}

function refuse(line: string): void {
  for (const [pattern, fault] of REFUSED) if (pattern.test(line)) throw new DiffError(fault, line);
}

function modeOf(bits: string, line: string): FileChange['mode'] {
  if (bits !== '100644' && bits !== '100755') throw new DiffError('mode', line);
  return bits;
}

type Names = Pick<FileChange, 'path' | 'kind'> & { readonly raw: readonly [string, string] };

function namesOf(old: string, now: string): Names {
  const before = nameIn(old.slice(4), 'a/', old);
  const after = nameIn(now.slice(4), 'b/', now);
  const path = after.path ?? before.path;
  if (path === null || (before.path !== null && path !== before.path)) throw new DiffError('name', `${old} ${now}`);
  const kind = before.path === null ? 'made' : after.path === null ? 'gone' : 'changed';
  return { path, kind, raw: [before.raw, after.raw] };
}

/** A tab ends a name; a time follows. */
function nameIn(rest: string, prefix: string, line: string): { path: string | null; raw: string } {
  if (rest.startsWith('"')) {
    const [raw = ''] = /^"(?:[^"\\]|\\.)*"/.exec(rest) ?? [];
    const name = raw === '' ? null : unquoted(raw.slice(1, -1));
    const tail = rest.slice(raw.length);
    if (name === null || !name.startsWith(prefix) || !/^(?:\t.*)?$/.test(tail)) throw new DiffError('name', line);
    return { path: name.slice(2), raw };
  }
  const [raw = ''] = rest.split('\t');
  if (raw === NO_FILE) return { path: null, raw };
  if (!raw.startsWith(prefix) || raw.length === prefix.length) throw new DiffError('name', line);
  return { path: raw.slice(2), raw };
}

/** Whether the `diff --git` line names the same file, as text or in quotes. */
function isSameFile(given: string, { path, raw }: Names): boolean {
  const quotes = raw.filter((one) => one.startsWith('"'));
  const spellings = (prefix: string): readonly string[] => [
    `${prefix}${path}`,
    ...quotes.filter((one) => one.startsWith(`"${prefix}`)),
    // Where one name is /dev/null: in the quotes of the other.
    ...quotes.map((one) => `"${prefix}${one.slice(3)}`),
  ];
  return spellings('a/').some((a) => spellings('b/').some((b) => given === `${a} ${b}`));
}

/** Letters of escapes, by their code minus 7. */
const ESCAPES = ['a', 'b', 't', 'n', 'v', 'f', 'r'];
const codeOf = (letter: string): number | undefined => {
  if (letter === '"' || letter === '\\') return letter.charCodeAt(0);
  return ESCAPES.includes(letter) ? ESCAPES.indexOf(letter) + 7 : undefined;
};

/** Without git's quoting; null: git would not quote like this. */
function unquoted(text: string): string | null {
  const found: number[] = [];
  for (const [piece] of text.matchAll(/\\[0-3][0-7]{2}|\\.|[^\\]+|\\/gsu)) {
    const code = piece[1] === undefined ? undefined : codeOf(piece[1]);
    if (!piece.startsWith('\\')) found.push(...new TextEncoder().encode(piece));
    else if (piece.length === 4) found.push(Number.parseInt(piece.slice(1), 8));
    else if (code === undefined || piece.length !== 2) return null;
    else found.push(code);
  }
  return new TextDecoder().decode(new Uint8Array(found));
}

/** In quotes except for the plainest names: a blank in a name makes git guess. */
function quoted(name: string): string {
  if (/^[\w./@+,=-]+$/.test(name)) return name;
  const escaped = Array.from(name, (char) => {
    if (char === '"' || char === '\\') return `\\${char}`;
    return char < ' ' || char === '\u007f' ? `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}` : char;
  });
  return `"${escaped.join('')}"`;
}

/** Editors remove the blank of an unchanged empty line. */
const BLANK = /^\r?$/;

function readHunks(lines: readonly string[], start: number): { hunks: readonly Hunk[]; next: number } {
  const hunks: Hunk[] = [];
  let at = start;
  for (;;) {
    let ahead = at;
    while (ahead < lines.length && BLANK.test(lines[ahead] ?? '')) ahead += 1;
    if (lines[ahead]?.startsWith('@@') !== true) return { hunks, next: at };
    at = ahead;
    const head = bare(lines[at] ?? '');
    const [match, from = '', had, to = '', has] = HUNK.exec(head) ?? [];
    if (match === undefined) throw new DiffError('hunk', head);
    const body = counted(lines, at + 1, Number(had ?? 1), Number(has ?? 1)) ?? uncounted(lines, at + 1);
    if (!body.some((line) => /^[+-]/.test(line))) throw new DiffError('hunk', head);
    const kept = body.map((line) => (BLANK.test(line) ? ` ${line}` : line));
    hunks.push({ from: Number(from), to: Number(to), lines: kept });
    at += 1 + body.length;
  }
}

/** The lines that the header counts, of which none is anything but a line of the file; null: its counts do not hold. */
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

/** Agents miscount: then a hunk ends at the next header, without the blank lines at its end. */
function uncounted(lines: readonly string[], start: number): readonly string[] {
  let at = start;
  while (!isEnd(lines, at) && /^[ +\\-]|^\r?$/.test(lines[at] ?? '')) at += 1;
  if (!isEnd(lines, at)) throw new DiffError('hunk', lines[at] ?? '');
  while (at > start && BLANK.test(lines[at - 1] ?? '')) at -= 1;
  return lines.slice(start, at);
}

const isEnd = (lines: readonly string[], at: number): boolean =>
  at >= lines.length || /^(?:@@ |diff --git )/.test(lines[at] ?? '') || isNamed(lines, at);

/** With a mode, so that git takes it for a regular file. */
function changeText({ path, kind, mode, hunks }: FileChange): string {
  const [a, b] = [quoted(`a/${path}`), quoted(`b/${path}`)];
  const about = {
    made: `new file mode ${mode}`,
    gone: `deleted file mode ${mode}`,
    changed: 'index 0000000..0000000 100644',
  }[kind];
  return [
    `${GIT}${a} ${b}`,
    about,
    `--- ${kind === 'made' ? NO_FILE : a}`,
    `+++ ${kind === 'gone' ? NO_FILE : b}`,
    ...hunks.flatMap(({ from, to, lines }) => [
      `@@ -${from},${countOf(lines, ' ', '-')} +${to},${countOf(lines, ' ', '+')} @@`,
      ...lines.map((line) => (line.startsWith('\\') ? NO_END : line)),
    ]),
    '',
  ].join('\n');
}

const countOf = (lines: readonly string[], ...first: readonly string[]): number =>
  lines.filter((line) => first.includes(line[0] ?? '')).length;
