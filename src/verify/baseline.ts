// The test baseline: comparing a run with the tests known to pass, and the file `.harness/test_baseline.json` that stores them.
// A baseline that cannot be read never counts as an empty one.
import { z } from 'zod';
import { failure } from '../model/failure.ts';
import { parseJsonFile } from '../model/own-files.ts';
import type { TestBaseline, TestCase, TestId, TestStatus } from '../model/report.ts';
import { err, ok, type Result } from '../model/result.ts';
import { readText, sha256 } from '../host/files.ts';
import type { Io } from '../host/io.ts';
import { idOf } from './runners/cases.ts';

export type BaselineDifference = {
  /** Passed before, fail now. */
  readonly failed: readonly TestId[];
  /** Passed before, are not in the report: deleted, renamed, deselected, never reached. */
  readonly missing: readonly TestId[];
  /** Passed before, are skipped now. */
  readonly skipped: readonly TestId[];
};

/** Every id that passed must pass again. Order is that of the baseline; an id reported twice counts by its worst. */
export function compareWithBaseline(passing: readonly TestId[], cases: readonly TestCase[]): BaselineDifference {
  const now = statusesOf(cases);
  const expected = [...new Set(passing)];
  return {
    failed: expected.filter((id) => now.get(id) === 'failed'),
    missing: expected.filter((id) => !now.has(id)),
    skipped: expected.filter((id) => now.get(id) === 'skipped'),
  };
}

/** The status of each test; the worse one if a test is reported twice. */
export function statusesOf(cases: readonly TestCase[]): ReadonlyMap<TestId, TestStatus> {
  const rank = { passed: 0, skipped: 1, failed: 2 } as const;
  const now = new Map<TestId, TestStatus>();
  for (const c of cases) {
    const known = now.get(c.id);
    if (known === undefined || rank[c.status] > rank[known]) now.set(c.id, c.status);
  }
  return now;
}

const schema = z
  .strictObject({
    session: z.int().min(0),
    timestamp: z.string().refine((t) => !Number.isNaN(Date.parse(t)), 'not a date'),
    passing_tests: z.array(z.string().min(1)),
    total_passing: z.int().min(0),
    total_tests: z.int().min(0),
    tree: z.string().optional(),
    suite: z.enum(['green', 'red']).optional(),
    /** Of all the rest; left out by older versions. */
    sha256: z.string().optional(),
  })
  .superRefine((b, context) => {
    const wrong = (key: string, message: string): void => context.addIssue({ code: 'custom', path: [key], message });
    if (new Set(b.passing_tests).size !== b.passing_tests.length) wrong('passing_tests', 'an id stands twice');
    if (b.total_passing !== b.passing_tests.length) wrong('total_passing', 'not the number of passing_tests');
    if (b.total_tests < b.total_passing) wrong('total_tests', 'less than total_passing');
  });

/** null: no baseline yet. Fails with `baseline-unreadable` and the place of the first mistake if the file does not match its schema. */
export function readBaseline(path: string): Result<TestBaseline | null> {
  const text = readText(path);
  if (text.ok) return text.value === null ? ok(null) : parseBaseline(text.value, path);
  return err(
    failure('baseline-unreadable', { file: path, why: text.failure.params['code'] ?? '' }, { at: { file: path } }),
  );
}

/** `file`: only for places in failures. */
export function parseBaseline(text: string, file: string): Result<TestBaseline> {
  const parsed = parseJsonFile(text, file, schema, 'baseline-unreadable');
  if (!parsed.ok) return parsed;
  const { tree, suite, sha256: said, ...rest } = parsed.value;
  // A flipped letter would be a test that is missing from now on.
  if (said !== undefined && said !== checksumOf(parsed.value))
    return err(failure('baseline-unreadable', { file, why: 'checksum' }, { at: { file } }));
  return ok({
    ...rest,
    passing_tests: [...new Set(rest.passing_tests.map(fromNodeId))],
    ...(tree === undefined ? {} : { tree }),
    ...(suite === undefined ? {} : { suite }),
  });
}

export function writeBaseline(io: Io, path: string, baseline: TestBaseline, how?: 'may-be-lost'): void {
  io.replace(path, `${JSON.stringify({ ...baseline, sha256: checksumOf(baseline) }, null, 2)}\n`, how);
}

const checksumOf = ({
  session,
  timestamp,
  passing_tests: passing,
  total_tests: total,
  tree,
  suite,
}: TestBaseline): string => sha256(JSON.stringify([session, timestamp, passing, total, tree ?? '', suite ?? '']));

/** The next baseline from the tests that passed; ids sorted, so that equal runs give equal files. */
export function baselineOf(input: {
  readonly session: number;
  readonly timestamp: string;
  readonly passing: readonly TestId[];
  readonly total: number;
  readonly tree: string;
  readonly suite?: 'green' | 'red';
}): TestBaseline {
  const passing_tests = [...new Set(input.passing)].sort();
  return {
    session: input.session,
    timestamp: input.timestamp,
    passing_tests,
    total_passing: passing_tests.length,
    total_tests: Math.max(input.total, passing_tests.length),
    tree: input.tree,
    ...(input.suite === undefined ? {} : { suite: input.suite }),
  };
}

/** Baselines written by other programs may name pytest tests as pytest does: `tests/test_a.py::TestC::test_m[x]`. */
function fromNodeId(id: string): TestId {
  const hit = /^([^|:[]+\.py)::(.+)$/.exec(id);
  if (hit === null) return id;
  const rest = hit[2] ?? '';
  const bracket = rest.indexOf('[');
  const titles = (bracket < 0 ? rest : rest.slice(0, bracket)).split('::');
  const name = (titles.pop() ?? '') + (bracket < 0 ? '' : rest.slice(bracket));
  return idOf('pytest', hit[1] ?? '', titles, name);
}
