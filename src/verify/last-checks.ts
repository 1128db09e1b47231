// The last run of the whole suite and of the linter, from the evidence of checks: what the health of a project is measured by.
import { join } from 'node:path';
import { targetStatsOf } from '../host/paths.ts';
import { z } from 'zod';
import { listFolder, readText } from '../host/files.ts';

const checkShape = z.looseObject({
  name: z.string(),
  command: z.string(),
  weight: z.string(),
  started: z.string(),
  exit: z.looseObject({ code: z.number().nullable() }),
  tests: z.looseObject({ passed: z.number(), total: z.number() }).nullable(),
  problems: z.array(z.unknown()),
  stdout: z.looseObject({ file: z.string() }),
  stderr: z.looseObject({ file: z.string() }),
});
const evidenceShape = z.looseObject({ purpose: z.string(), checks: z.array(checkShape) });
type Evidence = z.output<typeof evidenceShape>;
type Check = z.output<typeof checkShape>;
type LastCheck = {
  readonly purpose: string;
  readonly started: string;
  readonly command: string;
  readonly exit: number | null;
  readonly output: string;
  readonly tests: Check['tests'];
};

/** Older evidence says nothing about the current state. */
const MOST_READ = 100;

type SuiteAndLint = { readonly full: LastCheck | null; readonly lint: LastCheck | null };

/** The newest run of the whole suite and of the linter on a tree that was not rolled back afterwards. */
export function lastChecks(privateDir: string): SuiteAndLint {
  const root = join(privateDir, 'evidence');
  const listed = listFolder(root);
  const folders = (listed.ok ? listed.value : [])
    .filter(({ kind }) => kind === 'folder')
    .map(({ name }) => ({ folder: join(root, name), at: timeOf(join(root, name, 'checks.json')) }))
    .sort((a, b) => b.at - a.at)
    .slice(0, MOST_READ);
  let full: LastCheck | null = null;
  let lint: LastCheck | null = null;
  for (const { folder } of folders) {
    if (full !== null && lint !== null) break;
    const read = evidenceIn(folder);
    if (read === null) continue;
    const failed = read.checks.some(({ weight, problems }) => weight !== 'warn' && problems.length > 0);
    if (read.purpose === 'feature' && failed) continue; // its tree was rolled back
    full ??= checkIn(folder, read, 'full');
    lint ??= checkIn(folder, read, 'lint');
  }
  return { full, lint };
}

/** Of one folder of evidence. */
export function checksIn(folder: string): SuiteAndLint {
  const read = evidenceIn(folder);
  return {
    full: read === null ? null : checkIn(folder, read, 'full'),
    lint: read === null ? null : checkIn(folder, read, 'lint'),
  };
}

function checkIn(folder: string, { purpose, checks }: Evidence, name: string): LastCheck | null {
  const check = checks.find((one) => one.name === name);
  return check === undefined ? null : last(folder, purpose, check);
}

const last = (folder: string, purpose: string, check: Check): LastCheck => ({
  purpose,
  started: check.started,
  command: check.command,
  exit: check.exit.code,
  output: [check.stdout.file, check.stderr.file].map((name) => textOf(join(folder, name))).join('\n'),
  tests: check.tests,
});

function evidenceIn(folder: string): Evidence | null {
  try {
    return evidenceShape.parse(JSON.parse(textOf(join(folder, 'checks.json'))));
  } catch {
    return null; // incomplete after a crash, or of another version
  }
}

const timeOf = (path: string): number => targetStatsOf(path)?.mtimeMs ?? 0;
function textOf(path: string): string {
  const text = readText(path);
  return text.ok ? (text.value ?? '') : '';
}
