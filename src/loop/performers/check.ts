// Checks: the harness runs the commands itself, in a clean workspace with the candidate's files, and compares with what is known to hold.
import { basename, join, resolve } from 'node:path';
import type { ActionOf, Performer } from '../../engine/types.ts';
import type { Actions, CheckSpec } from '../../model/action.ts';
import { readText } from '../../host/files.ts';
import { failure, type Failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import type { Problem, Verdict } from '../../model/verdict.ts';
import { keepVerified } from '../../repos/verified.ts';
import { readBaseline } from '../../verify/baseline.ts';
import { runChecks, shown, type CheckDeps } from '../../verify/checks.ts';
import { copyEvidence } from '../../verify/evidence.ts';
import { isEnvironment } from '../../verify/run-once.ts';
import { keepArtifacts } from '../artifacts.ts';
import { checkSandbox } from '../check-sandbox.ts';
import { ignoredWork } from '../ignored-work.ts';
import { asProblem } from '../nested.ts';
import { passesOnlyHere } from '../passes-only-here.ts';
import {
  lacksProofRoom,
  openProofWorkspace,
  proofScratch,
  type ProofAsk,
  type ProofWorkspace,
} from '../proof-workspaces.ts';
import { adoptBaseline, baselineFiles } from '../records/baseline.ts';
import { environmentOf, isProved, keepProved } from '../records/proved.ts';
import { changeQuarantine, quarantineOf, showQuarantine } from '../records/quarantine.ts';
import { violationsOf } from '../records/refusals.ts';
import type { RunContext } from '../run-context.ts';
import { secretsInWork } from '../secrets.ts';
import { fileName, processToken } from '../token.ts';
import { repeatable } from './repeatable.ts';
import { leftOut, workOf } from './users-files.ts';

type Ask = ActionOf<Actions, 'check'>;
type How = { readonly token: string; readonly signal: AbortSignal };

export const checks = (context: RunContext): Performer<Ask, Verdict> => ({
  async perform(ask, { token, signal }) {
    if (ask.checks.length > 0)
      context.notify({
        type: 'checking',
        level: 'routine',
        data: { purpose: ask.purpose, checks: ask.checks.map((c) => c.name) },
      });
    const judged = await judge(context, ask, { token, signal });
    if (!judged.ok) {
      const problem = ask.session === null ? null : asProblem(judged.failure);
      return problem === null ? { blocked: judged.failure } : unchecked(problem, context.box.level);
    }
    const verdict = judged.value;
    context.notify({
      type: 'checked',
      level: 'important',
      ...(ask.session === null ? {} : { session: ask.session }),
      data: {
        purpose: ask.purpose,
        holds: verdict.holds,
        checks: verdict.checks.map(({ name, passed, ms }) => ({ name, passed, ms })),
        problems: verdict.problems.map((p) => p.code),
      },
    });
    return verdict;
  },
  probe: repeatable,
  isJudging: true,
});

/** The candidate is the agent's work as git keeps it at this moment; what happens to the work tree afterwards changes nothing. */
async function judge(context: RunContext, ask: Ask, { token, signal }: How): Promise<Result<Verdict>> {
  const noRoom = lacksProofRoom(context);
  if (noRoom !== null) return err(noRoom);
  const candidate = ask.tree === undefined ? await workOf(context, ask.session) : ok(ask.tree);
  if (!candidate.ok) return candidate;
  const pinned =
    ask.session === null ? ok(null) : await keepVerified(context.git, ask.session, candidate.value, ask.beside);
  if (!pinned.ok) return pinned;
  const owner = processToken(context, token);
  const isAgentAtWork = ask.session !== null;
  const proof: ProofAsk = { tree: candidate.value, over: null, token: owner, signal, isAgentAtWork };
  const evidence = join(context.privateDir, 'evidence', fileName(token));
  const known = await knownVerdict(context, ask, proof);
  if (!known.ok) return known;
  if (known.value !== null) return ok(known.value);
  // Environment scripts and the health check work on the work tree.
  if (ask.checks.every(isEnvironment)) return verdictIn(context, ask, { proof, evidence, workspace: null });
  const prove = (): Promise<Result<Verdict>> => proveIn(context, ask, proof, evidence);
  const suite = context.lanes === null ? null : baselineSuite(ask);
  if (context.lanes === null || suite === null) return prove();
  const shared = await keyOfBaseline(context, suite, proof);
  if (!shared.ok) return shared;
  return context.lanes.checks.run(shared.value, signal, prove, (verdict) => taken(context, verdict, evidence));
}

async function proveIn(context: RunContext, ask: Ask, proof: ProofAsk, evidence: string): Promise<Result<Verdict>> {
  const opened = await openProofWorkspace(context, proof);
  if (!opened.ok) return opened;
  try {
    const verdict = await verdictIn(context, ask, { proof, evidence, workspace: opened.value });
    if (ask.keeps !== undefined) keepArtifacts(context, opened.value.root, ask.keeps);
    const missing = ask.mustStart === true && verdict.ok ? notStarted(verdict.value) : null;
    if (missing !== null) return err(missing);
    const [only] = ask.checks;
    if (ask.once !== true || only === undefined || !verdict.ok || !verdict.value.holds) return verdict;
    const kept = await keepProved(context, only.command, proof);
    return kept.ok ? verdict : kept;
  } finally {
    await opened.value.close();
  }
}

/** What decides how the suite ends on a tree, in any lane: another one that has begun at the same commit asks for the same. */
async function keyOfBaseline(context: RunContext, { command }: CheckSpec, proof: ProofAsk): Promise<Result<string>> {
  const environment = await environmentOf(context, proof);
  const baseline = readText(baselineFiles(context).kept);
  if (!environment.ok) return environment;
  return baseline.ok ? ok(JSON.stringify([proof.tree, command, environment.value, baseline.value])) : baseline;
}

/** The verdict that another lane came to. Its evidence is copied: it is kept with the session of that lane, and goes with it. */
function taken(context: RunContext, verdict: Verdict, evidence: string): Result<Verdict> {
  if (verdict.evidence === null) return ok(verdict);
  copyEvidence(context.io, resolve(context.root, verdict.evidence), evidence);
  const passing = verdict.passing === null ? null : shown(context.root, join(evidence, basename(verdict.passing)));
  return ok({ ...verdict, evidence: shown(context.root, evidence), passing });
}

/** The program of a command is not there; null: each was started. */
function notStarted({ problems, checks }: Verdict): Failure | null {
  const missing = problems.find(({ code }) => code === 'command-missing');
  if (missing === undefined) return null;
  const check = String(missing.params['check'] ?? '');
  const { command = '', tail = '' } = checks.find(({ name }) => name === check) ?? {};
  return failure('command-missing', { check, command, tail: tail.slice(-1_000) });
}

/** What is known without running anything; null: the checks have to run. */
async function knownVerdict(context: RunContext, ask: Ask, proof: ProofAsk): Promise<Result<Verdict | null>> {
  const [only, ...others] = ask.checks;
  if (ask.once !== true || only === undefined || others.length > 0) return knownBaseline(context, ask, proof);
  const isKnown = await isProved(context, only.command, proof, []);
  if (!isKnown.ok) return isKnown;
  return ok(isKnown.value ? { ...nothingRan(context.box.level), holds: true, tree: proof.tree } : null);
}

/** Of a check that asks for nothing but the baseline. */
const baselineSuite = (ask: Ask): CheckSpec | null =>
  ask.purpose === 'baseline' && ask.session === null && ask.checks.length === 1 ? (suiteOf(ask) ?? null) : null;

const suiteOf = ({ checks }: Pick<Ask, 'checks'>): CheckSpec | undefined =>
  checks.find(({ against }) => against === 'baseline');

/** The suite has proved this very tree, usually when the item before it landed: the baseline is what it was then. null: it has to run. */
async function knownBaseline(context: RunContext, ask: Ask, proof: ProofAsk): Promise<Result<Verdict | null>> {
  const suite = baselineSuite(ask);
  if (suite === null) return ok(null);
  const baseline = readBaseline(baselineFiles(context).kept);
  if (!baseline.ok) return baseline;
  // A lane that is new takes the one of its tree.
  if (baseline.value === null && context.lanes === null) return ok(null);
  const { backlog, progress } = context.config.paths;
  const isKnown = await isProved(context, suite.command, proof, [backlog, progress]);
  if (!isKnown.ok) return isKnown;
  // In a lane the baseline may be that of an earlier commit.
  if (context.lanes !== null && isKnown.value && !adoptBaseline(context, proof.tree)) return ok(null);
  return ok(isKnown.value ? { ...nothingRan(context.box.level), holds: true, tree: proof.tree } : null);
}

/** `workspace`: null, where nothing but the environment is asked. */
type Place = { readonly proof: ProofAsk; readonly evidence: string; readonly workspace: ProofWorkspace | null };

async function verdictIn(
  context: RunContext,
  { kind: _kind, key: _key, ...ask }: Ask,
  { proof, evidence, workspace }: Place,
): Promise<Result<Verdict>> {
  const baseline = readBaseline(baselineFiles(context).kept);
  if (!baseline.ok) return baseline;
  const quarantine = quarantineOf(context);
  if (!quarantine.ok) return quarantine;
  const before = quarantine.value;
  let kept: Result<unknown> = quarantine;
  const { token, signal } = proof;
  // A cleanup ends what an environment script started.
  const leaveRunning = ask.purpose === 'environment' || ask.purpose === 'cleanup';
  const here = { box: checkSandbox(context, context.box, { token, signal, leaveRunning }), root: context.root };
  const place = workspace ?? here;
  const deps: CheckDeps = {
    ...place,
    environment: here,
    top: context.root,
    io: context.io,
    clock: context.clock,
    tree: proof.tree,
    baseline: baseline.value,
    scratch: proofScratch(context),
    evidence,
    redact: context.redact,
    flaky: {
      reruns: context.config.verification.flakyReruns,
      baselineRuns: context.config.verification.baselineRuns,
      ofFile: context.config.testing.feature,
      quarantine: before,
      withTree: (tree, use) => withWorkspace(context, { ...proof, tree }, use),
      keep(tests) {
        kept = changeQuarantine(context, before, tests);
      },
    },
  };
  const checked = await runChecks(ask, deps);
  // Nothing was checked, so no work is to blame.
  const words = place.box.unopened?.() ?? here.box.unopened?.() ?? null;
  if (words !== null) return err(failure('sandbox-not-opened', { level: context.box.level, words }));
  if (!kept.ok) return kept;
  const secret = await secretsInWork(context, ask, proof.tree);
  if (!secret.ok) return secret;
  const verdict =
    secret.value === null ? checked : { ...checked, holds: false, problems: [secret.value, ...checked.problems] };
  if (ask.session === null) {
    const quarantined = showQuarantine(context);
    if (!quarantined.ok) return quarantined;
    const isFirst = ask.purpose === 'baseline' && baseline.value === null && workspace !== null;
    const only = isFirst ? await passesOnlyHere(context, ask.checks, verdict, { ...deps, ...here }) : null;
    if (only !== null) return err(only);
  }
  const suite = suiteOf(ask);
  if (verdict.holds && suite !== undefined && verdict.checks.some(({ name }) => name === suite.name)) {
    const kept = await keepProved(context, suite.command, proof);
    if (!kept.ok) return kept;
  }
  if (ask.session === null) return ok(verdict);
  const problems = verdict.holds
    ? []
    : [...(await leftOut(context, ask.session)), ...(await ignoredWork(context, ask.session))];
  const warnings = violationsOf(context, ask.session);
  return ok({
    ...verdict,
    problems: [...verdict.problems, ...problems],
    warnings: [...verdict.warnings, ...warnings],
  });
}

async function withWorkspace<T>(
  context: RunContext,
  ask: ProofAsk,
  use: (place: ProofWorkspace) => Promise<T>,
): Promise<Result<T>> {
  const opened = await openProofWorkspace(context, ask);
  if (!opened.ok) return opened;
  try {
    return ok(await use(opened.value));
  } finally {
    await opened.value.close();
  }
}

/** The verdict on work that is not checked, because its problem is known. */
const unchecked = (problem: Problem, sandbox: string): Verdict => ({ ...nothingRan(sandbox), problems: [problem] });

const nothingRan = (sandbox: string): Verdict => ({
  holds: false,
  problems: [],
  warnings: [],
  checks: [],
  tests: null,
  regressions: [],
  flaky: [],
  tampering: [],
  sandbox,
  tree: '',
  evidence: null,
  passing: null,
});
