// claude-progress.txt, the log for users and agents. Reads any text in linear time; writes entries that no agent's text can break out of.

export type ProgressEntry = {
  readonly session: number;
  /** As the file has it: `2025-01-16 14:30`. */
  readonly date: string;
  readonly feature: { readonly id: string; readonly title: string } | null;
  readonly did: readonly string[];
  /** Command and output, as shown. */
  readonly verification: string;
  readonly decisions: readonly string[];
  readonly state: readonly string[];
  readonly next: string;
};
/** `raw`: the text of the entry in the file, with separators. */
export type ParsedEntry = ProgressEntry & { readonly raw: string };

const DOUBLE = '='.repeat(80);
const SINGLE = '-'.repeat(80);
const HEADING = /^SESSION\s+(\d{1,9})\b\s*[-–—:]*\s*(.*)$/i;
const SECTION = /^(FEATURE|WHAT I DID|VERIFICATION|DECISIONS|CURRENT STATE|NEXT)\s*:\s*(.*)$/i;
const LINE = /^[-=]{5,}\s*$/;
/** A longer entry of an agent is cut. */
const MAX_ENTRY = 16_000;
const MAX_ITEM = 600;
const MAX_ITEMS = 40;
const MAX_LINES = 80;

export function progressHeader(project: string): string {
  const name = flat(project, 100);
  return [
    DOUBLE,
    `CLAUDE PROGRESS LOG - ${name}`,
    DOUBLE,
    '',
    'This file documents what has been done. The harness will summarize recent',
    "entries for you — you don't need to read the whole file.",
    '',
  ].join('\n');
}

/** `2025-01-16T14:30:00.000Z` as the log writes it. */
export const progressDate = (iso: string): string => iso.slice(0, 16).replace('T', ' ');

/** The text of an entry. Every part is cut to a limit, and lines that look like the log's own structure are indented. */
export function renderEntry(entry: ProgressEntry): string {
  const feature = entry.feature;
  const lines = [
    SINGLE,
    `SESSION ${entry.session} - ${flat(entry.date, 40)}`,
    SINGLE,
    '',
    feature === null ? 'FEATURE: none' : `FEATURE: #${flat(feature.id, 60)} (${flat(feature.title, 200)})`,
    '',
    'WHAT I DID:',
    ...items(entry.did),
    '',
    'VERIFICATION:',
    ...block(entry.verification),
    '',
    'DECISIONS:',
    ...items(entry.decisions),
    '',
    'CURRENT STATE:',
    ...items(entry.state),
    '',
    `NEXT: ${flat(entry.next, MAX_ITEM) || 'none'}`,
  ];
  return `${lines.join('\n')}\n`;
}

function items(list: readonly string[]): string[] {
  const shown = list.slice(0, MAX_ITEMS).map((item) => `- ${flat(item, MAX_ITEM)}`);
  if (list.length > MAX_ITEMS) shown.push(`- … ${list.length - MAX_ITEMS} more`);
  return shown.length === 0 ? ['- none'] : shown;
}

/** Free text of an agent or a program, line by line. Of a long one the beginning and the end are kept. */
function block(text: string): string[] {
  const head = text.length <= MAX_ENTRY ? text : `${text.slice(0, MAX_ENTRY / 2)}\n…\n${text.slice(-MAX_ENTRY / 2)}`;
  const lines = clean(head).split('\n');
  const half = MAX_LINES / 2;
  const kept = lines.length <= MAX_LINES ? lines : [...lines.slice(0, half), '…', ...lines.slice(-half)];
  while (kept.length > 0 && kept.at(-1)?.trim() === '') kept.pop();
  return kept.length === 0 ? ['none'] : kept.map(harmless);
}

const harmless = (line: string): string =>
  HEADING.test(line) || SECTION.test(line) || LINE.test(line) ? `  ${line}` : line.slice(0, 400);

/** Without control characters except line breaks and tabs, and with LF line ends. */
const clean = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    // oxlint-disable-next-line no-control-regex
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, '');

const flat = (text: string, max: number): string => {
  const line = clean(text.slice(0, max * 4))
    .replace(/\s+/g, ' ')
    .trim();
  return line.length <= max ? line : `${line.slice(0, max - 1).toWellFormed()}…`;
};

/** The log with one more entry at its end; a log that has an entry of this session already stays as it is. */
export function appendEntry(text: string | null, entry: ProgressEntry, project: string): string {
  return hasEntry(text, entry.session) ? (text ?? '') : appendRaw(text, renderEntry(entry), project);
}

/** The log with the entries of earlier sessions that no commit carries yet. */
export function withPending(
  text: string | null,
  pending: readonly string[],
  session: number,
  project: string,
): string | null {
  let log = text;
  for (const raw of pending) {
    const entry = lastEntry(raw);
    if (entry !== null && entry.session < session && !hasEntry(log, entry.session)) log = appendRaw(log, raw, project);
  }
  return log;
}

/** Puts an entry's text at the end: header where there is none, one blank line before, the file's own line ends. */
export function appendRaw(text: string | null, raw: string, project: string): string {
  const base = text === null || text.trim() === '' ? progressHeader(project) : text;
  const eol = base.includes('\r\n') ? '\r\n' : '\n';
  const gap = base.endsWith('\n') ? (/\n\r?\n$/.test(base) ? '' : eol) : eol + eol;
  return base + gap + raw.trimEnd().replace(/\r?\n/g, eol) + eol;
}

