// The workflow playbook: one task in state.json through plan, generate, verify and evaluate.
import { z } from 'zod';
import { defineProcedure, openingSay } from '../../engine/definitions.ts';
import { finalResult, type ItemMachine, type Playbook } from '../../engine/playbook.ts';
import type { SessionAsk } from '../../model/action.ts';
import { failure } from '../../model/failure.ts';
import { err, ok } from '../../model/result.ts';
import { revertWip } from '../session/tree-change.ts';
import { backlog, stateIn } from './backlog.ts';
import { resolved } from './file/state.ts';
import { workflowItem } from './machine.ts';
import { next, startFactsOf } from './repository-facts.ts';
import { briefs } from './sessions/briefs.ts';
import { titleOf } from './sessions/dispatch.ts';
import { modelFor } from './sessions/models.ts';
import { assignmentsOf } from './table/assignments.ts';
import { resumed, styleOf } from './table/resume.ts';
import { ROLES } from './table/roles.ts';
import type { StageName } from './table/stages.ts';
import { runOptionsOf } from './file/run-options.ts';

/** Each step of the one task is proved by the machine itself. */
const final = defineProcedure({
  id: 'workflow.final',
  input: z.object({}),
  output: finalResult,
  perform: () => Promise.resolve({ end: 'holds' } as const),
});

/** The first stage with sessions after a stage that waits, in mode single and in the others. */
const FIRST: { readonly [N in StageName]?: { readonly single: StageName; readonly more: StageName } } = {
  'plan-ready': { single: 'plan', more: 'propose' },
  'generate-ready': { single: 'implement', more: 'design' },
  'evaluate-ready': { single: 'evaluate', more: 'evaluate' },
};

const machine: ItemMachine = {
  changesWork: true,
  followsEdits: true,
  name: 'workflow',
  numbersSessions: true,
  roles: ROLES,
  ledger: 'state.json',
  files: () => ({ own: [], guarded: [] }),
  item: workflowItem,
  next,
  final,
  revertWip,
  async opening({ view, config }, { item, session }) {
    const { paths } = config;
    const missing = err(failure('workflow-missing', { file: paths.backlog }));
    const text = await view.read(paths.backlog);
    if (text === null) return missing;
    const file = stateIn(text, paths.backlog);
    if (!file.ok) return file;
    const state = resolved(file.value);
    const { step, style } = runOptionsOf(config);
    const result = resumed(file.value, await startFactsOf(view, state), step, undefined, style);
    if (typeof result === 'string') return missing;
    const { stage } = result.s.at;
    const first = FIRST[stage];
    const sent = first === undefined ? stage : state.mode === 'single' ? first.single : first.more;
    const [assignment] = assignmentsOf(sent, state.mode, state.docs_path);
    if (assignment === undefined)
      return err(failure('workflow-no-session', { stage, style: styleOf(file.value, step) }));
    const { role, output } = assignment;
    const input = { ...assignment, file: file.value, retry: null, note: '', files: [] };
    const ask: SessionAsk = {
      role,
      session,
      turn: 1,
      attempt: 1,
      item,
      title: titleOf(state),
      output,
      say: openingSay(briefs[role], input),
      resume: null,
      model: modelFor(role, state.model_config),
    };
    return ok({ ask, testFile: null });
  },
};

export const workflowPlaybook: Playbook = {
  name: 'workflow',
  backlog,
  machine,
  frame: () => ({ files: {}, scripts: [], settings: [] }),
  fromSpec: {
    refused: {
      what: '--spec is for features: a workflow writes its own from the task',
      hint: 'harness workflow "TASK"',
    },
  },
};
