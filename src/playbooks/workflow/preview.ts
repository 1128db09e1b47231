// The first turn of the stage that a workflow stands in, for those who only want to look.
import type { Playbook } from '../../engine/playbook.ts';
import type { SessionAsk } from '../../model/action.ts';
import { failure } from '../../model/failure.ts';
import { err, ok } from '../../model/result.ts';
import type { BriefInput } from './sessions/brief-input.ts';
import { briefInputOf } from './sessions/brief-parts.ts';
import { titleOf } from './sessions/one-session.ts';
import { stateIn } from './listing.ts';
import { modelFor } from './sessions/models.ts';
import { resumed, styleOf } from './table/resume.ts';
import { sessionsOf } from './table/sessions.ts';
import type { StageName } from './table/stages.ts';
import { resolved } from './file/state.ts';
import { factsOf } from './standing.ts';

/** Who is sent first once a stage that waits is begun. */
const FIRST: { readonly [N in StageName]?: { readonly single: StageName; readonly more: StageName } } = {
  'plan-ready': { single: 'plan', more: 'propose' },
  'generate-ready': { single: 'implement', more: 'design' },
  'evaluate-ready': { single: 'evaluate', more: 'evaluate' },
};

export const opening: Playbook['opening'] = async (world, { item, session, config }) => {
  const text = await world.read(config.paths.backlog);
  if (text === null) return err(failure('workflow-missing', { file: config.paths.backlog }));
  const file = stateIn(text, config.paths.backlog);
  if (!file.ok) return file;
  const state = resolved(file.value);
  const { step } = config.workflow;
  const where = resumed(file.value, await factsOf(world, state), step, undefined, config.workflow.style);
  if (typeof where === 'string') return err(failure('workflow-missing', { file: config.paths.backlog }));
  const { stage } = where.s.at;
  const first = FIRST[stage];
  const sent = first === undefined ? stage : state.mode === 'single' ? first.single : first.more;
  const [spec] = sessionsOf(sent, state.mode, state.docs_path);
  if (spec === undefined) return err(failure('workflow-no-session', { stage, style: styleOf(file.value, step) }));
  const input: BriefInput = { ...spec, state, retry: null, note: '', files: [] };
  const ask: SessionAsk = {
    role: spec.role,
    session,
    turn: 1,
    attempt: 1,
    item,
    title: titleOf(state),
    output: spec.output,
    say: { kind: 'open', brief: spec.role, input: briefInputOf(input) },
    resume: null,
    model: modelFor(spec.role, state.model_config),
  };
  return ok({ ask, testFile: null });
};
