// The straight lines of the features playbook: what happens inside one action of a stage, from top to bottom.
import type { Run } from '../../engine/types.ts';
import type { Actions, Checkpoint, CheckSpec, Say, TurnOutcome } from '../../model/action.ts';
import type { Config } from '../../model/config.ts';
import type { Json } from '../../model/json.ts';
import type { Problem, Verdict } from '../../model/verdict.ts';
import { ask } from './asks.ts';
import { featureChecks } from './checks.ts';
import type { Accepted, CutReason, Ended, FeatureFacts, Put, Rejection, Work } from './positions.ts';

type R = Run<Actions>;

export type WorkInput = {
  readonly facts: FeatureFacts;
  readonly firstTask: readonly Problem[];
  readonly checkpoint: Checkpoint;
  readonly session: number;
};

/** One session: the agent works, the harness proves; what does not hold goes back into the same session, a few times. */
export async function work(run: R, input: WorkInput, config: Config): Promise<Work> {
  const { facts, checkpoint, session } = input;
  const role = facts.continuing ? 'continuation' : 'coding';
  let say: Say = { kind: 'open', brief: role, input: { ...input, config: briefConfig(config) } as unknown as Json };
  let resume: string | null = null;
  for (let turn = 1; ; turn += 1) {
    const step = run.scope(`turn-${turn}`);
    const who = { role, session, turn, attempt: facts.attempt, item: facts.id, title: facts.title };
    const said: TurnOutcome = await step.do('session', { kind: 'session', ...who, say, resume, output: '' });
    resume = said.resume;
    const { text } = said;
    if (said.end === 'agent-failed' && said.failure) return { end: 'agent-failed', failure: said.failure, text };
    if (said.end !== 'end-turn') return cut(said.end, text);

    const claim = await ask<{ problems: readonly Problem[] }>(step, 'claim', {
      file: config.paths.features,
      checkpoint: checkpoint.ref,
      item: facts.id,
    });
    const isSilent = claim.problems.every((p) => p.code === 'nothing-claimed') && claim.problems.length > 0;
    if (isSilent) return { end: 'unfinished', why: 'incomplete', text };
    let problems = claim.problems;
    let verdict: Verdict | null = null;
    if (problems.length === 0) {
      verdict = await step.do('check', {
        kind: 'check',
        purpose: 'feature',
        session,
        checks: featureChecks(facts, config),
      });
      if (verdict.holds) return { end: 'holds', verdict, text };
      problems = verdict.problems;
    }
    const failed = { regressions: verdict?.regressions ?? [], evidence: verdict?.evidence ?? null };
    const reason = problems[0]?.code ?? 'rejected';
    // A regression is rolled back at once (reference 000, Rollback Granularity, Scenario 3); so is touching what is not the agent's.
    const isFinal = failed.regressions.length > 0 || (verdict?.tampering.length ?? 0) > 0;
    if (isFinal || turn > config.verification.fixTurns) return { end: 'rejected', reason, problems, ...failed, text };
    await step.do('revert-claim', { kind: 'restore', checkpoint, paths: [config.paths.features] });
    say = { kind: 'problems', problems, note: '' };
  }
}

const cut = (end: string, text: string): Work => {
  if (end === 'output-limit')
    return { end: 'rejected', reason: 'output-limit', problems: [], regressions: [], evidence: null, text };
  const why: CutReason = end === 'wall-limit' || end === 'idle-limit' ? 'timeout' : 'user_pause';
  return { end: 'unfinished', why, text };
};

export type CloseInput = Ended & { readonly session: number };

/** Landing: one recoverable sequence (reference 000, Harness Verification 5 to 9). Every step recognises that it is done. */
export async function accept(
  run: R,
  input: CloseInput & { readonly verdict: Verdict },
  config: Config,
): Promise<Accepted> {
  const { facts, checkpoint, session, verdict } = input;
  const { usage, tampering } = await run.do('close', { kind: 'close', session });
  if (tampering.length > 0) return { commit: null, usage, refused: tampering };
  const edit = {
    name: 'accept',
    input: { ...records(input, config), checkpoint: checkpoint.ref, verdict: summary(verdict) } as unknown as Json,
  };
  const subject = `feat(${scopeOf(facts.category)}): #${facts.id} ${facts.title}`;
  const body = verdict.evidence === null ? '' : `Evidence: ${verdict.evidence}`;
  const landed = await run.do('commit', {
    kind: 'commit',
    style: 'accept',
    item: facts.id,
    session,
    subject,
    body,
    tree: verdict.tree,
    only: null,
    edit,
  });
  if (landed.commit === null) return { commit: null, usage, refused: landed.refused ? [landed.refused] : [] };
  const pushed = await run.do('push', { kind: 'push', commit: landed.commit });
  if (verdict.passing !== null) {
    const baseline = { passing: verdict.passing, total: verdict.tests?.total ?? 0, tree: landed.tree };
    await run.do('baseline', { kind: 'remember', what: 'baseline', session, input: baseline });
  }
  await run.do('sizes', { kind: 'remember', what: 'sizes', session, input: {} });
  await run.do('costs', { kind: 'remember', what: 'costs', session, input: { item: facts.id } });
  const record = {
    item: facts.id,
    completed: true,
    reason: 'complete',
    startedAt: input.startedAt,
    endedAt: input.endedAt,
    commit: landed.commit,
    problems: [],
  };
  await run.do('record', { kind: 'remember', what: 'session', session, input: record });
  return { commit: landed.commit, usage, pushFailure: pushed.failure };
}

