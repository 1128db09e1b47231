// Fixed cases: failures that `npm run explore` found, each with the seed that brings it back. One file a case in test/cases, committed,
// and replayed by `npm test` for ever (test/cases/replay.test.ts). Owns the format, the replay, and reading a report of vitest.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';

const ROOT = resolve(import.meta.dirname, '../..');
const FOLDER = join(ROOT, 'test', 'cases');
const MOST_FOUND_CHARS = 300;

const caseSchema = z.strictObject({
  /** A project of vitest.config.ts. */
  project: z.string(),
  /** The file of the suite, below the root of the repository. */
  file: z.string(),
  /** The whole name of the test. */
  test: z.string(),
  seed: z.int().min(0).max(999_999_999),
  /** What failed when it was found, for people. */
  found: z.string(),
});
export type Case = z.infer<typeof caseSchema>;

/** By the name of the file; throws where a file is no case. */
export const allCases = (): ReadonlyMap<string, Case> =>
  new Map(
    readdirSync(FOLDER)
      .filter((name) => name.endsWith('.json'))
      .sort()
      .map((name) => [name, caseSchema.parse(JSON.parse(readFileSync(join(FOLDER, name), 'utf8')))]),
  );

/** Writes the file of a case and returns its path below the root of the repository. */
export function writeCase(found: Case): string {
  const suite = basename(found.file).replace(/(?:\.long)?\.test\.ts$/, '');
  const slug = found.test
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-|-$/g, '');
  const path = join(FOLDER, `${suite}-${found.seed}-${slug}.json`);
  writeFileSync(path, `${JSON.stringify(found, null, 2)}\n`);
  return relative(ROOT, path);
}

const reportSchema = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      message: z.string().default(''),
      assertionResults: z.array(
        z.object({ fullName: z.string(), status: z.string(), failureMessages: z.array(z.string()).nullish() }),
      ),
    }),
  ),
});
export type Report = z.infer<typeof reportSchema>;

/** The failed tests of a report as cases. A suite that could not be loaded has no tests, and is one of the `problems`. */
export function casesIn(
  report: Report,
  project: (file: string) => string,
  seed: number,
): { readonly cases: readonly Case[]; readonly problems: readonly string[] } {
  const files = report.testResults.map((one) => ({ ...one, file: relative(ROOT, one.name) }));
  const cases = files.flatMap(({ file, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName: test, failureMessages }): Case => {
        const message = (failureMessages ?? []).join('\n');
        // A suite that plays many seeds names the one that failed.
        const named = /HARNESS_SEED=(\d+)/.exec(message)?.[1];
        return { project: project(file), file, test, seed: Number(named ?? seed), found: foundIn(message) };
      }),
  );
  const problems = files
    .filter(({ assertionResults, message }) => assertionResults.length === 0 && message !== '')
    .map(({ file, message }) => `${file}: ${message}`);
  return { cases, problems };
}

/** The beginning of a message, without colours, folders of this machine and stack. */
const foundIn = (message: string): string =>
  (stripVTControlCharacters(message).split(/\n\s+at /)[0] ?? '')
    .replaceAll(ROOT, '.')
    .replace(/(?<![\w.])\/(?:[\w.@+-]+\/)+[\w.@+-]*/g, '…')
    .slice(0, MOST_FOUND_CHARS)
    .trim();

export type Ran = { readonly report: Report | null; readonly output: string };

/** Runs vitest with these arguments and variables; `report` is null where it gave none. */
export async function runVitest(
  args: readonly string[],
  variables: { readonly [name: string]: string },
  signal?: AbortSignal,
): Promise<Ran> {
  const folder = mkdtempSync(join(tmpdir(), 'harness-vitest-'));
  const file = join(folder, 'report.json');
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(?:VITEST|HARNESS_(?:SEED|EXPLORE|EXHAUSTIVE)$)/.test(name)),
  );
  const child = spawn(
    process.execPath,
    [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', '--reporter=json', `--outputFile=${file}`, ...args],
    { cwd: ROOT, env: { ...env, ...variables }, stdio: ['ignore', 'pipe', 'pipe'], ...(signal ? { signal } : {}) },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  await new Promise<void>((done, fail) => {
    child.once('error', fail);
    child.once('close', () => done());
  });
  try {
    return { report: reportSchema.parse(JSON.parse(readFileSync(file, 'utf8'))), output };
  } catch {
    return { report: null, output };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Plays a case again, as `HARNESS_SEED=n vitest run --project P FILE -t NAME` does. Empty: it passes now. */
export async function replay({ project, file, test, seed }: Case): Promise<string> {
  // The report joins the names of groups and the test with a space, the pattern is matched with ` > ` between them.
  const words = test.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const name = `^${words.replaceAll(' ', '(?: > | )')}$`;
  const { report, output } = await runVitest(['--project', project, file, '-t', name], { HARNESS_SEED: String(seed) });
  if (report === null) return `vitest gave no report\n${output}`;
  const ran = report.testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = ran.filter(({ status }) => status === 'failed');
  if (failed.length > 0) return failed.flatMap(({ failureMessages }) => failureMessages ?? []).join('\n');
  return ran.some(({ status }) => status === 'passed')
    ? ''
    : `${file} has no test "${test}" that runs: rename it in the case`;
}
