// Runs the old tests, in their old text and with the old test configuration, on the new source.
import { ok, type Result } from '../../model/result.ts';
import { isPartlyRunner, ruledBy, rulesDiffer } from './files.ts';
import { holdsBeside, isExempt, type Proofs } from './judge.ts';
import type { Lab } from './lab.ts';

/** Runs old tests with the old test configuration on the new source, if any of them changed. */
export async function proveFrozen(lab: Lab): Promise<Result<Proofs['frozen']>> {
  const { ask, files } = lab;
  const old = files.filter(
    (f) => f.before !== null && (f.kind === 'test' || f.kind === 'support') && f.path !== lab.stub,
  );
  const ruling = files.filter(
    (f) => f.kind === 'runner' || (isPartlyRunner(f.path) && rulesDiffer(f.path, f.before, f.after)),
  );
  if (old.length + ruling.length === 0) return ok(null);
  if (ask.full === null) {
    lab.tell('frozen', 'not-possible', null, { files: old.length + ruling.length });
    return ok(null);
  }
  const whole = [...old, ...ruling.filter((f) => !isPartlyRunner(f.path))].map((f) => f.path);
  const copy = await lab.copy(ask.tree, { tree: ask.since, paths: whole });
  if (!copy.ok) return copy;
  for (const f of ruling.filter((one) => isPartlyRunner(one.path)))
    copy.value.write(f.path, ruledBy(f.path, f.after, f.before));
  let ran = await lab.run(copy.value, ask.full, 'frozen', ask.tookMs.full);
  // Again: a flaky test must not look like a changed one.
  if (ran.findings.problems.length > 0) ran = await lab.run(copy.value, ask.full, 'frozen-again', ask.tookMs.full);
  // Changed test configuration may be what makes the item's own test pass.
  const own = ruling.length > 0 && ask.feature !== null && !isExempt(ask) ? ask.feature : null;
  const ruled = own === null ? null : await lab.run(copy.value, own, 'frozen-own', ask.tookMs.feature);
  const holds = ran.findings.problems.length === 0 && (ruled === null || holdsBeside(ruled, null));
  lab.tell('frozen', holds ? 'held' : 'failed', ran, { files: old.length + ruling.length });
  return ok({ holds, ids: ran.findings.regressions });
}
