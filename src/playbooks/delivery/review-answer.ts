// What a reviewer and a merge-checker answer: findings by severity, or a sentinel. Forgiving in its form: the sentinel is the first line that is not
// empty, or a line of its own anywhere. Not forgiving in what counts: a sentinel that is quoted or beside a blocking finding says nothing, and an answer
// with neither is none.
import { answerLines, type AnswerLine } from './answer-lines.ts';
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

const MOST_FINDINGS = 50;

export function readReview(text: string): ReviewReading {
  const { lines, isWhole } = answerLines(text);
  const findings = findingsIn(lines);
  if (findings.some(({ severity }) => blocks(severity))) return { is: 'blocking', findings };
  const isSaid = lines.some(({ raw, isAside }) => !isAside && (SENTINEL.test(bare(raw)) || READY.test(bare(raw))));
  return isWhole && (isSaid || findings.length > 0) ? { is: 'converged', findings } : { is: 'unread' };
}

/** Whether the answer of a merge-checker lets it merge: its own sentinel and no blocking finding. */
export function readMergeCheck(text: string): ReviewReading {
  const { lines, isWhole } = answerLines(text);
  const findings = findingsIn(lines);
  if (findings.some(({ severity }) => blocks(severity))) return { is: 'blocking', findings };
  const isSaid = lines.some(({ raw, isAside }) => !isAside && READY.test(bare(raw)));
  return isWhole && isSaid ? { is: 'converged', findings } : { is: 'unread' };
}

