// Session 0: a spec becomes a feature list, scripts and failing stubs (reference 000, Session 0: Initialization).
// Whatever is not valid goes back to the agent once, with the exact mistakes, and is refused after that.
import type { Run } from '../../engine/types.ts';
import type { Actions, Checkpoint, Say } from '../../model/action.ts';
import type { Config } from '../../model/config.ts';
import type { Failure } from '../../model/failure.ts';
import type { Json } from '../../model/json.ts';
import type { Problem } from '../../model/verdict.ts';
import { ask } from '../session/asks.ts';
import { converse, type Heard } from '../session/conversation.ts';
import { takenFrom } from '../session/verdicts.ts';
import { baselineCheck, featureChecks, sanityChecks } from '../session/checks.ts';

type R = Run<Actions>;
/** How often the mistakes go back to the agent. */
const RETRIES = 1;

export type InitInput = {
  readonly checkpoint: Checkpoint;
  readonly spec: { readonly path: string | null; readonly text: string };
};
export type Initialised =
  | { readonly end: 'valid'; readonly text: string }
  | { readonly end: 'invalid'; readonly problems: readonly Problem[]; readonly text: string }
  | { readonly end: 'agent-failed'; readonly failure: Failure; readonly text: string }
  | { readonly end: 'cut'; readonly why: string; readonly text: string };

export async function initialise(run: R, { spec }: InitInput, config: Config): Promise<Initialised> {
  const opening: Say = { kind: 'open', brief: 'initializer', input: briefOf(spec, config) };
  const output = config.paths.backlog;
  const who = { role: 'initializer', session: 0, attempt: 1, item: null, title: config.project.name, output };
  const tell = converse(run, { who, opening, config });
  let say: Say = opening;
  for (let retries = 0; ; retries += 1) {
    const { said, step, outage }: Heard = await tell(say);
    const { text } = said;
    if (outage) return { end: 'agent-failed', failure: outage.failure, text };
    if (said.end === 'agent-failed' && said.failure) return { end: 'agent-failed', failure: said.failure, text };
    if (said.end !== 'end-turn') return { end: 'cut', why: said.end, text };
    const problems = await mistakes(step, config);
    if (problems.length === 0) return { end: 'valid', text };
    if (retries >= RETRIES) return { end: 'invalid', problems, text };
    say = { kind: 'problems', problems, note: '' };
  }
}

type Made = {
  readonly problems: readonly Problem[];
  readonly features: readonly { readonly id: string; readonly testFile: string | null }[];
};

/** What the files say, then what running them says: every stub must fail before anybody begins. */
async function mistakes(run: R, config: Config): Promise<readonly Problem[]> {
  const { backlog, progress, stateDir } = config.paths;
  const { init, reset } = config.environment;
  const rules = { maxSteps: config.features.maxVerificationSteps, requireTestFile: config.features.requireTestFile };
  const lintCommand = config.quality.lintCommand ?? config.testing.sanity.lint;
  const made = await ask<Made>(run, 'initialised', {
    backlog,
    progress,
    stateDir,
    init: init ?? './init.sh',
    reset: reset ?? './reset.sh',
    lintCommand,
    ...rules,
  });
  if (made.problems.length > 0 || config.testing.feature === null) return made.problems;
  const problems: Problem[] = [];
  for (const { id, testFile } of made.features) {
    const [check] = featureChecks({ testFile }, config);
    if (check === undefined || testFile === null) continue;
    const verdict = await run
      .scope(`stub-${id}`)
      .do('check', { kind: 'check', purpose: 'stubs', session: 0, checks: [check] });
    if (verdict.holds) problems.push({ code: 'stub-passes', params: { item: id, file: testFile } });
    else problems.push(...verdict.problems.filter((p) => p.code === 'command-missing'));
  }
  return problems;
}

const briefOf = (spec: InitInput['spec'], config: Config): Json => ({
  project: config.project.name,
  spec,
  maxSteps: config.features.maxVerificationSteps,
  commands: {
    init: config.environment.init,
    reset: config.environment.reset,
    feature: config.testing.feature,
    full: config.testing.full,
    sanity: sanityChecks(config).map((c) => c.command),
  },
});

export type SettleInput = { readonly startedAt: string; readonly endedAt: string };

/** One commit with everything, then the first records. */
export async function settle(
  run: R,
  { startedAt, endedAt }: SettleInput,
  config: Config,
): Promise<{ readonly commit: string | null; readonly refused: readonly Problem[] }> {
  const { tampering } = await run.do('close', { kind: 'close', session: 0 });
  if (tampering.length > 0) return { commit: null, refused: tampering };
  const { backlog, progress, stateDir } = config.paths;
  const input = { backlog, progress, stateDir, project: config.project.name, at: endedAt };
  const subject = 'chore(harness): initial project setup';
  const made = await run.do('commit', {
    kind: 'commit',
    style: 'plain',
    item: null,
    session: 0,
    subject,
    body: '',
    tree: null,
    checkpoint: null,
    only: null,
    edit: { name: 'init', input },
  });
  if (made.commit === null) return { commit: null, refused: made.refused ? [made.refused] : [] };
  const full = await run.do('check', {
    kind: 'check',
    purpose: 'baseline',
    session: null,
    checks: baselineCheck(config),
  });
  const taken = takenFrom(full, made.tree);
  if (taken !== null) await run.do('baseline', { kind: 'remember', what: 'baseline', session: 0, input: taken });
  await run.do('sizes', { kind: 'remember', what: 'sizes', session: 0, input: {} });
  await run.do('costs', { kind: 'remember', what: 'costs', session: 0, input: { item: '0' } });
  const record = {
    item: '0',
    startedAt,
    endedAt,
    completed: true,
    termination: 'success',
    result: 'landed',
    commit: made.commit,
  };
  await run.do('record', { kind: 'remember', what: 'session', session: 0, input: record });
  return { commit: made.commit, refused: [] };
}

/** Nothing half initialised: kept as an attempt, then everything is as it was. */
export async function undo(
  run: R,
  { checkpoint, why }: { readonly checkpoint: Checkpoint; readonly why: string },
): Promise<{ readonly attempt: string | null }> {
  await run.do('close', { kind: 'close', session: 0 });
  const back = await run.do('rollback', { kind: 'rollback', checkpoint, item: null, session: 0, why });
  return { attempt: back.attempt };
}
