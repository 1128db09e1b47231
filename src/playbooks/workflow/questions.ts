// The questions of the workflow: the options that are shown, what the user must know to answer, and the language of a note.
import { z } from 'zod';
import { defineSurvey } from '../../engine/definitions.ts';
import { Bug } from '../../model/bug.ts';
import type { Params } from '../../model/failure.ts';
import { languageAfter } from '../../model/spoken.ts';
import type { AskAction } from '../session/questions.ts';
import { resolved, type WorkflowState } from './file/state.ts';
import type { AtTableStage } from './position.ts';
import { modelFor } from './sessions/models.ts';
import type { Counters } from './table/counters.ts';
import { GATES, type GateName } from './table/gates.ts';
import { question } from './table/next.ts';
import { CONVENTIONS_FILE, isProved, LAYER_1_RETRIES, PATCH_FILE } from './table/rules.ts';

/** The language of a text, if it is one that the harness recognises; otherwise `current`. ISO 639-1. */
export const languageOf = defineSurvey({
  id: 'workflow.language',
  input: z.object({ current: z.string(), text: z.string() }),
  facts: z.object({ language: z.string() }),
  read: async (_context, { current, text }) => ({ language: await languageAfter(current, text) }),
});

export function questionOf(s: AtTableStage, item: string): AskAction {
  const asked = question(s);
  if (asked === null) throw new Bug(`there is no question in ${s.at.stage}`);
  const { gate, options, recommended, confidence } = asked;
  const state = resolved(s.file);
  const document = DOCUMENTS[gate]?.(state);
  const doubts = s.mem.proved?.doubts ?? [];
  return {
    kind: 'ask',
    key: `${gate}-${s.mem.visits}`,
    gate: 'question',
    subject: `workflow-${gate}`,
    item,
    params: {
      item,
      ...(gate === 'commit' ? commitParams(s) : {}),
      ...PARAMS[gate](s.mem, state),
      ...(gate === 'auto-fix' ? { confidence } : {}),
    },
    options: options.map((id) => ({ id })),
    recommended: gate === 'commit' && isOpen(s) ? 'none' : recommended,
    ...(gate === 'commit' && doubts.length > 0 ? { problems: doubts } : {}),
    ...(GATES[gate].isHard ? {} : { isSoft: true as const }),
    evidence: document === undefined ? [] : [document],
    ...(document === undefined ? {} : { paper: document }),
  };
}

/** Work that was not verified, was accepted although it fails, or whose proof is in doubt: nothing is recommended. */
const isOpen = (s: AtTableStage): boolean => !isProved(s) || !s.mem.proved || s.mem.proved.doubts.length > 0;

/** At the last question: what the work rests on, or why it rests on nothing. */
function commitParams(s: AtTableStage): Params {
  const { line, proved } = s.mem;
  if (!isProved(s)) return { unverified: line === '' ? 'Layer 1' : line.replace(/[.。]$/u, '') };
  // Of another process: it is proved again before the commit.
  if (!proved) return { report: `${resolved(s.file).docs_path}verify_report.md` };
  const { strength, held, notPossible } = proved.proof;
  return { [strength === 'tests' ? 'byTests' : 'byExit']: held.join(', '), notPossible: notPossible.join(', ') };
}

/** For the middle of a sentence. */
const summaryOf = ({ line }: Counters): string => line.replace(/[.。]$/u, '');

const PARAMS: { readonly [G in GateName]: (mem: Counters, state: WorkflowState) => Params } = {
  conventions: ({ line }) => ({ lines: line }),
  scan: () => ({ file: CONVENTIONS_FILE }),
  spec: (mem, { docs_path: docs }) => ({ file: `${docs}spec.md`, summary: summaryOf(mem) }),
  verify: (mem, { docs_path: docs, verify, autofix }) => ({
    // After a patch that was not applied, the last line is about the patch.
    summary: autofix?.applied === 'rejected' ? '' : summaryOf(mem),
    ...(mem.refused === undefined
      ? {}
      : mem.refused.path === ''
        ? { refused: mem.refused.why.replace(/[.。\s]+$/u, '') }
        : { refusedPath: mem.refused.path, rule: mem.refused.why }),
    report: `${docs}verify_report.md`,
    retries: verify.layer1_retries,
    max: LAYER_1_RETRIES,
  }),
  'auto-fix': (mem, { model_config: models }) => ({
    summary: summaryOf(mem),
    model: modelFor('auto-fix-proposer', models) ?? '',
    paths: mem.paths.join(', '),
  }),
  qa: (mem, { docs_path: docs, round, max_rounds: max, verify }) => ({
    summary: summaryOf(mem),
    report: mem.isVoid ? '' : `${docs}qa_report.md`,
    layer: mem.isVoid ? '' : verify.layer2_result === 'FAIL' ? 2 : 3,
    round,
    max,
  }),
  commit: (mem, { branch, docs_path: docs, round, max_rounds: max }) => ({
    branch,
    folder: docs,
    ...(mem.isAccepted && round >= max ? { max, open: `${docs}qa_report.md` } : {}),
  }),
};

/** What the user reads before they answer. */
const DOCUMENTS: { readonly [G in GateName]?: (state: WorkflowState) => string } = {
  spec: ({ docs_path: docs }) => `${docs}spec.md`,
  verify: ({ docs_path: docs }) => `${docs}verify_report.md`,
  'auto-fix': () => PATCH_FILE,
  qa: ({ docs_path: docs }) => `${docs}qa_report.md`,
};
