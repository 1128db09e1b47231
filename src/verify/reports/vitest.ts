// vitest through its built-in json reporter, which keeps suite titles apart (its JUnit joins them).
// There is no environment variable for it: flags are written behind the command that runs vitest.
import { z } from 'zod';
import type { TestStatus } from '../../model/report.ts';
import { ok } from '../../model/result.ts';
import { relativeTo, unreadable, UNLOADED, withIds, type RawCase } from './cases.ts';
import type { Adapter, Instrumented } from './port.ts';
import { callsScript, scriptOf, type Scripts } from './scripts.ts';
import { insertAt, quoteWord, segments, withReport } from './shell.ts';

const assertionSchema = z.object({
  ancestorTitles: z.array(z.string()),
  title: z.string(),
  status: z.string(),
  duration: z.number().nullish(),
  failureMessages: z.array(z.string()).nullish(),
});
const reportSchema = z.object({
  success: z.boolean(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().nullish(),
      assertionResults: z.array(assertionSchema),
    }),
  ),
});

export const vitest: Adapter = {
  runner: 'vitest',
  extension: 'json',
  instrument,
  parse(text, root) {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      return unreadable('vitest', error instanceof Error ? error.message : String(error));
    }
    const report = reportSchema.safeParse(value);
    if (!report.success) return unreadable('vitest', z.prettifyError(report.error));
    const defects: string[] = [];
    const raw = report.data.testResults.flatMap((file): RawCase[] => {
      const name = relativeTo(root, file.name);
      const cases = file.assertionResults.map((a) => read(name, a));
      if (file.status !== 'failed' || cases.some((c) => c.status === 'failed')) return cases;
      // The file failed outside any test: it did not load, holds no test, left early, or its clean-up failed.
      defects.push(`${name}: ${UNLOADED}`);
      const message = file.message ?? '';
      return [...cases, { file: name, suite: [], name: UNLOADED, status: 'failed', ms: 0, message }];
    });
    const failing = raw.some((c) => c.status === 'failed');
    if (!report.data.success && !failing && raw.length > 0) defects.push('the run failed outside every test');
    return ok({ cases: withIds('vitest', raw), defects });
  },
};

function read(file: string, a: z.infer<typeof assertionSchema>): RawCase {
  const status: TestStatus = a.status === 'passed' ? 'passed' : a.status === 'failed' ? 'failed' : 'skipped';
  const message = a.failureMessages?.[0] ?? '';
  return { file, suite: a.ancestorTitles, name: a.title, status, ms: a.duration ?? 0, message };
}

const RUNS_VITEST =
  /^(?:\w+=\S*\s+)*(?:(?:npx|bunx|pnpm|yarn|bun|npm|exec|run|dlx|x|node|env|time|-\S+|\w+=\S*)\s+)*["']?(?:\S*\/)?vitest(?:\.m?js)?["']?(?:\s|$)/;

function instrument(command: string, reportPath: string, scripts: Scripts = {}): Instrumented | null {
  const replaced = withReport(command, reportPath);
  if (replaced !== null) return { command: replaced, env: {}, from: 'file' };
  const parts = segments(command);
  if (parts === null) return null;
  const direct = parts.filter((p) => RUNS_VITEST.test(p.text));
  const candidates = direct.length > 0 ? direct : parts.filter((p) => callsScript(p.text));
  const [only] = candidates;
  if (only === undefined || candidates.length > 1) return null;
  const script = direct.length > 0 ? '' : scriptOf(only.text, scripts);
  // Flags behind a script go to its last command, and would be lost on their way through a second npm.
  const last = segments(script)?.at(-1)?.text ?? '';
  if (script !== '' && !RUNS_VITEST.test(last)) return null;
  if (/--outputFile\b/.test(`${only.text} ${script}`)) return null;
  // A reporter on the command line replaces those of the configuration, so what people read is asked for too.
  const shown = /--reporter\b/.test(`${only.text} ${script}`) ? '' : '--reporter=default ';
  const flags = `${shown}--reporter=json --outputFile.json=${quoteWord(reportPath)}`;
  const isNpm = /^(?:\w+=\S*\s+)*npm\s/.test(only.text);
  const behind = isNpm && !/\s--\s/.test(only.text) ? `-- ${flags}` : flags;
  return { command: insertAt(command, only.end, behind), env: {}, from: 'file' };
}
