// Session 0: a spec becomes a feature list, scripts and failing stubs. Mistakes are returned to the agent once, and then the
// result is refused.
import { z } from 'zod';
import { defineProcedure, editCall, openingSay, readFacts } from '../../engine/definitions.ts';
import type { Run } from '../../engine/types.ts';
import { checkpointSchema } from '../../model/checkpoint.ts';
import type { Actions, Say } from '../../model/action.ts';
import type { Config } from '../../model/config.ts';
import { failureSchema } from '../../model/failure.ts';
import { problemsSchema, type Problem } from '../../model/verdict.ts';
import { baselineCheck, featureChecks } from '../session/checks.ts';
import { converse } from '../session/conversation.ts';
import { recordSessionZero, specSchema } from '../session/session-zero.ts';
import { baselineFrom } from '../../model/baseline-record.ts';
import { initializer } from './briefs.ts';
import { initFiles } from './edits.ts';
import { initialised } from './initialised.ts';

/** How often the mistakes go back to the agent. */
const RETRIES = 1;

/** The checkpoint for a rollback. Work of an earlier session 0 without a journal is kept as an attempt first. */
export const prepareInit = defineProcedure({
  id: 'prepare-init',
  input: z.object({}),
  output: checkpointSchema,
  async perform(run) {
    await run.do('abandon', { kind: 'abandon', session: 0, item: null });
    return run.do('checkpoint', { kind: 'checkpoint', session: 0, item: null, why: 'pre_init' });
  },
});

const initialisedProject = z.discriminatedUnion('end', [
  z.object({ end: z.literal('valid') }),
  z.object({ end: z.literal('invalid'), problems: problemsSchema }),
  z.object({ end: z.literal('agent-failed'), failure: failureSchema }),
  z.object({ end: z.literal('cut'), why: z.string() }),
]);

export const initialise = defineProcedure({
  id: 'initialise',
  input: z.object({ spec: specSchema }),
  output: initialisedProject,
  async perform(run, { spec }, config): Promise<z.output<typeof initialisedProject>> {
    const opening = openingSay(initializer, { spec });
    const output = config.paths.backlog;
    const who = { role: 'initializer', session: 0, attempt: 1, item: null, title: config.project.name, output };
    const send = converse(run, { who, opening, config });
    let say: Say = opening;
    for (let retries = 0; ; retries += 1) {
      const { turn, step, outage } = await send(say);
      if (outage) return { end: 'agent-failed', failure: outage.failure };
      if (turn.end === 'agent-failed' && turn.failure) return { end: 'agent-failed', failure: turn.failure };
      if (turn.end !== 'end-turn') return { end: 'cut', why: turn.end };
      const isLast = retries >= RETRIES;
      const problems = await mistakes(step, config, isLast);
      if (problems.length === 0) return { end: 'valid' };
      if (isLast) return { end: 'invalid', problems };
      say = { kind: 'problems', problems, note: '' };
    }
  },
});

/**
 * Checks the files, then runs the stubs: each must fail before the first session. `isLast`: a feature that is still too large is no mistake, since
 * the user is asked about it before its session.
 */
async function mistakes(run: Run<Actions>, config: Config, isLast: boolean): Promise<readonly Problem[]> {
  const made = await readFacts(run, initialised, {});
  const found = made.problems.filter(({ code }) => !isLast || code !== 'init-feature-too-large');
  if (found.length > 0 || config.testing.feature === null) return found;
  const problems: Problem[] = [];
  for (const { id, testFile } of made.features) {
    const [check] = featureChecks({ testFile }, config);
    if (check === undefined || testFile === null) continue;
    const verdict = await run
      .scope(`stub-${id}`)
      .do('check', { kind: 'check', purpose: 'stubs', session: 0, checks: [check] });
    if (verdict.holds) problems.push({ code: 'stub-passes', params: { item: id, file: testFile } });
    else problems.push(...verdict.problems.filter(({ code }) => code === 'command-missing'));
  }
  return problems;
}

/** One commit with everything, then the first records. */
export const settle = defineProcedure({
  id: 'settle',
  /** ISO 8601. */
  input: z.object({ startedAt: z.string(), endedAt: z.string() }),
  output: z.object({ commit: z.string().nullable(), refused: problemsSchema }),
  async perform(run, { startedAt, endedAt }, config) {
    const { tampering } = await run.do('close', { kind: 'close', session: 0 });
    if (tampering.length > 0) return { commit: null, refused: tampering };
    const made = await run.do('commit', {
      kind: 'commit',
      style: 'plain',
      item: null,
      session: 0,
      subject: 'chore(harness): initial project setup',
      body: '',
      tree: null,
      checkpoint: null,
      only: null,
      edit: editCall(initFiles, { at: endedAt }),
    });
    const { commit } = made;
    if (commit === null) return { commit, refused: made.refused ? [made.refused] : [] };
    const checks = baselineCheck(config);
    const full = await run.do('check', { kind: 'check', purpose: 'baseline', session: null, checks });
    const baseline = baselineFrom(full, made.tree);
    if (baseline !== null) await run.do('baseline', { kind: 'remember', what: 'baseline', session: 0, baseline });
    await run.do('sizes', { kind: 'remember', what: 'sizes', session: 0, evidence: full.evidence });
    await recordSessionZero(run, { startedAt, endedAt, commit });
    return { commit, refused: [] };
  },
});

/** Keeps an unfinished initialisation as an attempt, then restores the checkpoint. */
export const undo = defineProcedure({
  id: 'undo-init',
  input: z.object({ checkpoint: checkpointSchema, why: z.string() }),
  output: z.object({ attempt: z.string().nullable() }),
  async perform(run, { checkpoint, why }) {
    await run.do('close', { kind: 'close', session: 0 });
    const { attempt } = await run.do('rollback', {
      kind: 'rollback',
      checkpoint,
      item: null,
      session: 0,
      why,
    });
    return { attempt };
  },
});
