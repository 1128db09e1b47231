// Title and body of a pull request: what the preparer wrote, and what the harness knows of the review. Pure.
import type { JudgedFinding } from './convergence.ts';
import type { ReviewRecord } from './record.ts';
import { blocks } from './severities.ts';

export type PullText = { readonly title: string; readonly body: string };

const MOST_TITLE = 100;
const MOST_BODY = 20_000;

/**
 * `Title: …` or the first heading, and the rest as the body. Answers are written in many forms: a fence around the whole, words before the title.
 * null: there is no text in it.
 */
export function readPullText(text: string): PullText | null {
  const lines = withoutFence(text).split(/\r?\n/);
  const named = lines.findIndex((line) => TITLE.test(line));
  const heading = lines.findIndex((line) => /^#\s+\S/.test(line));
  const first = lines.findIndex((line) => line.trim() !== '');
  const at = named >= 0 ? named : heading >= 0 ? heading : first;
  const title = plainTitle(lines[at] ?? '');
  if (title === '') return null;
  const body = lines
    .slice(at + 1)
    .join('\n')
    .replace(/^\s*(?:\*\*)?(?:body|description)\s*:?(?:\*\*)?\s*:?[ \t]*\n/i, '')
    .trim();
  return { title, body: body.slice(0, MOST_BODY).toWellFormed() };
}

const TITLE = /^\s*(?:[#>*_-]+\s*)*(?:\*\*)?(?:pr |pull request )?title(?:\*\*)?\s*[:=]/i;

const plainTitle = (line: string): string =>
  line
    .replace(TITLE, '')
    .replace(/^[\s#>*_`"'-]+|[\s*_`"']+$/g, '')
    .replace(/\s+/g, ' ')
    .slice(0, MOST_TITLE)
    .toWellFormed();

/** A fence around all of it. */
const withoutFence = (text: string): string => /^\s*(`{3,}|~{3,})\w*\s*\n([\s\S]*?)\n\1\s*$/.exec(text)?.[2] ?? text;

/** `lines`: trailers of the proposed commit. */
export const pullBody = (
  { body }: Pick<PullText, 'body'>,
  { item, record, tree }: { readonly item: string; readonly record: ReviewRecord; readonly tree: string | null },
): string =>
  [
    body,
    section('Open, and accepted by a user', record.accepted),
    section('Follow-ups', record.followUps),
    record.curve === '' ? '' : `Review: blocking findings by pass: ${record.curve}.`,
    e2eLine(record, tree),
    `Plan ${item}. The harness ran the checks itself; the commit names their evidence.`,
  ]
    .filter((part) => part.trim() !== '')
    .join('\n\n');

/** `tree`: what is proposed; null: there are no such tests. */
function e2eLine({ e2e }: ReviewRecord, tree: string | null): string {
  if (e2e === undefined || tree === null) return '';
  if (e2e.result === 'skipped') return 'End-to-end tests: skipped (`--skip-e2e`).';
  const passed = `End-to-end tests: passed on the files \`${e2e.tree.slice(0, 12)}\`.`;
  return e2e.tree === tree ? passed : `${passed} They run again on these files before the merge.`;
}

const section = (title: string, findings: readonly JudgedFinding[]): string =>
  findings.length === 0 ? '' : `### ${title}\n\n${findings.map(lineOf).join('\n')}`;

function lineOf({ severity, title, path, proven, origin }: JudgedFinding): string {
  const about = [
    severity,
    ...(proven || !blocks(severity) ? [] : ['an opinion: its evidence was not found']),
    ...(origin === 'base' ? ['was there before'] : []),
  ];
  return `- ${oneLine(title)}${path === '' ? '' : ` (\`${oneLine(path).replaceAll('`', '')}\`)`}: ${about.join(', ')}`;
}

/** Text of an agent: no markup, no mention of a person, no reference to an issue. */
const oneLine = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 300)
    .toWellFormed()
    .replace(/[\\*[\]<>|]/g, (sign) => `\\${sign}`)
    .replace(/([@#])(?=\w)/g, '$1\u200b');
