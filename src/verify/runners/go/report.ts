// Reads `go test -json`: one event a line, among whatever else is printed. The package takes the place of the file; a test
// with subtests is a case of its own in addition to them.
import { z } from 'zod';
import { entryOf } from '../../../model/entry.ts';
import type { TestStatus } from '../../../model/report.ts';
import { ok } from '../../../model/result.ts';
import { OF_SUITE, unreadable, UNLOADED, withIds, type RawCase } from '../cases.ts';
import type { ReportReader } from '../runner.ts';
import { END_OF_OUTPUT } from '../shell.ts';

const eventSchema = z.object({
  Action: z.string(),
  Package: z.string().optional(),
  ImportPath: z.string().optional(),
  Test: z.string().optional(),
  Elapsed: z.number().optional(),
  Output: z.string().optional(),
});
type Event = z.infer<typeof eventSchema>;

/** What people read: the output of tests instead of the events around it. */
export const readable: NonNullable<ReportReader['readable']> = (output) =>
  output
    .split('\n')
    .filter((row) => row !== END_OF_OUTPUT)
    .map((row) => {
      const event = row.startsWith('{') ? eventSchema.safeParse(jsonOf(row)) : null;
      return event?.success ? (event.data.Output ?? '') : `${row}\n`;
    })
    .join('')
    .trimEnd();

export const parse: ReportReader['parse'] = (text) => {
  const { events, defects, unbuilt } = read(text);
  if (events.length === 0 && unbuilt.length === 0) return unreadable('go', 'there is no event in the output');
  const packages = new Map<string, Event[]>();
  for (const name of [...unbuilt, ...events.flatMap((e) => e.Package ?? [])])
    if (!packages.has(name)) packages.set(name, []);
  for (const event of events) packages.get(event.Package ?? '')?.push(event);
  const found = [...packages].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, all]) => readPackage(name, all));
  const cases = found.flatMap((p) => p.cases);
  return ok({ cases: withIds('go', cases), defects: [...defects, ...found.flatMap((p) => p.defects)] });
};

function read(text: string): {
  readonly events: readonly Event[];
  readonly defects: string[];
  readonly unbuilt: readonly string[];
} {
  const rows = text.split('\n');
  const events: Event[] = [];
  const unbuilt: string[] = [];
  const defects: string[] = [];
  for (const row of rows) {
    const event = row.startsWith('{') ? eventSchema.safeParse(jsonOf(row)) : null;
    if (event?.success) events.push(event.data);
    // Before Go 1.24 a package that was not built is reported in plain text only.
    const failed = /^FAIL\t(\S+) \[(?:build|setup) failed\]$/.exec(row)?.[1];
    if (failed !== undefined) unbuilt.push(failed);
    if (/^\{"(?:Time|Action|ImportPath)":/.test(row) && !event?.success) defects.push('a line of the report is cut');
  }
  if (!rows.includes(END_OF_OUTPUT)) defects.push('the output is incomplete');
  return { events, defects, unbuilt };
}

type TestEvents = { status: TestStatus | null; ms: number; readonly output: string[] };

function readPackage(name: string, events: readonly Event[]): { cases: RawCase[]; defects: string[] } {
  const tests = new Map<string, TestEvents>();
  const defects: string[] = [];
  let end: TestStatus | null = null;
  const own: string[] = [];
  for (const { Action, Test, Elapsed, Output } of events) {
    const ending = entryOf(ENDINGS, Action);
    if (Test === undefined) {
      if (Output !== undefined) own.push(Output);
      if (ending !== undefined) end = worse(end, ending);
      continue;
    }
    const test = tests.get(Test) ?? { status: null, ms: 0, output: [] };
    tests.set(Test, test);
    if (Output !== undefined) test.output.push(Output);
    if (ending === undefined) continue;
    // A test that ends twice printed one of the ends itself.
    if (test.status !== null) defects.push(`${name}: ${Test} ended twice`);
    test.status = worse(test.status, ending);
    test.ms = 1000 * (Elapsed ?? 0);
  }
  const cases = [...tests].map(([test, seen]): RawCase => {
    const status = seen.status ?? printedEnd(test, seen.output);
    if (status === null) defects.push(`${name}: ${test} did not finish`);
    const message = messageOf(seen.output) || 'did not pass';
    return { ...placeOf(name, test), status: status ?? 'failed', ms: seen.ms, message };
  });
  const isExplained = cases.some((c) => c.status === 'failed');
  const base = {
    file: name,
    suite: [],
    ms: 0,
    message: messageOf(own) || (events.length === 0 ? 'was not built' : 'failed outside every test'),
  };
  if (end === null && events.length > 0) defects.push(`${name}: did not finish`);
  else if (end !== 'passed' && end !== 'skipped' && !isExplained) {
    // Not built, or it left in a way of its own after its tests.
    defects.push(`${name}: ${cases.length === 0 ? UNLOADED : 'failed outside every test'}`);
    cases.push({ ...base, name: cases.length === 0 ? UNLOADED : OF_SUITE, status: 'failed' });
  }
  return { cases, defects };
}

const ENDINGS: { readonly [action: string]: TestStatus | undefined } = {
  pass: 'passed',
  bench: 'passed',
  fail: 'failed',
  skip: 'skipped',
};

const RANK = { passed: 0, skipped: 1, failed: 2 } as const;
const worse = (a: TestStatus | null, b: TestStatus): TestStatus => (a !== null && RANK[a] > RANK[b] ? a : b);

/** Before Go 1.20 the end of a test that printed no newline is not seen by the runner itself: it is in the output. */
function printedEnd(test: string, output: readonly string[]): TestStatus | null {
  const line = output.findLast((s) => s.includes(`: ${test} (`));
  const word = /--- (PASS|SKIP|FAIL): \S+ \([\d.]+s\)\s*$/.exec(line ?? '')?.[1];
  return word === 'PASS' ? 'passed' : word === 'SKIP' ? 'skipped' : word === 'FAIL' ? 'failed' : null;
}

function placeOf(file: string, test: string): Pick<RawCase, 'file' | 'suite' | 'name'> {
  const titles = test.split('/');
  return { file, suite: titles.slice(0, -1), name: titles.at(-1) ?? test };
}

/** What a test printed, without the lines of the runner around it. */
const messageOf = (output: readonly string[]): string =>
  output.filter((line) => !/^(?:\s*(?:===|---) |PASS\s*$|FAIL\b|ok\s|exit status|\s*$)/.test(line)).join('');

function jsonOf(row: string): unknown {
  try {
    return JSON.parse(row);
  } catch {
    return null;
  }
}
