// Before the first stage of a life: is this the right place, does the project start, and what lies there for the resume table.
import type { Run } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import type { Config } from '../../model/config.ts';
import { failure, type Failure } from '../../model/failure.ts';
import type { Json } from '../../model/json.ts';
import { ask } from '../session/asks.ts';
import { environment } from '../session/preflight.ts';
import type { Arrived } from './around.ts';
import { conventionStep, CONVENTION_EVENT, type ConventionFacts } from './project/conventions.ts';
import type { Came } from './table/came.ts';
import type { Dispatch } from './sessions/one-session.ts';
import type { Step } from './table/mem.ts';
import { lacking } from './opening.ts';
import { CONVENTIONS_FILE } from './table/rules.ts';
import type { WorkflowState } from './file/state.ts';

type R = Run<Actions>;

export async function arrive(
  run: R,
  { state, step }: { readonly state: WorkflowState; readonly step: Step | null },
  config: Config,
): Promise<Arrived> {
  const { facts, session } = await ask<Omit<Arrived, 'failure'>>(run, 'lies', {
    state: state as unknown as Json,
    stateDir: config.paths.stateDir,
  });
  const no = (why: Failure): Arrived => ({ failure: why, facts, session });
  if (!facts.isDocsPathValid) {
    const { rule } = await ask<{ readonly rule: string }>(run, 'docs-path', { docs: state.docs_path });
    return no(failure('workflow-docs-path', { path: state.docs_path, rule, part: '' }));
  }
  const { failure: unfit } = await ask<{ readonly failure: Failure | null }>(run, 'place', {
    branch: state.has_git === false ? null : state.branch,
  });
  if (unfit !== null) return no(unfit);
  const lacks = lacking(step, state.phase, facts);
  if (step !== null && lacks !== null)
    return no(failure('workflow-step-first', { step, first: lacks.first, missing: lacks.missing.join(', ') }));
  const broken = await environment(run, config);
  return { failure: broken, facts, session };
}

/** Step 1.5. */
export async function conventions(run: R, { state }: Pick<Dispatch, 'state'>): Promise<Came> {
  const asked = { value: state.conventions, docs: state.docs_path };
  const { facts } = await ask<{ readonly facts: ConventionFacts }>(run, 'conventions', asked);
  const step = conventionStep(facts);
  if (step.do === 'copy') {
    const from = step.from === 'persisted' ? `${state.docs_path}conventions.md` : 'CLAUDE.md';
    await run.do('copy', {
      kind: 'write',
      edit: { name: 'copy', input: { from, to: CONVENTIONS_FILE } },
      lines: [],
    });
  }
  // Where a person is asked: how much CLAUDE.md says.
  const lines = facts.claudeLines === null ? '' : String(facts.claudeLines);
  return { on: CONVENTION_EVENT[step.do], line: lines };
}
