// Test strength: proof workspaces with the trees in question, and what was proved in them.
import { join } from 'node:path';
import type { ActionOf, Performer } from '../../engine/types.ts';
import type { Actions, StrengthAsk, StrengthOutcome } from '../../model/action.ts';
import type { TestBaseline } from '../../model/report.ts';
import { ok, type Result } from '../../model/result.ts';
import { ignoredPaths } from '../../repos/ignored-paths.ts';
import { pathsBetween, showFiles } from '../../repos/history.ts';
import { entriesBetween } from '../../repos/tree-walk.ts';
import { readBaseline } from '../../verify/baseline.ts';
import { provedEarlier, proveStrength } from '../../verify/strength/prove.ts';
import { changedSinceLanding } from '../installed.ts';
import { openProofWorkspace, proofScratch } from '../proof-workspaces.ts';
import type { RunEvents, RunHost, RunRepository, RunSettings, RunStores } from '../run-context.ts';
import { baselineFiles } from '../records/baseline.ts';
import { fileName, processToken } from '../token.ts';
import { repeatable } from './repeatable.ts';

export const strengths = (
  context: RunRepository & RunSettings & RunHost & RunEvents & Pick<RunStores, 'sessions'>,
): Performer<ActionOf<Actions, 'strength'>, StrengthOutcome> => ({
  async perform({ kind: _kind, key: _key, ...ask }, { token, signal }) {
    const baseline = readBaseline(baselineFiles(context).kept);
    if (!baseline.ok) return { blocked: baseline.failure };
    const changed = await pathsBetween(context.git, ask.since, ask.tree);
    if (!changed.ok) return { blocked: changed.failure };
    const known = await knownOutcome(context, ask, baseline.value, changed.value);
    if (!known.ok) return { blocked: known.failure };
    if (known.value !== null) return known.value;
    context.notify({
      type: 'proving',
      level: 'routine',
      session: ask.session,
      data: { item: ask.item, files: changed.value.length },
    });
    const ignored = await ignoredPaths(context.git);
    if (!ignored.ok) return { blocked: ignored.failure };
    const owner = processToken(context, token);
    const proved = await proveStrength(ask, {
      io: context.io,
      clock: context.clock,
      top: context.root,
      scratch: proofScratch(context),
      evidence: join(context.privateDir, 'evidence', fileName(token)),
      redact: context.redact,
      baseline: baseline.value,
      ofFile: context.config.testing.feature,
      changed: changed.value,
      installed: changedSinceLanding(context, ignored.value, baseline.value),
      read: (asked) => showFiles(context.git, asked),
      copy: (tree, over) => openProofWorkspace(context, { tree, over, token: owner, signal, isAgentAtWork: true }),
    });
    if (!proved.ok) return { blocked: proved.failure };
    const { problems, doubts, warnings, proofs } = proved.value;
    context.notify({
      type: 'proved',
      level: 'important',
      session: ask.session,
      data: {
        proofs: proofs.map(({ proof, came, ms }) => ({ proof, came, ms })),
        problems: problems.map((p) => p.code),
        doubts: doubts.map((p) => p.code),
        warnings: warnings.map((p) => p.code),
      },
    });
    return proved.value;
  },
  probe: repeatable,
  isJudging: true,
});

async function knownOutcome(
  { git }: RunRepository,
  ask: StrengthAsk,
  baseline: TestBaseline | null,
  changed: readonly string[],
): Promise<Result<StrengthOutcome | null>> {
  if (ask.earlier === undefined) return ok(null);
  const newer = await entriesBetween(git, ask.earlier.from, ask.earlier.to);
  if (!newer.ok) return newer;
  const changes = newer.value.map(({ path, before }) => ({ path, isNew: before === null }));
  return ok(provedEarlier(ask, { baseline, changed, newer: changes }));
}
