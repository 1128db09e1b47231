// Reads TAP, versions 12 to 14: blocks by indentation, plans, directives. A test point below a plain comment is named by its
// number there (descriptions of assertions repeat and contain values); elsewhere by its description.
import type { TestStatus } from '../../../model/report.ts';
import { ok } from '../../../model/result.ts';
import { stripColours, unreadable, UNLOADED, withIds, type RawCase } from '../cases.ts';
import type { ReportReader } from '../runner.ts';

export const parse: ReportReader['parse'] = (text) => {
  const reader: Reader = { lines: stripColours(text).split(/\r?\n/), at: 0, defects: [], bailed: false };
  const cases: RawCase[] = [];
  let documents = 0;
  while (reader.at < reader.lines.length && !reader.bailed) {
    const block = readBlock(reader, 0);
    if (!block.isTap) continue;
    documents++;
    cases.push(...block.cases);
  }
  if (POINT.test(reader.lines.at(-1)?.trimStart() ?? '')) reader.defects.push('the last line has no end');
  if (documents === 0) return unreadable('tap', 'there is no TAP in the output');
  return ok({ cases: withIds('tap', cases.map(fileFromSuite)), defects: reader.defects });
};

type Reader = { readonly lines: readonly string[]; at: number; readonly defects: string[]; bailed: boolean };
type Block = { readonly cases: RawCase[]; readonly isTap: boolean };

