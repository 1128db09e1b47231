// Layer 1 is proved like any other work: the old tests and what runs them as the last commit has them, over the new source, and the tests of
// the work themselves. What the candidate says about how it is tested decides nothing.
import { z } from 'zod';
import { defineSurvey, readFacts } from '../../../engine/definitions.ts';
import type { Run } from '../../../engine/types.ts';
import type { Actions, CheckSpec, StrengthOutcome } from '../../../model/action.ts';
import type { Config } from '../../../model/config.ts';
import { startScripts } from '../../../model/scripts.ts';
import type { Problem, Verdict } from '../../../model/verdict.ts';
import { scriptIn, scriptNameIn, testCommand } from '../../session/own-tests.ts';
import { baselineFrom } from '../../../model/baseline-record.ts';
import type { WorkflowState } from '../file/state.ts';
import { commandsOf, layer1Checks, suiteOf, type LayerTests } from './layer-1-checks.ts';

type R = Run<Actions>;

/** The last commit: the work of the task is not committed before its end. */
const BASE = 'HEAD';

export const testsOf = (run: R, state: WorkflowState): Promise<LayerTests> =>
  readFacts(run, testCommand, { command: commandsOf(state).test ?? '', since: BASE });

export async function strengthOfLayer1(
  run: R,
  about: {
    readonly item: string;
    readonly session: number;
    readonly verdict: Verdict;
    readonly checks: readonly CheckSpec[];
    readonly tests: LayerTests;
  },
  config: Config,
): Promise<StrengthOutcome | null> {
  const { item, session, verdict, checks, tests } = about;
  if (tests.base === null) return null;
  const [feature, full] = [checks.find(({ name }) => name === 'own-test') ?? null, suiteOf(checks)];
  const tookMs = (spec: CheckSpec | null): number => verdict.checks.find(({ name }) => name === spec?.name)?.ms ?? 0;
  const proved = await run.do('strength', {
    kind: 'strength',
    item,
    session,
    since: tests.base,
    tree: verdict.tree,
    testFile: feature === null ? null : (tests.files[0] ?? null),
    itemKind: feature === null ? 'exempt' : 'code',
    feature,
    full,
    tookMs: { feature: tookMs(feature), full: tookMs(full) },
    passedBy: [config.paths.backlog, config.paths.progress],
    scripts: startScripts(config.environment),
    rules: { mutation: config.verification.mutation, minKilled: config.verification.minKilled },
  });
  return { ...proved, doubts: [...proved.doubts, ...(await scriptDoubts(run, checks, full))] };
}

/** Scripts of package.json that these commands run, and that are not as the last commit has them. Nothing else shows that they still check anything. */
export const changedScripts = defineSurvey({
  id: 'workflow.changed-scripts',
  input: z.object({ commands: z.array(z.string()).readonly() }),
  facts: z.object({ names: z.array(z.string()).readonly() }),
  async read({ view }, { commands }) {
    const called = [...new Set(commands.flatMap((command) => scriptNameIn(command) ?? []))];
    if (called.length === 0) return { names: [] };
    const [was, is] = [await view.readAt(BASE, 'package.json'), await view.read('package.json')];
    return { names: called.filter((name) => was !== null && scriptIn(was, name) !== scriptIn(is, name)) };
  },
});

/** The tests are run as the last commit ran them; what builds and lints is the work's own, so a user must see that it was changed. */
async function scriptDoubts(
  run: R,
  checks: readonly CheckSpec[],
  suite: CheckSpec | null,
): Promise<readonly Problem[]> {
  const commands = checks.filter((check) => check !== suite && check.name !== 'own-test').map(({ command }) => command);
  const { names } = await readFacts(run, changedScripts, { commands });
  if (names.length === 0) return [];
  const ids = names.map((name) => `package.json: scripts.${name}`);
  return [{ code: 'guarded-file-changed', params: { count: ids.length }, ids }];
}

/** Whether nothing but documents of the task was changed since the last commit. */
export const untouched = defineSurvey({
  id: 'workflow.untouched',
  input: z.object({ docs: z.string(), stateDir: z.string() }),
  facts: z.object({ commit: z.string().nullable() }),
  async read({ view }, { docs, stateDir }) {
    const { commit } = await view.head();
    if (commit === null) return { commit };
    const changed = await view.changedSince(BASE);
    const isOwn = (path: string): boolean => path.startsWith(docs) || path.startsWith(`${stateDir}/`);
    return { commit: changed.every(isOwn) ? commit : null };
  },
});

/**
 * Before any code is written: which tests pass. Once for each commit that the work starts from; `taken` is the one of before. Tests that fail
 * then may fail afterwards, as far as the baseline is concerned.
 */
export async function takeBaseline(
  run: R,
  { state, session, taken }: { readonly state: WorkflowState; readonly session: number; readonly taken: string | null },
  config: Config,
): Promise<string | null> {
  const checks = layer1Checks(state, config, { ...(await testsOf(run, state)), files: [] });
  const suite = suiteOf(checks);
  if (suite?.against !== 'baseline') return taken;
  const { commit } = await readFacts(run, untouched, { docs: state.docs_path, stateDir: config.paths.stateDir });
  if (commit === null || commit === taken) return taken;
  const ask = { kind: 'check', purpose: 'baseline', session: null, checks: [suite] } as const;
  const verdict = await run.do('baseline', ask);
  const baseline = baselineFrom(verdict, verdict.tree);
  if (baseline !== null) await run.do('take-baseline', { kind: 'remember', what: 'baseline', session, baseline });
  return commit;
}
