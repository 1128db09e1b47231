// Reads what `cargo test` prints. The summary of a test program must agree with the lines before it: tests can print such
// lines too, and a program whose lines do not agree has no test that passed.
import { entryOf } from '../../../model/entry.ts';
import type { TestStatus } from '../../../model/report.ts';
import { ok } from '../../../model/result.ts';
import { stripColours, unreadable, UNLOADED, withIds, type RawCase } from '../cases.ts';
import type { ReportReader } from '../runner.ts';
import { END_OF_OUTPUT } from '../shell.ts';

export const readable: NonNullable<ReportReader['readable']> = (output) => output.replace(`\n${END_OF_OUTPUT}\n`, '');

export const parse: ReportReader['parse'] = (text) => {
  const lines = stripColours(text).split(/\r?\n/);
  const programs = programsOf(lines);
  const uncompiled = lines.flatMap((line) => /^error: could not compile (.*)$/.exec(line)?.[1] ?? []);
  if (programs.length === 0 && uncompiled.length === 0)
    return unreadable('cargo', 'no test program was run, or its name is not in the output');
  const read = programs.map(readProgram);
  const message = lines.find((line) => /^error(?:\[\w+\])?: /.test(line)) ?? 'could not compile';
  const broken: RawCase[] = uncompiled.length > 0 ? [{ ...NOWHERE, name: UNLOADED, status: 'failed', message }] : [];
  const defects = uncompiled.map((what) => `could not compile ${what.replace(/ due to .*$/, '')}`);
  if (!lines.includes(END_OF_OUTPUT)) defects.push('the output is incomplete');
  const cases = [...broken, ...read.flatMap((p) => p.cases)];
  return ok({ cases: withIds('cargo', cases), defects: [...defects, ...read.flatMap((p) => p.defects)] });
};

const NOWHERE = { file: '', suite: [], ms: 0 };

type Program = { readonly file: string; readonly suite: readonly string[]; readonly lines: string[] };

const RUNNING = /^\s+Running (?:unittests )?(\S+) \((?:.*[\\/])?([^\\/()]+?)(?:-[0-9a-f]{16})?(?:\.exe)?\)$/;
const DOC_TESTS = /^\s+Doc-tests (\S+)$/;

/** `     Running tests/it.rs (target/debug/deps/it-a69063779ff8c574)`: what was compiled from which file. */
function programsOf(lines: readonly string[]): readonly Program[] {
  const programs: Program[] = [];
  for (const line of lines) {
    const [, file, name] = RUNNING.exec(line) ?? [];
    const crate = DOC_TESTS.exec(line)?.[1];
    if (file !== undefined && name !== undefined) programs.push({ file, suite: [name], lines: [] });
    else if (crate !== undefined) programs.push({ file: '', suite: [`${crate} doc`], lines: [] });
    else programs.at(-1)?.lines.push(line);
  }
  return programs;
}

/** Output of a test that ends without a newline may come before; with one thread it is between name and result. */
const TEST = /test (\S+(?: - .+?)?) \.\.\. (.*)$/;
const RESULT = /(?:^|.*?)(ok|FAILED|ignored)(?:, .*)?$/;
const SUMMARY = /^test result: (?:ok|FAILED)\. (\d+) passed; (\d+) failed; (\d+) ignored;/;

