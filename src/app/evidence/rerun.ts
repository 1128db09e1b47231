// Runs the recorded commands again as the proof did: on the checked files in a clean workspace, with packages of its own, in a box. Tests that
// passed then must pass now. The commands come from the bundle, so only on explicit request.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../host/clock.ts';
import { wholeEnvironment } from '../../host/environment.ts';
import { readText } from '../../host/files.ts';
import { realIo } from '../../host/io.ts';
import { createRedactor } from '../../host/redact.ts';
import { makeOwnFolder } from '../../host/temporary-folders.ts';
import type { InstallContext } from '../../loop/installations.ts';
import { openProofWorkspace, proofScratch, type ProofWorkspace } from '../../loop/proof-workspaces.ts';
import type { CheckSpec } from '../../model/action.ts';
import { CONFIG_FILES, type Config } from '../../model/config.ts';
import { ok, type Result } from '../../model/result.ts';
import type { Git, ObjectId } from '../../repos/git.ts';
import { resolveCommit } from '../../repos/head.ts';
import { readObjects } from '../../repos/objects.ts';
import type { Checked } from '../../verify/chain.ts';
import { runChecks } from '../../verify/checks.ts';
import { CHECKED, CHECKS, readKept, type KeptChecks, type Manifest } from '../../verify/manifest.ts';
import { RUNNER_NAMES } from '../../verify/runners/all.ts';
import { resolveText } from '../config/resolve.ts';
import type { Watcher } from '../open/run-context.ts';
import { openSandbox } from '../open/sandbox.ts';
import type { Source } from './source.ts';

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
  /** The level of the box; null: nothing ran. */
  readonly sandbox: string | null;
};
type KeptCheck = KeptChecks['checks'][number];

/** The pool of all reruns of one command, and what they print. `prepare`: a command that takes the place of installing packages; null: none. */
export type RerunPlace = {
  readonly pool: string;
  readonly prepare: string | null;
  readonly watcher: Watcher;
  close(): void;
};

export function openRerunPlace(prepare: string | null, watcher: Watcher): RerunPlace {
  // A pool cleans up beside itself, so it has a folder of its own.
  const top = makeOwnFolder('rerun');
  return { pool: join(top, 'pool'), prepare, watcher, close: () => rmSync(top, { recursive: true, force: true }) };
}

/** Fails as a clean workspace and its box do, and where the configuration of then cannot be read. */
export async function rerun(
  source: Source,
  { bundle, manifest }: Checked,
  place: RerunPlace,
): Promise<Result<RerunReport>> {
  const folder = `${CHECKS}/${manifest.verdict.folder}`;
  const textOf = (name: string): string => bundle.files.get(`${folder}/${name}`)?.toString('utf8') ?? '';
  const kept = readKept(textOf('checks.json'));
  const checks = (kept?.checks ?? []).filter(({ weight }) => weight !== 'warn');
  if (checks.length === 0) return ok({ holds: false, differences: [{ kind: 'nothing' }], passing: 0, sandbox: null });
  const config = await configOfThen(source.git, manifest);
  if (!config.ok) return config;
  const { root, commonDir } = source.git;
  const privateDir = join(commonDir, 'harness');
  const sandbox = await openSandbox({ root, privateDir, proofDir: place.pool, config: config.value }, 'box');
  if (!sandbox.ok) return sandbox;
  try {
    const context: InstallContext = {
      root,
      userRoot: root,
      lane: 0,
      proofDir: place.pool,
      git: source.git,
      config: place.prepare === null ? config.value : withoutInstall(config.value),
      io: realIo(),
      redact: createRedactor(wholeEnvironment()),
      notify: (event) => place.watcher.event(event),
      openBoxAt: sandbox.value.boxAt,
    };
    const parent = await resolveCommit(source.git, manifest.landing.parent);
    const tree = await checkedTree(source.git, bundle.commit, manifest);
    if (!tree.ok) return tree;
    const workspace = await openProofWorkspace(context, {
      tree: tree.value,
      over: null,
      token: `${place.pool}#rerun`,
      signal: new AbortController().signal,
      isAgentAtWork: false,
      isAccepted: source.file === null,
      head: parent.ok ? parent.value : null,
    });
    if (!workspace.ok) return workspace;
    const prepared = place.prepare === null ? [] : [preparing(place.prepare)];
    const specs = [...prepared, ...checks.map(specOf)];
    const again = await repeat(context, workspace.value, { specs, checks, tree: tree.value });
    await workspace.value.close();
    const recorded = idsIn(textOf('passing.json'));
    const lost = recorded.filter((id) => !again.passing.has(id));
    const differences = [...again.differences, ...(lost.length === 0 ? [] : [{ kind: 'tests', ids: lost } as const])];
    const { level } = workspace.value.box;
    return ok({ holds: differences.length === 0, differences, passing: again.passing.size, sandbox: level });
  } finally {
    await sandbox.value.box.close();
  }
}

