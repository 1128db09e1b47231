// Proves the strength of a test: it fails without the work, its runner reports truthfully, it detects mutants, and the old tests pass
// on the new source with the old configuration. Everything runs in proof workspaces.
import { join } from 'node:path';
import type { StrengthAsk, StrengthOutcome } from '../../model/action.ts';
import { fileOfTest, type TestBaseline } from '../../model/report.ts';
import { ok, type Result } from '../../model/result.ts';
import { shown } from '../checks.ts';
import { keepEvidence, masked, type CheckRun } from '../evidence.ts';
import { kindOf, type FileKind, isPartlyRunner, ruledBy, rulesDiffer, scriptsNamedIn } from './files.ts';
import { isExempt, judgeStrength, judgeTexts, type Proofs, type ClassifiedFile, holdsBeside } from './judge.ts';
import { isStillProved, type NewerChange } from './earlier.ts';
import { unexplainedOf } from './guarded.ts';
import { Lab, type Copy, type StrengthDeps } from './lab.ts';
import { NOTHING, proveOwnTest } from './own-test.ts';
import { runnerNamed } from '../runners/all.ts';
import { scriptsIn } from '../run-once.ts';
import { hiddenIn, resultOfFailingRun, type HiddenFailures } from './hiding.ts';
import { newWord } from './canary.ts';
import { affectedBy, type Affected } from './affected.ts';

/** Maximum number of source and text files to read; tests and their configuration are always read. */
const MOST_READ = 400;

export async function proveStrength(ask: StrengthAsk, deps: StrengthDeps): Promise<Result<StrengthOutcome>> {
  const owners = ownersIn(deps.baseline);
  const sorted = await sort(ask, deps, owners);
  if (!sorted.ok) return sorted;
  const files = sorted.value;
  const stub = ask.testFile !== null && !owners.has(ask.testFile) ? ask.testFile : null;
  const texts = judgeTexts(ask, files, stub);
  const lab = new Lab(ask, deps, files, stub);
  try {
    const own = isExempt(ask) ? null : await proveOwnTest(lab);
    if (own !== null && !own.ok) return own;
    await lab.close();
    const hidden = await proveHidden(lab);
    if (!hidden.ok) return hidden;
    await lab.close();
    const frozen = await proveFrozen(lab);
    if (!frozen.ok) return frozen;
    const proofs: Proofs = {
      ...(own === null ? NOTHING : own.value),
      installed: unexplainedOf(deps.installed, files),
      hidden: hidden.value,
      frozen: frozen.value,
    };
    const judged = judgeStrength(ask, files, proofs, texts);
    const mask = (all: typeof judged.problems) => all.map((p) => masked(p, deps.redact));
    const outcome = {
      problems: mask(judged.problems),
      doubts: mask(judged.doubts),
      warnings: mask(judged.warnings),
      proofs: lab.proofs,
      evidence: shown(deps.top, deps.evidence),
    };
    keep(lab, { ...outcome, files, counts: texts.counts, changed: texts.changed });
    return ok(outcome);
  } finally {
    await lab.close();
  }
}

const commandsOf = ({ feature, full }: StrengthAsk): readonly string[] =>
  [feature, full].flatMap((spec) => (spec === null ? [] : [spec.command]));

const ownersIn = (baseline: TestBaseline | null): ReadonlySet<string> =>
  new Set((baseline?.passing_tests ?? []).map(fileOfTest));

const knownKinds = (ask: StrengthAsk, owners: ReadonlySet<string>): Parameters<typeof kindOf>[1] => ({
  tests: new Set([...owners, ...(ask.testFile === null ? [] : [ask.testFile])]),
  scripts: new Set(ask.scripts),
  rules: scriptsNamedIn(commandsOf(ask)),
});

/** The outcome of then, where the commits that came since change nothing that it rests on; null: everything is to be proved. */
export function provedEarlier(
  ask: StrengthAsk,
  { baseline, changed, newer }: Pick<StrengthDeps, 'baseline' | 'changed'> & { readonly newer: readonly NewerChange[] },
): StrengthOutcome | null {
  const { earlier, passedBy } = ask;
  if (earlier === undefined || earlier.outcome.problems.length + earlier.outcome.doubts.length > 0) return null;
  const others = newer.filter(({ path }) => !passedBy.includes(path));
  return isStillProved(others, new Set(changed), knownKinds(ask, ownersIn(baseline))) ? earlier.outcome : null;
}