/** A session that was cut by a limit or a pause: what it wrote stays on the branch as a provisional commit. */
export async function save(run: R, input: CloseInput & { readonly why: CutReason }, config: Config): Promise<Put> {
  const { facts, session, why } = input;
  const { usage } = await run.do('close', { kind: 'close', session });
  await run.do('revert-claim', { kind: 'restore', checkpoint: input.checkpoint, paths: [config.paths.features] });
  const subject = `${WIP[why](config)}#${facts.id} ${facts.title}`;
  const edit = {
    name: 'log-entry',
    input: {
      ...records(input, config),
      checkpoint: input.checkpoint.ref,
      status: 'partial',
      reason: why,
    } as unknown as Json,
  };
  const saved = await run.do('commit', {
    kind: 'commit',
    style: 'provisional',
    item: facts.id,
    session,
    subject,
    body: '',
    tree: null,
    only: null,
    edit,
  });
  await run.do('costs', { kind: 'remember', what: 'costs', session, input: { item: facts.id } });
  const record = {
    item: facts.id,
    completed: false,
    reason: why,
    startedAt: input.startedAt,
    endedAt: input.endedAt,
    commit: saved.commit,
    problems: [],
  };
  await run.do('record', { kind: 'remember', what: 'session', session, input: record });
  return { usage, commit: saved.commit };
}

const WIP: { readonly [W in CutReason]: (config: Config) => string } = {
  timeout: (config) => config.session.wipPrefix,
  context_limit: () => 'WIP: Context limit - ',
  stuck: () => 'WIP: Stuck - ',
  user_pause: () => 'WIP: Paused - ',
  error: () => 'WIP: Error - ',
  incomplete: () => 'WIP: ',
};

/** A session whose work does not hold: kept as an attempt, rolled back, written into the log. */
export async function reject(run: R, input: CloseInput & { readonly why: Rejection }, config: Config): Promise<Put> {
  const { facts, session, checkpoint, why } = input;
  const { usage } = await run.do('close', { kind: 'close', session });
  await run.do('rollback', { kind: 'rollback', checkpoint, item: facts.id, session, why: why.reason });
  const broken = why.regressions.length === 0 ? [] : await regressed(run.scope('regressed'), input, config);
  const edit = {
    name: 'log-entry',
    input: {
      ...records(input, config),
      checkpoint: checkpoint.ref,
      status: 'failed',
      reason: why.reason,
      problems: why.problems,
      broken,
    } as unknown as Json,
  };
  const subject = `docs(harness): session ${session} on #${facts.id} was rolled back: ${why.reason}`;
  const logged = await run.do('commit', {
    kind: 'commit',
    style: 'provisional',
    item: facts.id,
    session,
    subject,
    body: '',
    tree: null,
    only: [config.paths.progress],
    edit,
  });
  await run.do('costs', { kind: 'remember', what: 'costs', session, input: { item: facts.id } });
  const record = {
    item: facts.id,
    completed: false,
    reason: 'error',
    startedAt: input.startedAt,
    endedAt: input.endedAt,
    commit: null,
    problems: why.problems,
    failure: why.failure,
    broken,
  };
  await run.do('record', { kind: 'remember', what: 'session', session, input: record as unknown as Json });
  return { usage, commit: logged.commit };
}

/** Which features own the broken tests. One that fails on the rolled-back tree too is marked failing and goes first next. */
async function regressed(
  run: R,
  input: CloseInput & { readonly why: Rejection },
  config: Config,
): Promise<readonly Json[]> {
  const owners = await ask<{ broken: readonly { id: string; testFile: string; dependents: readonly string[] }[] }>(
    run,
    'owners',
    {
      file: config.paths.features,
      tests: input.why.regressions,
    },
  );
  const broken: Json[] = [];
  for (const owner of owners.broken) {
    const step = run.scope(`feature-${owner.id}`);
    const checks: readonly CheckSpec[] = featureChecks(
      { ...input.facts, id: owner.id, testFile: owner.testFile },
      config,
    ).slice(0, 1);
    const verdict = await step.do('check', { kind: 'check', purpose: 'aftermath', session: null, checks });
    if (!verdict.holds) {
      const change = { type: 'failing', why: `session ${input.session} found it failing` };
      const edit = { name: 'flag', input: { file: config.paths.features, item: owner.id, change } };
      const subject = `fix(harness): #${owner.id} does not hold any more`;
      await step.do('flag', {
        kind: 'commit',
        style: 'plain',
        item: owner.id,
        session: input.session,
        subject,
        body: '',
        tree: null,
        only: [config.paths.features],
        edit,
      });
    }
    broken.push({ id: owner.id, dependents: owner.dependents, failing: !verdict.holds });
  }
  return broken;
}

const records = (input: CloseInput, config: Config) => ({
  features: config.paths.features,
  progress: config.paths.progress,
  project: config.project.name,
  item: input.facts.id,
  title: input.facts.title,
  session: input.session,
  at: input.endedAt,
  text: input.text,
});

/** Of a verdict, what the progress log says. */
const summary = (v: Verdict): Json => ({
  tests: v.tests,
  checks: v.checks.map(({ name, command, passed, tests, tail }) => ({ name, command, passed, tests, tail })),
  warnings: v.warnings.length,
});

const scopeOf = (category: string): string =>
  category
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '') || 'app';

export const briefConfig = (config: Config): Json => ({
  features: config.paths.features,
  progress: config.paths.progress,
  stateDir: config.paths.stateDir,
  project: config.project.name,
  feature: config.testing.feature,
  full: config.testing.full,
  init: config.environment.init,
});
