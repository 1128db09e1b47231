// The questions of the workflow as the gates of the harness get them: options that are shown, and what a person must know to answer.
import type { ActionOf } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import type { Params } from '../../model/failure.ts';
import type { Subject } from '../../model/gate.ts';
import type { GateName } from './table/gates.ts';
import { modelFor } from './sessions/models.ts';
import type { Do } from './table/next.ts';
import type { S } from './positions.ts';
import { CONVENTIONS_FILE, LAYER_1_RETRIES, PATCH_FILE } from './table/rules.ts';
import { resolved, type WorkflowState } from './file/state.ts';

type Ask = Extract<Do, { readonly do: 'ask' }>;

export function asked(
  s: Pick<S, 'file' | 'mem'>,
  { gate, options, recommended, confidence }: Ask,
  item: string,
): ActionOf<Actions, 'ask'> {
  const state = resolved(s.file);
  const subject: Subject = `workflow-${gate}`;
  const paper = PAPER[gate]?.(state);
  return {
    kind: 'ask',
    key: `${gate}-${s.mem.visits}`,
    gate: 'question',
    subject,
    item,
    params: { item, ...PARAMS[gate](s, state), ...(gate === 'auto-fix' ? { confidence } : {}) },
    options: options.map((id) => ({ id })),
    recommended,
    evidence: paper === undefined ? [] : [paper],
    ...(paper === undefined ? {} : { paper }),
  };
}

/** It stands in the middle of a sentence. */
const said = ({ line }: Pick<S['mem'], 'line'>): string => line.replace(/[.。]$/u, '');

const PARAMS: { readonly [G in GateName]: (s: Pick<S, 'mem'>, state: WorkflowState) => Params } = {
  conventions: ({ mem }) => ({ lines: mem.line }),
  scan: () => ({ file: CONVENTIONS_FILE }),
  spec: ({ mem }, { docs_path: docs }) => ({ file: `${docs}spec.md`, summary: said(mem) }),
  verify: ({ mem }, { docs_path: docs, verify }) => ({
    summary: said(mem),
    report: `${docs}verify_report.md`,
    retries: verify.layer1_retries,
    max: LAYER_1_RETRIES,
  }),
  'auto-fix': ({ mem }, { model_config: models }) => ({
    summary: said(mem),
    model: modelFor('auto-fix-proposer', models) ?? '',
    paths: mem.paths.join(', '),
  }),
  qa: ({ mem }, { docs_path: docs, round, max_rounds: max, verify }) => ({
    summary: said(mem),
    report: `${docs}qa_report.md`,
    layer: verify.layer2_result === 'FAIL' ? 2 : 3,
    round,
    max,
  }),
  commit: (_, { branch, docs_path: docs }) => ({ branch, folder: docs }),
};

/** What a person reads before the answer. */
const PAPER: { readonly [G in GateName]?: (state: WorkflowState) => string } = {
  spec: ({ docs_path: docs }) => `${docs}spec.md`,
  verify: ({ docs_path: docs }) => `${docs}verify_report.md`,
  'auto-fix': () => PATCH_FILE,
  qa: ({ docs_path: docs }) => `${docs}qa_report.md`,
};
