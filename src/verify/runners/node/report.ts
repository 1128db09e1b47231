// Reads what node-reporter.mjs wrote: lines of JSON of one or more runs. A run without its last line, or with fewer tests
// than that line counts, was cut. The JUnit report of node:test is read too (junit.ts).
import { z } from 'zod';
import type { TestReport } from '../../../model/report.ts';
import { ok, type Result } from '../../../model/result.ts';
import { OF_SUITE, relativeTo, unreadable, UNLOADED, withIds, type RawCase } from '../cases.ts';
import type { ReportReader } from '../runner.ts';
import { parseNodeJunit } from './junit.ts';

const run = z.string().min(1);
const testFields = {
  run,
  status: z.enum(['pass', 'fail', 'skip', 'todo']),
  file: z.string(),
  suite: z.array(z.string()),
  name: z.string(),
  ms: z.number().optional(),
  failure: z.string(),
  message: z.string(),
};
const lineSchema = z.discriminatedUnion('event', [
  z.object({ event: z.literal('start'), run, version: z.literal(1), node: z.string() }),
  z.object({ event: z.literal('test'), ...testFields }),
  z.object({ event: z.literal('suite'), ...testFields }),
  z.object({ event: z.literal('file'), ...testFields }),
  z.object({ event: z.literal('diagnostic'), run, file: z.string(), message: z.string() }),
  z.object({
    event: z.literal('end'),
    run,
    tests: z.int(),
    executed: z.int(),
    counted: z.object({ fail: z.int().optional(), cancelled: z.int().optional() }),
  }),
]);
type Line = z.infer<typeof lineSchema>;
type TestLine = Extract<Line, { status: string }>;

export const parse: ReportReader['parse'] = (text, root) =>
  /^\s*\{/.test(text) ? parseLines(text, root) : parseNodeJunit(text, root);

function parseLines(text: string, root: string): Result<TestReport> {
  const rows = text.split('\n');
  const defects: string[] = [];
  if (rows.pop() !== '') defects.push('the last line has no end');
  const runs = new Map<string, Line[]>();
  for (const [index, row] of rows.entries()) {
    const line = lineSchema.safeParse(jsonOf(row));
    if (!line.success) return unreadable('node', `line ${index + 1} is no line of a report`);
    const { event, run: name } = line.data;
    const lines = runs.get(name);
    if ((event === 'start') === (lines !== undefined)) return unreadable('node', `line ${index + 1} is of no run`);
    if (lines === undefined) runs.set(name, [line.data]);
    else lines.push(line.data);
  }
  if (runs.size === 0 && defects.length === 0) return unreadable('node', 'the file is empty');
  const all = [...runs.values()];
  return ok({
    cases: withIds(
      'node',
      all.flatMap((lines) => lines.flatMap((line) => ('status' in line ? casesOf(line, root) : []))),
    ),
    defects: [...defects, ...all.flatMap((lines) => defectsOf(lines, root))],
  });
}

function casesOf(line: TestLine, root: string): readonly RawCase[] {
  const { suite, name, message } = line;
  const status = line.status === 'pass' ? 'passed' : line.status === 'fail' ? 'failed' : 'skipped';
  const base = { file: relativeTo(root, line.file), suite, name, status, ms: line.ms ?? 0, message } as const;
  switch (line.event) {
    case 'test':
      return [base];
    case 'file':
      // A file without tests counts as a passed test for the runner; for us nothing was executed.
      return status === 'failed' ? [{ ...base, suite: [], name: UNLOADED }] : [];
    case 'suite': {
      // Its tests count instead of it, unless it fails by itself (a hook, its body) or none of them ran.
      const own = (status === 'failed' && line.failure !== 'subtestsFailed') || line.status === 'skip';
      return own ? [{ ...base, suite: [...suite, name], name: OF_SUITE }] : [];
    }
  }
}

function defectsOf(lines: readonly Line[], root: string): readonly string[] {
  const end = lines.at(-1);
  const unloaded = lines.flatMap((l) =>
    l.event === 'file' && l.status === 'fail' ? [`${relativeTo(root, l.file)}: ${UNLOADED}`] : [],
  );
  if (end?.event !== 'end') return [...unloaded, 'a run did not finish'];
  const tests = lines.filter((l) => l.event === 'test');
  const executed = tests.filter((l) => l.status === 'pass' || l.status === 'fail').length;
  if (end.tests !== tests.length || end.executed !== executed)
    return [...unloaded, `a run counted ${end.tests} tests, its report holds ${tests.length}`];
  const failing = lines.filter((l) => 'status' in l && l.status === 'fail').length;
  const hidden = (end.counted.fail ?? 0) + (end.counted.cancelled ?? 0) - failing;
  return hidden > 0 ? [...unloaded, `${hidden} counted failures are in no case`] : unloaded;
}

function jsonOf(row: string): unknown {
  try {
    return JSON.parse(row);
  } catch {
    return null;
  }
}
