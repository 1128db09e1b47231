// What a reviewer and a merge-checker answer: findings by severity, or a sentinel. Forgiving in its form: the sentinel is the first line that is not
// empty, or a line of its own anywhere. Not forgiving in what counts: a sentinel beside a blocking finding says nothing, and an answer with neither is
// none.
import { blocks, SEVERITY_WORDS, severityOf, type Severity } from './severities.ts';

export type ReviewFinding = {
  readonly severity: Severity;
  readonly title: string;
  /** '' where it is not said: it then has no evidence. */
  readonly path: string;
  /** A line of that file, word for word; '' where it is not said. */
  readonly quote: string;
  readonly why: string;
};

export type ReviewReading =
  /** No finding blocks. `findings`: the lows among them. */
  | { readonly is: 'converged'; readonly findings: readonly ReviewFinding[] }
  | { readonly is: 'blocking'; readonly findings: readonly ReviewFinding[] }
  /** Neither a sentinel nor a finding that can be read. */
  | { readonly is: 'unread' };

/** Longer answers are cut: findings come first, and a sentinel at an end. */
const MAX_TEXT = 60_000;
const MOST_FINDINGS = 50;

export function readReview(text: string): ReviewReading {
  const lines = linesOf(text);
  const findings = findingsIn(lines);
  if (findings.some(({ severity }) => blocks(severity))) return { is: 'blocking', findings };
  return hasSentinel(lines) || findings.length > 0 ? { is: 'converged', findings } : { is: 'unread' };
}

/** Whether the answer of a merge-checker lets it merge: its own sentinel and no blocking finding. */
export function readMergeCheck(text: string): ReviewReading {
  const lines = linesOf(text);
  const findings = findingsIn(lines);
  if (findings.some(({ severity }) => blocks(severity))) return { is: 'blocking', findings };
  return lines.some((line) => READY.test(bare(line))) ? { is: 'converged', findings } : { is: 'unread' };
}