/** A line without the marks of Markdown around it. */
const bare = (line: string): string =>
  line
    .replace(/[\p{Cf}\p{Extended_Pictographic}\uFE0F]+/gu, '')
    .replace(/^[\s>#*_`"'“”•+–—-]+/u, '')
    .replace(/^([A-Za-z]+)\.\*\*/, '$1:')
    .replace(/(\d[.)] )\*\*([A-Za-z]+)\.\*\*/, '$1$2:')
    .replace(/[*`]+|__/g, '')
    .replace(/\s+/g, ' ')
    .replace(/[\s"'“”_]+$/u, '')
    .trim();

/** Alone in its line, with what introduces an answer before it. That of the merge-checker counts as a reviewer's too: it says more. */
const SENTINEL =
  /^(?:(?:result|verdict|review|conclusion|summary|findings?|status|final answer|answer)\s*[:=–—-]\s*)?[*_"']*no (?:blocking )?findings\s*[.!。]?[*_"']*$/i;
const READY =
  /^(?:(?:result|verdict|answer|conclusion)\s*[:=–—-]\s*)?no (?:blocking )?findings[.,;:!]?\s*ready to (?:enable auto-?merge|merge)\s*[.!]?$/i;
const NUMBER = String.raw`(?:\(?\d{1,3}[.):]\s*|[A-Z]?#?\d{1,3}\s*[.):–—-]\s*)?`;
/** `High: …`, `[High] …`, `(High) …`, `High - …`, `1. High severity: …`, `Finding 2 (High): …`. */
const HEAD = new RegExp(
  String.raw`^${NUMBER}(?:(?:finding|issue)\s*#?\d*\s*[:–—-]?\s*)?[\[(]?(?:severity\s*[:=]\s*)?(?<word>${SEVERITY_WORDS})(?:[ -](?:severity|priority|risk))?[\])]?(?<mark>\s*[:：–—]+\s*|\s+-+\s+|\s*\|\s*|(?<=[\])])\s*|$)(?<rest>.*)$`,
  'i',
);
/** `Missing check (High)`, `Missing check [severity: high]`. */
const TAIL = new RegExp(
  String.raw`^${NUMBER}(?<rest>.{3,}?)\s*[\[(](?:severity\s*[:=]\s*)?(?<word>${SEVERITY_WORDS})(?:[ -](?:severity|priority))?[\])]\s*[.:]?$`,
  'i',
);
/** `Critical findings`, `High severity issues (2)`, `## Medium`: what follows belongs to it. */
const GROUP = new RegExp(
  String.raw`^(?<word>${SEVERITY_WORDS})(?:[ -]?(?:severity|priority))?(?:\s+(?:findings?|issues?|problems?|items?))?\s*(?:\((?<count>\d+)\))?\s*:?$`,
  'i',
);
const SEVERITY_LINE = new RegExp(
  String.raw`^(?:severity|schweregrad)\s*[:：=–—-]\s*[\[(]?(?<word>${SEVERITY_WORDS})[\])]?\s*[.]?$`,
  'i',
);
const ROW = new RegExp(String.raw`^\|?\s*(?:#?\d+\s*\|)?\s*(?<word>${SEVERITY_WORDS})\s*\|(?<rest>.+?)\|?\s*$`, 'i');
/** There is none of this severity. */
const NONE =
  /^\(?(?:none(?:\s+(?:found|identified|noted|reported|detected|observed|seen))?|nothing(?:\s+(?:found|to report))?|no (?:\w+ )?(?:findings|issues|problems)(?: found)?|n\/a|(?:0|zero)(?: (?:found|findings|issues|problems))?|nil|empty|not applicable|[–—-]+)\)?\s*[.!]?$/i;
/** `0 | High: 0 | Low: 0`, after the first severity. */
const COUNTS = /^(?:0|none)(?:\s*[|,;·/]\s*[a-z]+\s*[:=]?\s*(?:0|none))+\s*[.]?$/i;
const FIELD =
  /^(?<name>path|files?|location|where|pfad|datei|quote|quoted|code|line|evidence|zitat|why|reason|problem|impact|details?|description|explanation|grund|warum)\s*[:：=]\s*(?<value>.*)$/i;

type Draft = { severity: Severity; title: string; path: string; quote: string; why: string[] };

type Reading = { found: Draft[]; group: Severity | null; now: Draft | null; heading: string };

function findingsIn(lines: readonly AnswerLine[]): readonly ReviewFinding[] {
  const reading: Reading = { found: [], group: null, now: null, heading: '' };
  /** Around a line. `isCode`: of what is in it, `lines` becomes a quote. Other fences are as if they were not there. */
  const fences: { readonly isCode: boolean; readonly lines: string[] | null; readonly isDiff: boolean }[] = [];
  for (const { raw, fence } of lines) {
    if (fence?.is === 'open') {
      const isCode = reading.now !== null && !/^(?:markdown|md)\b/.test(fence.info);
      fences.push({ isCode, lines: isCode && reading.now?.quote === '' ? [] : null, isDiff: fence.info === 'diff' });
    } else if (fence?.is === 'close') fences.pop();
    else {
      const around = fences.at(-1);
      // A heading with a severity begins a finding, whatever is around it: an agent may have forgotten to close a block.
      const isHead = /^\s*#{2,6}\s/.test(raw) && HEAD.test(bare(raw));
      if (around?.isCode === true && !isHead) quoteLine(reading.now, around, raw);
      else if (bare(raw) !== '') readLine(reading, raw, bare(raw));
    }
  }
  const all = reading.found.flatMap(({ why, ...rest }) => {
    const title = rest.title === '' ? (why[0] ?? '') : rest.title;
    if (title === '' || NONE.test(title)) return [];
    return [{ ...rest, title: title.slice(0, 300), why: why.join(' ').slice(0, 2_000) }];
  });
  if (all.length <= MOST_FINDINGS) return all;
  const isHeld = ({ severity }: ReviewFinding): boolean => blocks(severity);
  return [...all.filter(isHeld), ...all.filter((one) => !isHeld(one))].slice(0, MOST_FINDINGS);
}

/** More is no quote. */
const MOST_QUOTED = 12;
/** A block of code below a finding is its quote. */
function quoteLine(
  now: Draft | null,
  { lines, isDiff }: { readonly lines: string[] | null; readonly isDiff: boolean },
  raw: string,
): void {
  const line = unnumbered(isDiff ? raw.replace(/^[+-]/, '') : raw);
  if (now === null || lines === null || line === '' || lines.length >= MOST_QUOTED) return;
  lines.push(line);
  now.quote = lines.join('\n');
}

/** Without the number that a program prints before a line. */
const unnumbered = (line: string): string => line.replace(/^\s*\d+(?:\s*[|:→]\s?|\t)/, '').trim();

function readLine(reading: Reading, raw: string, line: string): void {
  const { group, now } = reading;
  const begin = (severity: Severity, title: string): void => {
    reading.now = { severity, title: '', path: '', quote: '', why: [] };
    take(reading.now, { line: title, raw }, true);
    reading.found.push(reading.now);
  };
  const alone = severityOf(SEVERITY_LINE.exec(line)?.groups?.['word'] ?? '');
  if (alone !== null) return begin(alone, reading.heading);
  const { word: of = '', count = '' } = GROUP.exec(line)?.groups ?? {};
  const grouped = severityOf(of);
  if (grouped !== null)
    return void Object.assign(reading, { group: Number(count || 1) === 0 ? null : grouped, now: null, heading: '' });
  const row = raw.trim().replaceAll('**', '');
  const { word = '', rest = '' } = (HEAD.exec(line) ?? ROW.exec(row) ?? TAIL.exec(line))?.groups ?? {};
  const severity = severityOf(word);
  if (severity !== null) {
    const said = rest.trim();
    if (!NONE.test(bare(said)) && !COUNTS.test(said) && !/^\d+$/.test(said)) return begin(severity, said);
    return void Object.assign(reading, { group: null, now: null });
  }
  if (SENTINEL.test(line) || READY.test(line)) return void Object.assign(reading, { now: null });
  if (group !== null && NONE.test(line)) return void Object.assign(reading, { group: null, now: null });
  const isHeading = /^\s*#{1,6}\s/.test(raw) || /^\s*\*\*[^*]+\*\*:?\s*$/.test(raw);
  const plain = line.replace(new RegExp(`^${NUMBER}`), '');
  if (isHeading && !FIELD.test(line)) {
    Object.assign(reading, { heading: plain, now: null, group: isAbout(line) ? group : null });
    if (reading.group !== null) begin(reading.group, plain);
    return;
  }
  const isEntry = /^\s{0,1}(?:[-*+•]|\d{1,3}[.)])\s/.test(raw);
  if (group !== null && isEntry && !FIELD.test(line)) return begin(group, line);
  if (group !== null && OTHER.test(line)) return void Object.assign(reading, { group: null, now: null });
  if (now !== null) take(now, { line, raw }, false);
  else if (/^\d{1,3}[.)]\s/.test(raw.trim())) reading.heading = plain;
}

/** What introduces another part of an answer, without the marks of a heading. */
const OTHER = /^(?:verified|invariants?|summary|verdict|conclusion|overview)\b.{0,40}:$/i;

/** A heading below a group that begins a finding, and no other section of the answer. */
const isAbout = (line: string): boolean =>
  !/^(?:summary|verdict|conclusion|notes?|what|verified|invariants?|tests?|overview|scope|result|recommendation|review|follow-?ups?|appendix|checks?|other|non-?blocking|suggestions?)\b/i.test(
    line,
  );

/** One more line of a finding: a field, a place, or its reason. `raw`: as it was written, since code has marks of its own. */
function take(draft: Draft, { line, raw }: { readonly line: string; readonly raw: string }, isTitle: boolean): void {
  const { name = '', value = '' } = FIELD.exec(line)?.groups ?? {};
  const field = name.toLowerCase();
  if (/^(?:quote|quoted|code|line|evidence|zitat)$/.test(field) && !/^\d+(?:[-–]\d+)?$/.test(value.trim())) {
    const written = /^[^:：=]*[:：=][*_\s]*(.*)$/.exec(raw)?.[1] ?? value;
    if (draft.quote === '') draft.quote = unnumbered(unquoted(written));
    return;
  }
  if (/^(?:path|files?|location|where|pfad|datei)$/.test(field)) {
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
