// How far the product is from its specification: one session of a role that reads both and changes nothing. Its score is kept; above the threshold a
// user is asked. It is worked on like an item that is in no list.
import { takeBack } from '../session/strays.ts';
import { z } from 'zod';
import {
  defineBrief,
  defineEdit,
  defineProcedure,
  editCall,
  openingSay,
  type ReadContext,
} from '../../engine/definitions.ts';
import type { Drivable } from '../../engine/drivable.ts';
import type { ItemInput } from '../../engine/playbook.ts';
import type { Machine, Run } from '../../engine/types.ts';
import { itemOutcomeSchema, type Actions, type ItemOutcome } from '../../model/action.ts';
import type { Config } from '../../model/config.ts';
import { failure } from '../../model/failure.ts';
import { askedAs } from '../../model/gate.ts';
import { ok } from '../../model/result.ts';
import { fenced, joined, section, code } from '../session/quote.ts';
import { askRole, type RoleAnswer } from '../session/role-session.ts';
import { sessionStateSchema, type SessionStateFile } from '../session/session-state.ts';
import { endedStage, go, outcomeOf, procedureStages, sessionMachine } from '../session/stages.ts';
import { driftFinding, readDrift, type DriftAnswer } from './fidelity-answer.ts';
import { UNSEEN } from './judged.ts';
import { FIDELITY, FIDELITY_FILE } from './paths.ts';
import { DRIFTED } from './questions.ts';

/** null: none is configured. */
export const specOf = ({ fidelity, releaseGate }: Pick<Config, 'fidelity' | 'releaseGate'>): string | null =>
  fidelity.specPath ?? releaseGate.specPath;

const MOST_SPEC = 60_000;

const checker = defineBrief({
  id: 'delivery.fidelity-checker',
  input: z.object({ spec: z.string() }),
  async text({ view, config }: ReadContext, { spec }) {
    const text = (await view.readAt('HEAD', spec)) ?? '';
    const rest = text.length > MOST_SPEC ? `\n\nThe rest is in ${code(spec, 80)}.` : '';
    return joined([
      `## Specification (${code(spec, 80)})\n\n${fenced(text.slice(0, MOST_SPEC).toWellFormed())}${rest}`,
      section(
        '## The Application',
        config.appPaths.length === 0
          ? ['All of the repository.']
          : config.appPaths.map((path) => `- ${code(path, 80)}`),
      ),
    ]);
  },
});

const keep = defineEdit({
  id: 'delivery.fidelity',
  input: z.object({
    spec: z.string(),
    score: z.number(),
    threshold: z.number(),
    findings: z.array(driftFinding).readonly(),
    session: z.number(),
  }),
  texts: ({ view }, about) =>
    Promise.resolve(ok({ [FIDELITY_FILE]: `${JSON.stringify({ schema: 1, at: view.now, ...about }, null, 2)}\n` })),
});

const check = defineProcedure({
  id: 'delivery.check-fidelity',
  input: z.object({ session: z.number() }),
  output: itemOutcomeSchema,
  async perform(run, { session }, config): Promise<ItemOutcome> {
    await run.do('abandon', { kind: 'abandon', session, item: FIDELITY });
    const spec = specOf(config);
    if (spec === null) {
      const none = failure('config-value-missing', { key: 'fidelity.spec_path', allowed: 'path-inside-repository' });
      return outcomeOf({ result: 'aborted', reason: none.reason, failure: none });
    }
    for (let round = 1; ; round += 1) {
      const step = run.scope(`round-${round}`);
      const answer = await asked(step, spec, session, config);
      if (answer.is === 'unavailable') {
        const { failure: why } = answer;
        return outcomeOf({ result: 'partial', reason: why.reason, failure: why });
      }
      if (answer.is === 'unanswered')
        return outcomeOf({
          result: 'failed',
          reason: answer.problems[0]?.code ?? 'refused',
          problems: answer.problems,
        });
      const { score, findings } = answer.answer;
      const { threshold } = config.fidelity;
      const edit = editCall(keep, { spec, score, threshold, findings, session: answer.session });
      await step.do('keep', { kind: 'write', edit, lines: [] });
      const isFine = score <= threshold;
      if (isFine || (await askAboutDrift(step, { spec, score, threshold }, answer.answer)) !== 'again')
        return outcomeOf({ result: 'unproved', reason: 'delivery-compared' });
      await step.do('follow', { kind: 'follow-base', item: null });
    }
  },
});

/** One session of the role, which changes nothing. */
async function asked(
  run: Run<Actions>,
  spec: string,
  session: number,
  config: Config,
): Promise<RoleAnswer<DriftAnswer>> {
  const about = { session, item: FIDELITY };
  const before = await run.do('checkpoint', { kind: 'checkpoint', ...about, why: 'pre_review' });
  const answer = await askRole<DriftAnswer>(
    run,
    {
      role: 'fidelity-checker',
      item: null,
      title: 'Fidelity',
      attempt: 1,
      unseen: UNSEEN,
      opening: openingSay(checker, { spec }),
      async read(text) {
        const read = readDrift(text);
        return read.is === 'read'
          ? { answer: read.answer }
          : { problems: [{ code: 'review-unanswered', params: { role: 'fidelity-checker', why: read.why } }] };
      },
    },
    config,
  );
  await takeBack(run, before, about);
  return answer;
}

/** The option that a user chooses. */
async function askAboutDrift(
  run: Run<Actions>,
  params: { readonly spec: string; readonly score: number; readonly threshold: number },
  { findings }: DriftAnswer,
): Promise<string> {
  const { option } = await run.do('ask', {
    kind: 'ask',
    gate: 'escalation',
    ...askedAs('delivery-drifted', DRIFTED),
    item: FIDELITY,
    params,
    problems: findings.map(({ claim: title, path, quote }) => ({
      code: 'finding-open',
      params: { severity: 'drift', title, path, quote, why: '' },
    })),
    evidence: [],
  });
  return option;
}

const positionSchema = z.object({
  at: z.discriminatedUnion('stage', [
    z.object({ stage: z.literal('check') }),
    z.object({ stage: z.literal('ended'), outcome: itemOutcomeSchema }),
  ]),
  mem: z.object({}),
});
type Position = z.output<typeof positionSchema>;
const performs = procedureStages<SessionStateFile, Position['at'], Position['mem']>();

const machine = ({ session }: ItemInput): Machine<SessionStateFile, Position['at'], Position['mem'], Actions> => ({
  name: 'delivery-fidelity',
  version: 1,
  file: sessionStateSchema,
  position: positionSchema,
  place: () => ({ at: { stage: 'check' }, mem: {} }),
  on: (s, event) =>
    event.type === 'pause' && s.at.stage === 'check'
      ? go(s, { stage: 'ended', outcome: outcomeOf({ result: 'paused', reason: 'user_pause' }) })
      : s,
  stages: {
    check: performs('check', check, {
      input: () => ({ session }),
      next: (s, outcome) => go(s, { stage: 'ended', outcome }),
    }),
    ended: endedStage(),
  },
});

export const fidelityItem = (input: ItemInput): Drivable<Actions> => sessionMachine(machine(input));