const linesOf = (text: string): readonly string[] => {
  const cut = text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT / 2)}\n${text.slice(-MAX_TEXT / 2)}`;
  return cut.split(/\r?\n/);
};

/** A line without the marks of Markdown around it. */
const bare = (line: string): string =>
  line
    .replace(/[\p{Cf}\p{Extended_Pictographic}\uFE0F]+/gu, '')
    .replace(/^[\s>#*_`"'“”•+–—-]+/u, '')
    .replace(/[*`]+|__/g, '')
    .replace(/[\s"'“”_]+$/u, '')
    .trim();

/** Alone in its line, with what introduces an answer before it. */
const SENTINEL =
  /^(?:(?:result|verdict|review|conclusion|summary|findings?|status|final answer|answer)\s*[:=–—-]\s*)?[*_"']*no (?:blocking )?findings\s*[.!]?[*_"']*$/i;
const READY =
  /^(?:(?:result|verdict|answer|conclusion)\s*[:=–—-]\s*)?no (?:blocking )?findings[.,;:!]?\s*ready to (?:enable auto-?merge|merge)\s*[.!]?$/i;
/** The sentinel of the other role counts as this one's: it says more. */
const hasSentinel = (lines: readonly string[]): boolean =>
  lines.some((line) => SENTINEL.test(bare(line)) || READY.test(bare(line)));

const NUMBER = String.raw`(?:\(?\d{1,3}[.):]\s*|[A-Z]?#?\d{1,3}\s*[.):–—-]\s*)?`;
/** `High: …`, `[High] …`, `(High) …`, `High - …`, `1. High severity: …`, `Finding 2 (High): …`. */
const HEAD = new RegExp(
  String.raw`^${NUMBER}(?:(?:finding|issue)\s*#?\d*\s*[:–—-]?\s*)?[\[(]?(?:severity\s*[:=]\s*)?(?<word>${SEVERITY_WORDS})(?:[ -](?:severity|priority|risk))?[\])]?(?<mark>\s*[:–—-]+\s*|\s*\|\s*|(?<=[\])])\s*|$)(?<rest>.*)$`,
  'i',
);
/** `Missing check (High)`, `Missing check [severity: high]`. */
const TAIL = new RegExp(
  String.raw`^${NUMBER}(?<rest>.{3,}?)\s*[\[(](?:severity\s*[:=]\s*)?(?<word>${SEVERITY_WORDS})(?:[ -](?:severity|priority))?[\])]\s*[.:]?$`,
  'i',
);
/** `Critical findings`, `High severity issues (2)`, `## Medium`: what follows belongs to it. */
const GROUP = new RegExp(
  String.raw`^(?<word>${SEVERITY_WORDS})(?:[ -]?(?:severity|priority))?(?:\s+(?:findings?|issues?|problems?|items?))?\s*(?:\(\d+\))?\s*:?$`,
  'i',
);
const SEVERITY_LINE = new RegExp(String.raw`^severity\s*[:=–—-]\s*[\[(]?(?<word>${SEVERITY_WORDS})[\])]?\s*[.]?$`, 'i');
const ROW = new RegExp(String.raw`^\|?\s*(?:#?\d+\s*\|)?\s*(?<word>${SEVERITY_WORDS})\s*\|(?<rest>.+?)\|?\s*$`, 'i');
/** There is none of this severity. */
const NONE =
  /^\(?(?:none(?:\s+(?:found|identified|noted|reported|detected))?|nothing(?:\s+(?:found|to report))?|no (?:\w+ )?(?:findings|issues|problems)(?: found)?|n\/a|0|zero|nil|empty|not applicable|[–—-]+)\)?\s*[.!]?$/i;
const FIELD =
  /^(?<name>path|file|files?|location|where|quote|quoted|code|line|evidence|why|reason|problem|impact|details?|description|explanation)\s*[:=]\s*(?<value>.*)$/i;

type Draft = { severity: Severity; title: string; path: string; quote: string; why: string[] };

type Reading = { found: Draft[]; group: Severity | null; now: Draft | null; heading: string };

function findingsIn(lines: readonly string[]): readonly ReviewFinding[] {
  const reading: Reading = { found: [], group: null, now: null, heading: '' };
  let isInFence = false;
  for (const raw of lines) {
    if (/^\s*(?:```|~~~)/.test(raw)) {
      isInFence = !isInFence;
      continue;
    }
    // A block of code below a finding is its quote.
    if (isInFence && reading.now !== null) {
      if (reading.now.quote === '') reading.now.quote = raw.trim();
    } else if (bare(raw) !== '') readLine(reading, raw, bare(raw));
  }
  return reading.found.slice(0, MOST_FINDINGS).flatMap(({ why, ...rest }) => {
    const title = rest.title === '' ? (why[0] ?? '') : rest.title;
    if (title === '' || NONE.test(title)) return [];
    return [{ ...rest, title: title.slice(0, 300), why: why.join(' ').slice(0, 2_000) }];
  });
}

function readLine(reading: Reading, raw: string, line: string): void {
  const { group, now } = reading;
  const begin = (severity: Severity, title: string): void => {
    reading.now = { severity, title: '', path: '', quote: '', why: [] };
    take(reading.now, { line: title, raw }, true);
    reading.found.push(reading.now);
  };
  const alone = severityOf(SEVERITY_LINE.exec(line)?.groups?.['word'] ?? '');
  if (alone !== null) return begin(alone, reading.heading);
  const grouped = severityOf(GROUP.exec(line)?.groups?.['word'] ?? '');
  if (grouped !== null) return void Object.assign(reading, { group: grouped, now: null, heading: '' });
  const { word = '', rest = '' } = (HEAD.exec(line) ?? ROW.exec(raw.trim()) ?? TAIL.exec(line))?.groups ?? {};
  const severity = severityOf(word);
  if (severity !== null) {
    const said = rest.trim();
    if (!NONE.test(bare(said)) && !/^\d+$/.test(said)) return begin(severity, said);
    return void Object.assign(reading, { group: null, now: null });
  }
  if (SENTINEL.test(line) || READY.test(line)) return void Object.assign(reading, { now: null });
  const isHeading = /^\s*#{1,6}\s/.test(raw) || /^\s*\*\*[^*]+\*\*:?\s*$/.test(raw);
  const unnumbered = line.replace(new RegExp(`^${NUMBER}`), '');
  if (isHeading && !FIELD.test(line)) {
    Object.assign(reading, { heading: unnumbered, now: null, group: isAbout(line) ? group : null });
    if (reading.group !== null) begin(reading.group, unnumbered);
    return;
  }
  const isEntry = /^\s{0,1}(?:[-*+•]|\d{1,3}[.)])\s/.test(raw);
  if (group !== null && isEntry && !FIELD.test(line)) {
    if (!NONE.test(line)) begin(group, line);
    return;
  }
  if (now !== null) take(now, { line, raw }, false);
  else if (/^\d{1,3}[.)]\s/.test(raw.trim())) reading.heading = unnumbered;
}

/** A heading below a group that begins a finding, and no other section of the answer. */
const isAbout = (line: string): boolean =>
  !/^(?:summary|verdict|conclusion|notes?|what|verified|invariants?|tests?|overview|scope|result|recommendation|review|follow-?ups?|appendix|checks?|other)\b/i.test(
    line,
  );

/** One more line of a finding: a field, a place, or its reason. `raw`: as it was written, since code has marks of its own. */
function take(draft: Draft, { line, raw }: { readonly line: string; readonly raw: string }, isTitle: boolean): void {
  const { name = '', value = '' } = FIELD.exec(line)?.groups ?? {};
  const field = name.toLowerCase();
  if (/^(?:quote|quoted|code|line|evidence)$/.test(field) && !/^\d+(?:[-–]\d+)?$/.test(value.trim())) {
    const written = /^[^:=]*[:=][*_\s]*(.*)$/.exec(raw)?.[1] ?? value;
    if (draft.quote === '') draft.quote = unquoted(written);
    return;
  }
  if (/^(?:path|file|files|location|where)$/.test(field)) {
    if (draft.path === '') draft.path = placeIn(value) ?? unquoted(value);
    return;
  }
  const place = placeIn(line);
  if (draft.path === '' && place !== null) draft.path = place;
  if (draft.quote === '') draft.quote = codeIn(raw);
  const said = field === '' ? line : value;
  if (isTitle) draft.title = said.replace(/\s*\|\s*/g, ' ').trim();
  else draft.why.push(said);
}

/** Code in a sentence, long enough to be looked for; '' where there is none. */
const codeIn = (raw: string): string =>
  [...raw.matchAll(/`([^`]{8,200})`/g)].map(([, code = '']) => code.trim()).find((code) => /[\s(=;{]/.test(code)) ?? '';

const unquoted = (text: string): string =>
  text
    .trim()
    .replace(/^["'“”`]+|["'“”`]+$/gu, '')
    .trim();

/** The first path in a line: with a folder or a line number, so that `e.g.` and `Node.js` are none. */
function placeIn(line: string): string | null {
  const [, path] =
    /(?:^|[\s(["'|])((?:\.{0,2}\/)?(?:[\w@.-]+\/)+[\w@.-]+\.[A-Za-z]\w{0,7}|[\w@.-]+\.[A-Za-z]\w{0,7}(?=:\d))/.exec(
      line,
    ) ?? [];
  return path === undefined ? null : path.replace(/^\.\//, '');
}
