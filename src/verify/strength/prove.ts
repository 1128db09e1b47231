// Proves the strength of a test: it fails without the work, its runner reports truthfully, it detects mutants, and the old tests pass
// on the new source with the old configuration. Everything runs in temporary copies.
import { join } from 'node:path';
import type { StrengthAsk, StrengthOutcome } from '../../model/action.ts';
import { fileOfTest } from '../../model/report.ts';
import { ok, type Result } from '../../model/result.ts';
import { shown } from '../checks.ts';
import { keepEvidence, masked } from '../evidence.ts';
import { kindOf, type FileKind } from './files.ts';
import { proveFrozen } from './frozen.ts';
import { proveHidden } from './hidden.ts';
import { isExempt, judgeStrength, judgeTexts, type Proofs, type Sorted } from './judge.ts';
import { unexplainedOf } from './installed.ts';
import { Lab, type StrengthDeps } from './lab.ts';
import { NOTHING, proveOwnTest } from './own-test.ts';

/** Maximum number of source and text files to read; tests and their configuration are always read. */
const MOST_READ = 400;

export async function proveStrength(ask: StrengthAsk, deps: StrengthDeps): Promise<Result<StrengthOutcome>> {
  const owners = new Set((deps.baseline?.passing_tests ?? []).map(fileOfTest));
  const sorted = await sort(ask, deps, owners);
  if (!sorted.ok) return sorted;
  const files = sorted.value;
  const stub = ask.testFile !== null && !owners.has(ask.testFile) ? ask.testFile : null;
  const texts = judgeTexts(ask, files, stub);
  const lab = new Lab(ask, deps, files, stub);
  try {
    const own = isExempt(ask) ? null : await proveOwnTest(lab);
    if (own !== null && !own.ok) return own;
    const hidden = await proveHidden(lab);
    if (!hidden.ok) return hidden;
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
      evidence: shown(deps.root, deps.evidence),
    };
    keep(lab, { ...outcome, files, counts: texts.counts, changed: texts.changed });
    return ok(outcome);
  } finally {
    await lab.close();
  }
}

async function sort(
  ask: StrengthAsk,
  deps: StrengthDeps,
  owners: ReadonlySet<string>,
): Promise<Result<readonly Sorted[]>> {
  const known = {
    tests: new Set([...owners, ...(ask.testFile === null ? [] : [ask.testFile])]),
    scripts: new Set(ask.scripts),
  };
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
  about: StrengthOutcome & { readonly files: readonly Sorted[]; readonly counts: object; readonly changed: object },
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
  io.replace(join(evidence, 'strength.json'), `${redact(JSON.stringify(summary, null, 2))}\n`);
}