async function sort(
  ask: StrengthAsk,
  deps: StrengthDeps,
  owners: ReadonlySet<string>,
): Promise<Result<readonly ClassifiedFile[]>> {
  const known = knownKinds(ask, owners);
  const kinds = deps.changed
    .filter((path) => !ask.passedBy.includes(path))
    .map((path) => ({ path, kind: kindOf(path, known) }));
  const isRest = ({ kind }: { readonly kind: FileKind }): boolean => kind === 'source' || kind === 'docs';
  const bySource = kinds.filter(isRest).sort((a, b) => Number(b.kind === 'source') - Number(a.kind === 'source'));
  const chosen = [...kinds.filter((one) => !isRest(one)), ...bySource.slice(0, MOST_READ)];
  const read = await deps.read(
    chosen.flatMap(({ path }) => [
      { tree: ask.since, path },
      { tree: ask.tree, path },
    ]),
  );
  if (!read.ok) return read;
  return ok(
    chosen.map(({ path, kind }, n) => ({
      path,
      kind,
      before: read.value[2 * n] ?? null,
      after: read.value[2 * n + 1] ?? null,
    })),
  );
}

function keep(
  lab: Lab,
  about: StrengthOutcome & {
    readonly files: readonly ClassifiedFile[];
    readonly counts: object;
    readonly changed: object;
  },
): void {
  const { ask, deps } = lab;
  const { io, redact, evidence } = deps;
  const { files, ...rest } = about;
  keepEvidence(
    { purpose: 'strength', session: ask.session, checks: [] },
    { io, redact, evidence, tree: ask.tree, sandbox: lab.sandbox },
    lab.ran,
    null,
  );
  const summary = {
    schema: 1,
    since: ask.since,
    tree: ask.tree,
    item: ask.item,
    ms: lab.ms,
    ...rest,
    files: files.map(({ path, kind }) => ({ path, kind })),
    mutants: lab.tried,
  };
  io.replace(join(evidence, 'strength.json'), `${redact(JSON.stringify(summary, null, 2))}\n`, 'may-be-lost');
}

/**
 * Detects whether a run of tests hides failures: every test is made to fail from outside, and a test that is still reported as passed
 * has a hidden failure, unless that was so with the old source too. Where test files run apart, those that load nothing of the change ran as
 * before and are left out.
 */
async function proveHidden(lab: Lab): Promise<Result<HiddenFailures | null>> {
  const { ask, files } = lab;
  const { full } = ask;
  if (full === null || !files.some(({ kind }) => kind !== 'docs')) return ok(null);
  const copy = await lab.copy(ask.tree, null);
  if (!copy.ok) return copy;
  const part = affected(lab, copy.value, files);
  if (part === 'none') {
    lab.record('hidden', 'held', null, { files: 0 });
    return ok(null);
  }
  if (part !== null) {
    const some = await failingRun(lab, copy.value, part.command, 'told-to-fail');
    // Every test of these files must be in the report: else the command does not run all of them.
    if (some !== null && isWhole(lab, some, part) && hiddenIn(resultOfFailingRun(some), null) === 'none') {
      lab.record('hidden', 'held', some, { files: part.files.length });
      return ok(null);
    }
  }
  const now = await failingRun(lab, copy.value, full.command, 'told-to-fail');
  if (now === null) {
    lab.record('hidden', 'not-possible', null, { runner: full.runner ?? 'command' });
    return ok(null);
  }
  let hidden = hiddenIn(resultOfFailingRun(now), null);
  if (hidden !== 'none') {
    // The result with the old source: some tests may not be reachable.
    const old = await lab.copy(ask.since, null);
    if (!old.ok) return old;
    const before = await failingRun(lab, old.value, full.command, 'told-to-fail-before');
    hidden = hiddenIn(resultOfFailingRun(now), before === null ? null : resultOfFailingRun(before));
  }
  const came = hidden === 'none' ? 'held' : hidden === 'unknown' ? 'not-possible' : 'failed';
  lab.record('hidden', came, now, {});
  return ok(typeof hidden === 'string' ? null : hidden);
}