const POINT = /^(not )?ok(?=\s|$)(?:\s+(\d+)(?=\s|$))?\s*(?:-(?=\s))?\s*(.*)$/;
const PLAN = /^1\.\.(\d+)\s*(?:#.*)?$/;
const SUBTEST = /^# Subtest(?:: (.*))?$/;
const CUT = /^… \d+ bytes left out …$/;

/** Reads one block of one indentation up to the first TAP line that belongs to a block around it. */
function readBlock(reader: Reader, indent: number): Block {
  const pad = ' '.repeat(indent);
  const cases: RawCase[] = [];
  let planned: number | null = null;
  let points = 0;
  let heading: string | null = null;
  let ordinal = 0;
  let subtest: string | null = null;
  let child: Block | null = null;
  let afterFailure = false; // comments right after a failure explain it, they are no headings
  let isTap = false;
  while (reader.at < reader.lines.length && !reader.bailed) {
    const line = reader.lines[reader.at] ?? '';
    if (line.trimStart().startsWith('Bail out!')) {
      reader.defects.push(line.trim());
      reader.bailed = true;
      return { cases, isTap: true };
    }
    if (CUT.test(line)) reader.defects.push('the output was cut');
    if (!line.startsWith(pad)) {
      if (endsBlock(line.trimStart())) break;
      reader.at++;
      continue;
    }
    const body = line.slice(indent);
    if (/^TAP version \d+/.test(body)) {
      if (isTap) break; // the next document
      isTap = true;
      reader.at++;
      continue;
    }
    if (/^ {4}/.test(body) && isTapLine(body.trimStart())) {
      const inner = readBlock(reader, line.length - line.trimStart().length);
      if (!inner.isTap) continue;
      child = joined(child, inner);
      isTap = true;
      continue;
    }
    reader.at++;
    if (body === '}') break; // the end of a buffered subtest
    const plan = PLAN.exec(body);
    if (plan !== null) {
      isTap = true;
      if (planned !== null) reader.defects.push('a second plan');
      planned = Number(plan[1]);
      continue;
    }
    if (body.startsWith('#')) {
      const title = SUBTEST.exec(body);
      const text = body.replace(/^#+\s*/, '');
      if (title !== null) subtest = unescape(title[1] ?? '');
      else if (!afterFailure && text !== '') [heading, ordinal] = [text, 0];
      continue;
    }
    const point = POINT.exec(body);
    if (point === null) continue;
    isTap = true;
    points++;
    ordinal++;
    const failed = point[1] !== undefined;
    const buffered = /\s\{\s*$/.test(point[3] ?? '');
    const read = directive((point[3] ?? '').replace(/\s*\{\s*$/, ''));
    const yaml = readYaml(reader, indent);
    afterFailure = failed && yaml === null;
    if (buffered) child = readBlock(reader, indent + 4);
    const status: TestStatus = failed
      ? read.directive === 'todo'
        ? 'skipped'
        : 'failed'
      : read.directive === null
        ? 'passed'
        : 'skipped';
    const title = read.description || (subtest ?? '');
    const own: RawCase = {
      file: '',
      suite: [],
      name: title === '' ? String(ordinal) : title,
      status,
      ms: read.ms ?? yaml?.ms ?? 0,
      message: yaml?.message || read.reason || read.description,
    };
    if (child !== null && child.cases.length > 0) {
      cases.push(...child.cases.map((c) => ({ ...c, suite: [title, ...c.suite] })));
      const explained = child.cases.some((c) => c.status === 'failed');
      if (status === 'failed' && !explained) cases.push(own); // its own assertion, after its subtests passed
    } else if (subtest !== null && indent === 0 && isFile(title)) {
      // A file of its own without a test in it: nothing was executed, or it did not load.
      if (status === 'failed') {
        reader.defects.push(`${title}: ${UNLOADED}`);
        cases.push({ ...own, file: title, name: UNLOADED });
      }
    } else if (heading !== null && subtest === null) cases.push({ ...own, suite: [heading], name: String(ordinal) });
    else cases.push(own);
    subtest = null;
    child = null;
  }
  if (child !== null) cases.push(...child.cases);
  if (isTap && !reader.bailed) {
    if (child !== null) reader.defects.push('a subtest without its result');
    if (planned === null) reader.defects.push('no plan');
    else if (planned !== points) reader.defects.push(`planned ${planned}, found ${points}`);
  }
  return { cases, isTap };
}

const joined = (a: Block | null, b: Block): Block => ({ cases: [...(a?.cases ?? []), ...b.cases], isTap: true });

const isTapLine = (body: string): boolean =>
  POINT.test(body) || PLAN.test(body) || body.startsWith('#') || body.startsWith('TAP version');
/** Words printed in the middle of a subtest end nothing. */
const endsBlock = (body: string): boolean => POINT.test(body) || PLAN.test(body) || SUBTEST.test(body) || body === '}';

/** The diagnostic block behind a point; null if there is none. One that never ends is a defect. */
function readYaml(reader: Reader, indent: number): { readonly message: string; readonly ms: number | null } | null {
  const open = new RegExp(`^ {${indent}}( +)---\\s*$`).exec(reader.lines[reader.at] ?? '');
  if (open === null) return null;
  const end = `${' '.repeat(indent)}${open[1] ?? ''}...`;
  const from = reader.at + 1;
  let to = from;
  while (to < reader.lines.length && (reader.lines[to] ?? '').trimEnd() !== end) to++;
  if (to === reader.lines.length) {
    reader.defects.push('a diagnostic block without an end');
    reader.at++;
    return null;
  }
  reader.at = to + 1;
  const inside = reader.lines.slice(from, to).map((l) => l.trim());
  const field = (name: string): string => inside.find((l) => l.startsWith(`${name}: `))?.slice(name.length + 2) ?? '';
  const text = field('error') || field('message') || field('reason');
  const ms = Number(field('duration_ms') || Number.NaN);
  return { message: text.replace(/^(['"])(.*)\1$/, '$2').replace(/^[|>]-?$/, ''), ms: Number.isFinite(ms) ? ms : null };
}

function directive(text: string): {
  readonly description: string;
  readonly directive: 'skip' | 'todo' | null;
  readonly reason: string;
  readonly ms: number | null;
} {
  const timed = /(?:^|\s)#\s*time=([\d.]+)(m?s)\s*$/.exec(text);
  const rest = timed === null ? text : text.slice(0, timed.index);
  const ms = timed === null ? null : Number(timed[1]) * (timed[2] === 's' ? 1000 : 1);
  const hit = /(?:^|\s)#\s*(skip|todo)\S*\s*(.*)$/i.exec(rest);
  return {
    description: unescape((hit === null ? rest : rest.slice(0, hit.index)).trim()),
    directive: hit === null ? null : hit[1]?.toLowerCase() === 'skip' ? 'skip' : 'todo',
    reason: hit?.[2] ?? '',
    ms,
  };
}

const unescape = (text: string): string => text.replace(/\\([\\#])/g, '$1');

const isFile = (title: string): boolean => /^\S+\.(?:[cm]?[jt]sx?|t|sh|bats|py|rb|pl|php|lua)$/.test(title);

/** Runners of many files make each file a subtest of its name. */
function fileFromSuite(c: RawCase): RawCase {
  const [first = '', ...rest] = c.suite;
  return c.file === '' && isFile(first) ? { ...c, file: first, suite: rest } : c;
}
