// What commands find in a simulated run: how long they take is a matter of chance, what they say is the kind's to know.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { RunContext } from '../../src/loop/run-context.ts';
import { repeatable } from '../../src/loop/performers/repeatable.ts';
import { baselineFiles } from '../../src/loop/records/baseline.ts';
import { fileName } from '../../src/loop/token.ts';
import type { StrengthOutcome } from '../../src/model/action.ts';
import type { CheckResult, Problem, Verdict } from '../../src/model/verdict.ts';
import { readBaseline } from '../../src/verify/baseline.ts';
import { sha256 } from '../../src/host/files.ts';
import type { ProcessRun } from './process-run.ts';
import type { A } from './performers.ts';
import { idOf } from './repository.ts';

/** How long it takes is a matter of chance; what comes of it is not: asked again after a crash it says the same. */
export const simulatedChecks = (lane: RunContext, { mission }: ProcessRun): A<'check'> => ({
  async perform(ask, { token, signal }) {
    const tree = ask.tree === undefined ? mission.repo.work : mission.trees.get(ask.tree)!;
    const files = baselineFiles(lane);
    const baseline = readBaseline(ask.session === null && !mission.areLanes ? files.shown : files.kept);
    if (!baseline.ok) return { blocked: baseline.failure };
    const results: CheckResult[] = [];
    const problems: Problem[] = [];
    let regressions: readonly string[] = [];
    let passing: string | null = null;
    let tests: Verdict['tests'] = null;
    for (const check of ask.checks) {
      await lane.sleep((5 + luck(mission.seed, `${token} ${check.name}`) * 55) * 1_000, signal);
      if (signal.aborted) return { parked: 'stopped' };
      const found = mission.kind.look(check, {
        tree,
        known: baseline.value?.passing_tests ?? [],
        luck: luck(mission.seed, `${token} ${check.name}`),
      });
      results.push(found.result);
      if (found.tests) ({ tests } = found);
      if (found.passing) {
        const folder = join(lane.privateDir, 'evidence', fileName(token));
        mkdirSync(folder, { recursive: true });
        passing = join(folder, 'passing.json');
        lane.io.replace(passing, JSON.stringify(found.passing));
      }
      regressions = [...regressions, ...found.regressions];
      if (check.weight !== 'warn') problems.push(...found.problems);
      if (ask.goesOn !== true && check.weight !== 'warn' && found.problems.length > 0) break;
    }
    const verdict: Verdict = {
      holds: problems.length === 0,
      problems,
      warnings: [],
      checks: results,
      tests,
      regressions,
      flaky: [],
      tampering: [],
      sandbox: 'none',
      tree: idOf(tree),
      evidence: 'evidence',
      passing,
    };
    mission.trees.set(verdict.tree, tree);
    mission.kind.checked?.(mission, ask, verdict);
    mission.later?.();
    mission.later = null;
    return verdict;
  },
  probe: repeatable,
});

const luck = (seed: number, about: string): number =>
  Number.parseInt(sha256(`${seed} ${about}`).slice(0, 8), 16) / 0x1_0000_0000;

export const simulatedStrengths = (lane: RunContext, { mission }: ProcessRun): A<'strength'> => ({
  async perform(_ask, { token, signal }): Promise<StrengthOutcome | { parked: string }> {
    await lane.sleep(20_000, signal);
    if (signal.aborted) return { parked: 'stopped' };
    const came = luck(mission.seed, token);
    const one = (code: Problem['code']): readonly Problem[] => [{ code, params: { count: 1 } }];
    return {
      problems: came < 0.03 ? one('test-notices-nothing') : [],
      doubts: came > 0.93 ? one('guarded-file-changed') : [],
      warnings: [],
      proofs: [],
      evidence: 'proofs',
    };
  },
  probe: repeatable,
});
