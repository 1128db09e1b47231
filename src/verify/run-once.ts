// One run of one command in the sandbox, with its report. The report is written to a new folder outside the work tree, so that
// an agent cannot plant one.
import { randomBytes } from 'node:crypto';
import { copyFileSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { CheckSpec } from '../model/action.ts';
import type { Clock } from '../host/clock.ts';
import type { Io } from '../host/io.ts';
import type { Exit } from '../host/process.ts';
import { readRegular } from '../host/files.ts';
import { realPath } from '../host/paths.ts';
import type { ReportRead } from './findings.ts';
import { runnerNamed } from './runners/all.ts';
import type { Instrumented, ReportReader } from './runners/runner.ts';
import type { Scripts } from './runners/scripts.ts';

/** Where checks run: what this module needs of a sandbox. The real one is built from the sandbox levels in src/host/. */
export type CheckSandbox = {
  /** Isolation level, as shown to people: `bwrap`, `pidns`, `none` … */
  readonly level: string;
  /** Where commands find the folder that they run in; reports name files below it. */
  readonly seenAt: string;
  /** Why it could not be opened for one of the commands so far, which then never ran; null: it was. */
  readonly unopened?: () => string | null;
  /** Runs a shell line in its folder, to the end of everything it started. Never rejects. */
  run(ask: {
    readonly command: string;
    /** Added to the environment of the box; these win. */
    readonly env: { readonly [name: string]: string };
    readonly timeoutMs: number;
    /** A folder outside the work tree that the command may write to, at the same path inside and outside. */
    readonly reportDir: string;
    readonly network: 'none' | 'host';
    /** Of each stream at most this much is returned, head and tail. */
    readonly keepBytes: number;
    /** A command that prints more than this is ended. */
    readonly floodBytes: number;
  }): Promise<Exit>;
};

export type RunDeps = {
  readonly box: CheckSandbox;
  readonly io: Io;
  readonly clock: Clock;
  /** The folder that commands run in, absolute. */
  readonly root: string;
  /** Where environment scripts and the health check run instead: the work tree. Left out: in the same folder. */
  readonly environment?: { readonly box: CheckSandbox; readonly root: string };
  /** A private folder outside the work tree; reports are written below it and removed again. */
  readonly scratch: string;
};

export type CommandRun = {
  readonly exit: Exit;
  readonly read: ReportRead;
  readonly rawReport: string | null;
  readonly extension: string;
  readonly ranAs: string;
  readonly startedAt: string;
};

/** A report of more bytes is not read. */
const MAX_REPORT_BYTES = 128 * 1024 * 1024;
const MAX_PACKAGE_BYTES = 1024 * 1024;
const FLOOD_BYTES = 64 * 1024 * 1024;
const KEEP_BYTES = 1024 * 1024;

/** Rejects only on errors of the operating system. */
export async function runOnce(spec: CheckSpec, command: string, deps: RunDeps): Promise<CommandRun> {
  const startedAt = deps.clock.iso();
  const name = randomBytes(12).toString('hex');
  const reportDir = join(deps.scratch, name);
  // The health check contacts what an environment script started, so it needs the network of the host.
  const isOfEnvironment = isEnvironment(spec);
  const { box, root } = isOfEnvironment && deps.environment !== undefined ? deps.environment : deps;
  deps.io.remove(reportDir);
  mkdirSync(reportDir, { recursive: true, mode: 0o700 });
  try {
    const reporting = runnerNamed(spec.runner)?.reporting;
    const extension = reporting?.extension ?? 'txt';
    const reportPath = join(realpathSync(reportDir), `${name}.${extension}`);
    const how = reporting?.instrument(command, reportPath, scriptsIn(root)) ?? null;
    const reader = how === null ? undefined : await reporting?.load();
    makeNeeded(how);
    // A command that asks for a report path gets one, also if the report is not read.
    const ranAs = how?.command ?? command.replaceAll('{report}', reportPath);
    const exit = await box.run({
      command: ranAs,
      env: { CI: '1', ...how?.env },
      timeoutMs: spec.timeoutMs,
      reportDir: realpathSync(reportDir),
      network: isOfEnvironment ? 'host' : 'none',
      keepBytes: how?.from === 'stdout' ? 2 * FLOOD_BYTES : KEEP_BYTES,
      floodBytes: FLOOD_BYTES,
    });
    const { read, raw } = readReport(reader, how, exit, reportPath, realPath(box.seenAt));
    const shown = how?.from === 'stdout' && reader?.readable !== undefined ? reader.readable(exit.stdout) : exit.stdout;
    return { exit: { ...exit, stdout: shown }, read, rawReport: raw, extension, ranAs, startedAt };
  } finally {
    deps.io.remove(reportDir);
  }
}

/** Makes the files that an instrumented command loads. */
export function makeNeeded(how: Instrumented | null): void {
  for (const file of how?.needs ?? [])
    if ('from' in file) copyFileSync(file.from, file.path);
    else writeFileSync(file.path, file.text);
}

/** Runs in the work tree, with the environment that it starts or asks. */
export const isEnvironment = ({ weight, name }: CheckSpec): boolean => weight === 'environment' || name === 'health';

/** Scripts of package.json, if there are any. An agent can write them: they only decide how reports are requested. */
export function scriptsIn(root: string): Scripts {
  const file = readRegular(join(root, 'package.json'), MAX_PACKAGE_BYTES);
  if (file.kind !== 'file') return {};
  try {
    const parsed = packageSchema.safeParse(JSON.parse(file.bytes.toString('utf8')));
    return parsed.success ? parsed.data.scripts : {};
  } catch {
    return {};
  }
}

const packageSchema = z.object({ scripts: z.record(z.string(), z.string()) });

function readReport(
  reader: ReportReader | undefined,
  how: Instrumented | null,
  exit: Exit,
  path: string,
  root: string,
): { readonly read: ReportRead; readonly raw: string | null } {
  if (reader === undefined || how === null) return { read: { kind: 'none' }, raw: null };
  let raw = exit.stdout;
  if (how.from === 'file') {
    const file = readRegular(path, MAX_REPORT_BYTES);
    if (file.kind === 'absent') return { read: { kind: 'missing' }, raw: null };
    if (file.kind === 'other') return { read: { kind: 'unreadable', why: file.why }, raw: null };
    raw = file.bytes.toString('utf8');
  }
  const parsed = reader.parse(raw, root);
  if (parsed.ok) return { read: { kind: 'read', report: parsed.value }, raw };
  return { read: { kind: 'unreadable', why: String(parsed.failure.params['why'] ?? '') }, raw };
}
