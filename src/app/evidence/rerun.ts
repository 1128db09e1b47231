// Runs the recorded commands again on the landed tree in a temporary folder: tests that passed then must pass now. The commands
// come from the bundle, so only on explicit request.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBox } from '../../host/box.ts';
import { systemClock } from '../../host/clock.ts';
import { wholeEnvironment } from '../../host/environment.ts';
import { readText } from '../../host/files.ts';
import { realIo } from '../../host/io.ts';
import { shellLine } from '../../host/process.ts';
import { createRedactor } from '../../host/redact.ts';
import type { CheckSpec } from '../../model/action.ts';
import { ok, type Result } from '../../model/result.ts';
import type { Git } from '../../repos/git.ts';
import type { CheckSandbox } from '../../verify/run-once.ts';
import type { Checked } from '../../verify/chain.ts';
import { runChecks } from '../../verify/checks.ts';
import { CHECKS, readKept, type KeptChecks } from '../../verify/manifest.ts';
import { RUNNER_NAMES } from '../../verify/runners/all.ts';

export type RerunDifference =
  | { readonly kind: 'masked'; readonly check: string }
  | { readonly kind: 'exit'; readonly check: string; readonly expected: number | null; readonly found: number | null }
  /** Tests that passed at the landing and fail now. */
  | { readonly kind: 'tests'; readonly ids: readonly string[] }
  | { readonly kind: 'nothing' };
export type RerunReport = {
  readonly holds: boolean;
  readonly differences: readonly RerunDifference[];
  readonly passing: number;
};
type KeptCheck = KeptChecks['checks'][number];

/** `prepare`: a command that prepares the folder, with network access; null: none. */
export async function rerun(
  git: Git,
  { bundle, manifest }: Checked,
  prepare: string | null,
): Promise<Result<RerunReport>> {
  const folder = `${CHECKS}/${manifest.verdict.folder}`;
  const textOf = (name: string): string => bundle.files.get(`${folder}/${name}`)?.toString('utf8') ?? '';
  const kept = readKept(textOf('checks.json'));
  const checks = (kept?.checks ?? []).filter(({ weight }) => weight !== 'warn');
  if (checks.length === 0) return ok({ holds: false, differences: [{ kind: 'nothing' }], passing: 0 });
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'harness-rerun-')));
  try {
    const root = join(top, 'tree');
    mkdirSync(root);
    const out = await checkOut(git, manifest.landing.tree, root, join(top, 'index'));
    if (!out.ok) return out;
    const again = await repeat(top, manifest.landing.tree, checks, prepare);
    const recorded = idsIn(textOf('passing.json'));
    const lost = recorded.filter((id) => !again.passing.has(id));
    const differences = [...again.differences, ...(lost.length === 0 ? [] : [{ kind: 'tests', ids: lost } as const])];
    return ok({ holds: differences.length === 0, differences, passing: again.passing.size });
  } finally {
    rmSync(top, { recursive: true, force: true });
  }
}

/** Writes the files of a tree to an empty folder, without touching the repository's index or work tree. */
async function checkOut(git: Git, tree: string, into: string, index: string): Promise<Result<void>> {
  const env = { GIT_INDEX_FILE: index, GIT_WORK_TREE: into };
  const read = await git.run(['read-tree', tree], { env });
  if (!read.ok) return read;
  const out = await git.run(['checkout-index', '-q', '-a', '-f'], { env });
  return out.ok ? ok(undefined) : out;
}

async function repeat(
  top: string,
  tree: string,
  checks: readonly KeptCheck[],
  prepare: string | null,
): Promise<{ readonly differences: readonly RerunDifference[]; readonly passing: ReadonlySet<string> }> {
  const root = join(top, 'tree');
  const opened = await openBox({ root, level: 'none' });
  const box: CheckSandbox = {
    level: opened.level,
    seenAt: root,
    run: ({ command, env, timeoutMs, reportDir, network, keepBytes, floodBytes }) =>
      opened.run({
        argv: shellLine(command),
        env,
        token: `${top}#rerun`,
        signal: new AbortController().signal,
        wallMs: timeoutMs,
        idleMs: null,
        keepBytes,
        floodBytes,
        writable: [reportDir],
        network: network === 'host',
        leaveRunning: false,
      }),
  };
  const differences: RerunDifference[] = [];
  const passing = new Set<string>();
  try {
    for (const spec of [...(prepare === null ? [] : [preparing(prepare)]), ...checks.map(specOf)]) {
      if (/\[masked:/.test(spec.command)) {
        differences.push({ kind: 'masked', check: spec.name });
        continue;
      }
      const evidence = join(top, 'evidence');
      const verdict = await runChecks(
        { purpose: 'rerun', session: null, checks: [spec] },
        {
          box,
          io: realIo(),
          clock: systemClock,
          root,
          top: root,
          tree,
          baseline: null,
          scratch: join(top, 'scratch'),
          evidence,
          redact: createRedactor(wholeEnvironment()),
        },
      );
      const found = verdict.checks[0]?.exit ?? null;
      const before = checks.find(({ name }) => name === spec.name);
      const expected = before === undefined ? 0 : before.exit.code;
      // With results per test the tests are compared, not the exit code: pending tests may fail a suite.
      const isCounted = before !== undefined && before.perTest === 'read';
      if (!isCounted && found !== expected) differences.push({ kind: 'exit', check: spec.name, expected, found });
      const ids = verdict.passing === null ? ok(null) : readText(join(evidence, 'passing.json'));
      for (const id of idsIn((ids.ok ? ids.value : null) ?? '')) passing.add(id);
    }
  } finally {
    await opened.close();
  }
  return { differences, passing };
}

const preparing = (command: string): CheckSpec => ({
  name: 'prepare',
  command,
  runner: null,
  needsTests: false,
  timeoutMs: 30 * 60_000,
  weight: 'environment',
  against: null,
});

const specOf = ({ name, command, runner, needsTests, timeoutMs, weight, against }: KeptCheck): CheckSpec => ({
  name,
  command,
  runner: RUNNER_NAMES.find((name) => name === runner) ?? null,
  needsTests,
  timeoutMs,
  weight,
  against,
});

function idsIn(text: string): readonly string[] {
  try {
    const read: unknown = JSON.parse(text);
    return Array.isArray(read) ? read.filter((id): id is string => typeof id === 'string') : [];
  } catch {
    return [];
  }
}