const affected = (lab: Lab, copy: Copy, changed: readonly ClassifiedFile[]): Affected | 'none' | null =>
  lab.ask.full === null
    ? null
    : affectedBy(changed, copy.root, { full: lab.ask.full, ofFile: lab.deps.ofFile, baseline: lab.deps.baseline });

/** Whether the report has every test of the baseline that is in these files. */
function isWhole(lab: Lab, { read }: CheckRun, { files }: Affected): boolean {
  if (read.kind !== 'read') return false;
  const there = new Set(read.report.cases.map(({ id }) => id));
  const old = lab.deps.baseline?.passing_tests ?? [];
  return old.filter((id) => files.includes(fileOfTest(id))).every((id) => there.has(id));
}

/** null: the runner cannot be made to fail every test. */
async function failingRun(lab: Lab, copy: Copy, command: string, name: string): Promise<CheckRun | null> {
  const { full, tookMs } = lab.ask;
  const runner = runnerNamed(full?.runner ?? null);
  if (full === null || runner?.failEveryTest === undefined) return null;
  const word = newWord();
  const folder = `.${word}`;
  const setup = { command, folder: join(copy.box.seenAt, folder), word, scripts: scriptsIn(copy.root) };
  const failing = runner.failEveryTest(setup);
  if (failing === null) return null;
  copy.write(`${folder}/${failing.name}`, failing.text);
  const ran = await lab.run(copy, { ...full, command: failing.command }, name, tookMs.full);
  copy.write(`${folder}/${failing.name}`, null);
  return ran;
}

/** Runs old tests with the old test configuration on the new source, if any of them changed. */
async function proveFrozen(lab: Lab): Promise<Result<Proofs['frozen']>> {
  const { ask, files } = lab;
  const old = files.filter(
    (f) => f.before !== null && (f.kind === 'test' || f.kind === 'support') && f.path !== lab.stub,
  );
  // A script of the item's own that is new is its work.
  const made = scriptsNamedIn(commandsOf(ask));
  const ruling = files.filter(
    (f) =>
      (f.kind === 'runner' && !(f.before === null && made.has(f.path))) ||
      (isPartlyRunner(f.path) && rulesDiffer(f.path, f.before, f.after, commandsOf(ask))),
  );
  if (old.length + ruling.length === 0) return ok(null);
  // Changed test configuration may be what makes the item's own test or command pass.
  const own = ruling.length > 0 ? ask.feature : null;
  if (ask.full === null && own === null) {
    lab.record('frozen', 'not-possible', null, { files: old.length + ruling.length });
    return ok(null);
  }
  const whole = [...old, ...ruling.filter((f) => !isPartlyRunner(f.path))].map((f) => f.path);
  const copy = await lab.copy(ask.tree, { tree: ask.since, paths: whole });
  if (!copy.ok) return copy;
  for (const f of ruling.filter((one) => isPartlyRunner(one.path)))
    copy.value.write(f.path, ruledBy(f.path, f.after, f.before));
  // Other test files ran with the very files that they load, unless the configuration differs.
  const part = ruling.length > 0 ? null : affected(lab, copy.value, old);
  let ran: CheckRun | null = null;
  if (ask.full !== null) {
    const [spec, only] =
      part === null || part === 'none' ? [ask.full, null] : [{ ...ask.full, command: part.command }, part.files];
    ran = await lab.run(copy.value, spec, 'frozen', ask.tookMs.full, only);
    // Again: a flaky test must not look like a changed one.
    if (ran.findings.problems.length > 0) ran = await lab.run(copy.value, ask.full, 'frozen-again', ask.tookMs.full);
  }
  const ruled = own === null ? null : await lab.run(copy.value, own, 'frozen-own', ask.tookMs.feature);
  const holds = (ran?.findings.problems.length ?? 0) === 0 && (ruled === null || holdsBeside(ruled, null));
  lab.record('frozen', holds ? 'held' : 'failed', ran ?? ruled, { files: old.length + ruling.length });
  return ok({ holds, ids: ran?.findings.regressions ?? [] });
}