/** What was checked, byte for byte: where git converts files, the bundle has it beside the landed tree. */
async function checkedTree(git: Git, bundle: ObjectId, { landing }: Manifest): Promise<Result<ObjectId>> {
  if (!('keepsChecked' in landing) || !landing.keepsChecked) return ok(landing.tree);
  const found = await git.run(['rev-parse', '--verify', '-q', `${bundle}:${CHECKED}`]);
  return found.ok ? ok(found.value.trim()) : found;
}

/** How the workspace is built is decided by the commit that the work began from, never by the work. The box is the strongest of this machine. */
async function configOfThen(git: Git, { diff }: Manifest): Promise<Result<Config>> {
  const read = await readObjects(
    git,
    CONFIG_FILES.map((name) => `${diff.from}:${name}`),
  );
  if (!read.ok) return read;
  const at = read.value.findIndex((found) => found?.type === 'blob');
  const file = CONFIG_FILES[at];
  const written = file === undefined ? null : { file, text: read.value[at]?.bytes.toString('utf8') ?? '' };
  const resolved = await resolveText(git.root, written, { read: () => null, has: () => false });
  if (!resolved.ok) return resolved;
  const { config } = resolved.value;
  return ok({ ...config, sandbox: { ...config.sandbox, level: 'auto' } });
}

const withoutInstall = (config: Config): Config => ({
  ...config,
  environment: { ...config.environment, install: ':' },
});

async function repeat(
  context: Pick<InstallContext, 'io' | 'redact' | 'proofDir'>,
  { root, box }: ProofWorkspace,
  ask: { readonly specs: readonly CheckSpec[]; readonly checks: readonly KeptCheck[]; readonly tree: ObjectId },
): Promise<{ readonly differences: readonly RerunDifference[]; readonly passing: ReadonlySet<string> }> {
  const { io, redact, proofDir } = context;
  const evidence = join(proofDir, 'evidence');
  const differences: RerunDifference[] = [];
  const passing = new Set<string>();
  for (const spec of ask.specs) {
    if (/\[masked:/.test(spec.command)) {
      differences.push({ kind: 'masked', check: spec.name });
      continue;
    }
    const verdict = await runChecks(
      { purpose: 'rerun', session: null, checks: [spec] },
      {
        box,
        io,
        clock: systemClock,
        root,
        top: root,
        tree: ask.tree,
        baseline: null,
        scratch: proofScratch(context),
        evidence,
        redact,
      },
    );
    const found = verdict.checks[0]?.exit ?? null;
    const before = ask.checks.find(({ name }) => name === spec.name);
    const expected = before === undefined ? 0 : before.exit.code;
    // With results per test the tests are compared, not the exit code: pending tests may fail a suite.
    const isCounted = before !== undefined && before.perTest === 'read';
    if (!isCounted && found !== expected) differences.push({ kind: 'exit', check: spec.name, expected, found });
    const ids = verdict.passing === null ? ok(null) : readText(join(evidence, 'passing.json'));
    for (const id of idsIn((ids.ok ? ids.value : null) ?? '')) passing.add(id);
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