function readProgram(program: Program): { readonly cases: RawCase[]; readonly defects: string[] } {
  const cases: RawCase[] = [];
  const counted = { passed: 0, failed: 0, skipped: 0 };
  let expected = 0;
  let ended = 0;
  let open: string | null = null;
  let isQuoted = false; // below `failures:` comes the output of failing tests
  for (const line of program.lines) {
    const summary = SUMMARY.exec(line);
    if (summary !== null) {
      ended++;
      counted.passed += Number(summary[1]);
      counted.failed += Number(summary[2]);
      counted.skipped += Number(summary[3]);
      [open, isQuoted] = [null, false];
      continue;
    }
    if (line === 'failures:') isQuoted = true;
    if (isQuoted) continue;
    const running = /^running (\d+) tests?$/.exec(line)?.[1];
    if (running !== undefined) expected += 1;
    const test = TEST.exec(line);
    if (test !== null) {
      open = test[1] ?? '';
      const status = statusIn(test[2] ?? '', 'here');
      if (status !== null) cases.push(caseOf(program, open, status));
      if (status !== null) open = null;
    } else if (open !== null) {
      const status = statusIn(line, 'below');
      if (status !== null) cases.push(caseOf(program, open, status));
      if (status !== null) open = null;
    }
  }
  // Doc tests of one name differ by their order, which is that of the file, not the order in which they end.
  cases.sort((a, b) => lineOf(a) - lineOf(b));
  const of = (status: TestStatus): number => cases.filter((c) => c.status === status).length;
  const fits = counted.passed === of('passed') && counted.failed === of('failed') && counted.skipped === of('skipped');
  if (expected === ended && fits) return { cases: withMessages(cases, program.lines), defects: [] };
  // It crashed, or tests printed lines like its own.
  const where = [program.file, ...program.suite].filter((word) => word !== '').join(' ');
  const why = expected === ended ? 'its tests are not those it counted' : 'did not finish';
  const crash = program.lines.find((l) => l.includes("process didn't exit successfully")) ?? '';
  const message = `${why} ${crash.trim()}`;
  return {
    cases: [
      ...cases.filter((c) => c.status !== 'passed'),
      { file: program.file, suite: program.suite, name: UNLOADED, status: 'failed', ms: 0, message },
    ],
    defects: [`${where}: ${why}`],
  };
}

const STATUS: { readonly [word: string]: TestStatus } = { ok: 'passed', FAILED: 'failed', ignored: 'skipped' };

/** `here`: after the name. `below`: on a later line, where only the end of it is the runner's. */
function statusIn(text: string, where: 'here' | 'below'): TestStatus | null {
  const exact = /^(ok|FAILED|ignored)(?:, .*| <[\d.]+s>)?$/.exec(text)?.[1];
  const word = exact ?? (where === 'below' ? RESULT.exec(text)?.[1] : /(?:^|\S.*?)(ok|FAILED)$/.exec(text)?.[1]);
  return word === undefined ? null : (entryOf(STATUS, word) ?? null);
}

/** The line of a doc test is left out of its name, so that its id stays when text above it changes; so is what it is expected to do. */
function caseOf(program: Program, title: string, status: TestStatus): RawCase {
  const plain = title.replace(/ - (?:should panic|compile fail|compile)$/, '');
  const doc = /^(\S+\.\w+) - (.*?)\s*\(line \d+\)$/.exec(plain);
  const base = { status, ms: 0, message: title };
  if (doc !== null) return { ...base, file: doc[1] ?? '', suite: program.suite, name: doc[2] || 'crate' };
  const path = plain.split('::');
  return { ...base, file: program.file, suite: [...program.suite, ...path.slice(0, -1)], name: path.at(-1) ?? plain };
}

const lineOf = (c: RawCase): number => Number(/\(line (\d+)\)/.exec(c.message)?.[1] ?? 0);

/** `---- tests::fails stdout ----`, then what the test printed, its panic among it. */
function withMessages(cases: readonly RawCase[], lines: readonly string[]): RawCase[] {
  const printed = new Map<string, string>();
  let at: string | null = null;
  for (const line of lines) {
    const heading = /^---- (.+) stdout ----$/.exec(line)?.[1];
    if (heading !== undefined) at = heading;
    else if (/^(?:failures:|stack backtrace:|test result: )/.test(line)) at = null;
    else if (at !== null) printed.set(at, `${printed.get(at) ?? ''}${line}\n`);
  }
  return cases.map((c) => ({
    ...c,
    message:
      panicIn(printed.get(c.message.replace(/ - (?:should panic|compile fail|compile)$/, '')) ?? '') || c.message,
  }));
}

/** The lines below `thread '…' panicked at …:`, or the first line. */
function panicIn(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const at = lines.findIndex((line) => /^thread '.*' .*panicked at /.test(line));
  return at < 0 ? (lines[0] ?? '') : lines.slice(at + 1, at + 4).join(' ') || (lines[at] ?? '');
}