export const hasEntry = (text: string | null, session: number): boolean => entryOf(text, session) !== null;

/** The last entry that a session wrote. Of a long log only the part is parsed that begins with it. */
export function entryOf(text: string | null, session: number): ParsedEntry | null {
  const heading = new RegExp(`SESSION\\s+0*${session}\\b`, 'gi');
  const last = [...(text ?? '').matchAll(heading)].at(-1);
  if (text === null || last === undefined) return null;
  // What looks like a heading may be none: then the log has it before, or not at all.
  return entryIn(fromLineBefore(text, last.index), session) ?? entryIn(text, session);
}

const entryIn = (text: string, session: number): ParsedEntry | null =>
  parseProgress(text).findLast((entry) => entry.session === session) ?? null;

/** A separator may precede a heading. Begins with the line break before it: a byte order mark counts at the start of the log alone. */
function fromLineBefore(text: string, at: number): string {
  const line = text.lastIndexOf('\n', at) + 1;
  return text.slice(line === 0 ? 0 : Math.max(0, text.lastIndexOf('\n', line - 2)));
}

export const lastEntry = (text: string | null): ParsedEntry | null => parseProgress(text).at(-1) ?? null;

/** Decisions of the last `sessions` sessions that made any, newest first. */
export function recentDecisions(
  text: string | null,
  sessions: number,
): readonly { readonly session: number; readonly text: string }[] {
  return parseProgress(text)
    .filter((entry) => entry.decisions.length > 0)
    .slice(-sessions)
    .reverse()
    .flatMap((entry) => entry.decisions.map((decision) => ({ session: entry.session, text: decision })));
}

/** Every entry in file order. Missing separators, other line ends, lower case and other dashes are accepted. */
export function parseProgress(text: string | null): readonly ParsedEntry[] {
  if (text === null) return [];
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const starts: number[] = [];
  for (const [at, line] of lines.entries()) {
    if (!HEADING.test(line)) continue;
    if (LINE.test(lines[at - 1] ?? '') || LINE.test(lines[at + 1] ?? '') || isFirstOfEntry(lines, at)) starts.push(at);
  }
  return starts.map((start, place) => {
    const begin = LINE.test(lines[start - 1] ?? '') ? start - 1 : start;
    const nextStart = starts[place + 1];
    const end =
      nextStart === undefined ? lines.length : LINE.test(lines[nextStart - 1] ?? '') ? nextStart - 1 : nextStart;
    return parseEntry(lines.slice(begin, end), start - begin);
  });
}

/** Without separators a heading counts where a section follows it at once. */
const isFirstOfEntry = (lines: readonly string[], at: number): boolean =>
  SECTION.test(lines[at + 1] ?? '') || ((lines[at + 1] ?? '').trim() === '' && SECTION.test(lines[at + 2] ?? ''));

function parseEntry(lines: readonly string[], heading: number): ParsedEntry {
  const [, number = '0', date = ''] = HEADING.exec(lines[heading] ?? '') ?? [];
  const sections = new Map<string, string[]>();
  let current: string[] | null = null;
  for (const line of lines.slice(heading + 1)) {
    const match = SECTION.exec(line);
    if (match !== null) {
      const [, name = '', rest = ''] = match;
      current = [rest];
      if (!sections.has(name.toUpperCase())) sections.set(name.toUpperCase(), current);
    } else current?.push(line);
  }
  const of = (name: string): readonly string[] => sections.get(name) ?? [];
  const [, id = '', title = ''] = /^#?([\w.-]{1,80})\s*(?:\((.*)\))?\s*$/.exec((of('FEATURE')[0] ?? '').trim()) ?? [];
  return {
    session: Number(number),
    date: date.trim(),
    feature: id === '' || /^none$/i.test(id) ? null : { id, title },
    did: bullets(of('WHAT I DID')),
    verification: of('VERIFICATION').join('\n').trim(),
    decisions: bullets(of('DECISIONS')),
    state: bullets(of('CURRENT STATE')),
    next: of('NEXT')
      .join(' ')
      .replace(/\s+/g, ' ')
      .trim()
      .replace(/^none$/i, ''),
    raw: lines.join('\n').trimEnd(),
  };
}

/** Items of a list; a line without a dash continues the item before it. */
function bullets(lines: readonly string[]): string[] {
  const found: string[] = [];
  for (const line of lines) {
    const text = line.trim();
    if (text === '' || LINE.test(text)) continue;
    const item = /^[-*•]\s+(.*)$/.exec(text);
    if (item !== null || found.length === 0) found.push(item?.[1] ?? text);
    else found[found.length - 1] += ` ${text}`;
  }
  return found.filter((item) => !/^none\.?$/i.test(item));
}

/**
 * The entry that an agent wrote about its session, if it is valid: it names a feature or actions, and contains no second entry. Its text is kept
 * in the structure of the log, a long one is cut. null: the harness writes its own.
 */
export function agentEntry(current: string | null, base: string | null, session: number): ProgressEntry | null {
  if (hasEntry(base, session)) return null;
  const entry = entryOf(current, session);
  return entry === null || entry.did.length === 0 ? null : entry;
}

/** Lines that an agent added to the log outside any entry: a note for the next session. */
export function looseNote(current: string | null, base: string | null): readonly string[] {
  const before = (base ?? '').trimEnd();
  const added = current?.startsWith(before) === true ? current.slice(before.length) : '';
  return bullets(clean(added.slice(0, MAX_ENTRY)).split('\n')).slice(0, MAX_ITEMS);
}
