// Reads the json report of mocha, alone in a file or among what tests print. A hook that fails is in no list of tests: it
// becomes a failure of its own. Suite titles come joined by spaces, so the suite of a test is one text.
import { z } from 'zod';
import { ok } from '../../../model/result.ts';
import { OF_SUITE, relativeTo, unreadable, withIds, type RawCase } from '../cases.ts';
import type { ReportReader } from '../runner.ts';

const testSchema = z.object({
  title: z.string(),
  fullTitle: z.string(),
  file: z.string().nullish(),
  duration: z.number().nullish(),
  speed: z.string().nullish(),
  err: z.looseObject({ message: z.unknown(), stack: z.unknown() }).partial(),
});
type ListedTest = z.infer<typeof testSchema>;
const reportSchema = z.object({
  stats: z.object({ tests: z.int(), passes: z.int(), pending: z.int(), failures: z.int() }),
  tests: z.array(testSchema),
  pending: z.array(testSchema),
  failures: z.array(testSchema),
  passes: z.array(testSchema),
});
type Report = z.infer<typeof reportSchema>;

export const parse: ReportReader['parse'] = (text, root) => {
  const value = jsonIn(text);
  if (value === undefined) return unreadable('mocha', 'there is no whole report in it');
  const report = reportSchema.safeParse(value);
  if (!report.success) return unreadable('mocha', z.prettifyError(report.error));
  const raw = [...casesOf(report.data, root), ...hooksOf(report.data, root)];
  return ok({ cases: withIds('mocha', raw), defects: defectsOf(report.data) });
};

/** The whole text, or the last object in it that begins and ends a line as the reporter writes it. */
function jsonIn(text: string): unknown {
  const from = text.lastIndexOf('{\n  "stats": {');
  const to = text.indexOf('\n}', from);
  for (const candidate of [text, ...(from >= 0 && to > from ? [text.slice(from, to + 2)] : [])]) {
    try {
      return JSON.parse(candidate);
    } catch {
      continue; // other output around it
    }
  }
  return undefined;
}

const isError = ({ err }: ListedTest): boolean => Object.keys(err).length > 0;

const keyOf = (t: ListedTest): string => JSON.stringify([t.file, t.fullTitle]);

/** The list of all tests does not say how one ended: one that passed was measured, or is in the list of those that passed. */
function casesOf({ tests, pending, passes }: Report, root: string): RawCase[] {
  const [idle, passed] = [new Set(pending.map(keyOf)), new Set(passes.map(keyOf))];
  const didPass = (t: ListedTest): boolean =>
    typeof t.speed === 'string' || (!idle.has(keyOf(t)) && passed.has(keyOf(t)));
  return tests.map((t) => ({ ...placeOf(t, root), status: isError(t) ? 'failed' : didPass(t) ? 'passed' : 'skipped' }));
}

function hooksOf({ tests, failures }: Report, root: string): RawCase[] {
  const known = new Set(tests.map(keyOf));
  return failures
    .filter((t) => !known.has(keyOf(t)))
    .map((t) => ({ ...placeOf(t, root), name: `${OF_SUITE} ${t.title}`, status: 'failed' }));
}

function placeOf(t: ListedTest, root: string): Omit<RawCase, 'status'> {
  const front = t.fullTitle.endsWith(t.title) ? t.fullTitle.slice(0, t.fullTitle.length - t.title.length).trim() : '';
  const reason = t.err['message'];
  const message =
    typeof reason === 'string' && reason !== '' ? reason : typeof t.err['stack'] === 'string' ? t.err['stack'] : '';
  return {
    file: relativeTo(root, t.file ?? ''),
    suite: front === '' ? [] : [front],
    name: t.title,
    ms: t.duration ?? 0,
    message: message || 'failed without a word',
  };
}

/** `bail`, a crash in a hook and a forged list all show as counts that differ from the lists. */
function defectsOf({ stats, tests, pending, failures, passes }: Report): readonly string[] {
  const wrong = (['tests', 'pending', 'failures', 'passes'] as const).filter((key) => {
    return stats[key] !== { tests, pending, failures, passes }[key].length;
  });
  return wrong.map((key) => `the run counted ${stats[key]} ${key}, its report holds another number`);
}
