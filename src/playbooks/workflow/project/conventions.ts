// Where the conventions of a project come from: a file that state.json names, a file of an earlier spec phase, a rich CLAUDE.md, or a question.
import { z } from 'zod';
import { defineEdit, defineProcedure, defineSurvey, editCall, readFacts } from '../../../engine/definitions.ts';
import { ok } from '../../../model/result.ts';
import { resolved, workflowFileSchema } from '../file/state.ts';
import { CONVENTIONS_FILE } from '../table/rules.ts';
import { stageResult } from '../table/stages.ts';

/** A CLAUDE.md of so many lines is rich. */
export const RICH_LINES = 50;

const conventionFacts = z.object({
  /** `conventions` of state.json. */
  value: z.string().nullable(),
  /** The file that `conventions` names exists. */
  live: z.boolean(),
  /** `{docs_path}conventions.md` exists. */
  persisted: z.boolean(),
  /** Of CLAUDE.md in the root of the repository; null: there is none. */
  claudeLines: z.number().nullable(),
});
export type ConventionFacts = z.output<typeof conventionFacts>;

/** `copy`: to `.harness/conventions.md` · `keep`: state.json stays as it is · `ask`: scan or skip. */
export type ConventionStep =
  | { readonly do: 'copy'; readonly from: 'persisted' | 'CLAUDE.md' }
  | { readonly do: 'keep' }
  | { readonly do: 'ask' };
/** The event of each step. That of `ask` writes null: a named file that does not exist any more is forgotten. */
export const CONVENTION_EVENT = {
  copy: 'conventions: found',
  keep: 'conventions: settled',
  ask: 'conventions: none',
} as const;

export function conventionStep({ value, live, persisted, claudeLines }: ConventionFacts): ConventionStep {
  const isRich = claudeLines !== null && claudeLines >= RICH_LINES;
  // An existing file is only replaced by a rich CLAUDE.md, which may be newer, and never if it is a file of the user's own.
  if (value?.startsWith('file:') === true && live)
    return isRich && value === `file:${CONVENTIONS_FILE}` ? { do: 'copy', from: 'CLAUDE.md' } : { do: 'keep' };
  if (persisted) return { do: 'copy', from: 'persisted' };
  if (isRich) return { do: 'copy', from: 'CLAUDE.md' };
  // `skipped`: the user has decided already.
  return value === 'skipped' ? { do: 'keep' } : { do: 'ask' };
}

/** As `wc -l` counts them, and a last line without a line end. */
export const linesOf = (text: string): number => (text === '' ? 0 : text.replace(/\n$/, '').split('\n').length);

/** The file that planners are given; null: they are given none. */
export const conventionsFile = (value: string | null): string | null =>
  value?.startsWith('file:') === true ? value.slice('file:'.length) : null;

/** `value`: of state.json. */
export const conventionSources = defineSurvey({
  id: 'workflow.conventions',
  input: z.object({ value: z.string().nullable(), docs: z.string() }),
  facts: conventionFacts,
  async read({ view }, { value, docs }) {
    const [persisted, claude] = [await view.read(`${docs}conventions.md`), await view.read('CLAUDE.md')];
    return {
      value,
      live: (await view.stat(conventionsFile(value) ?? CONVENTIONS_FILE))?.kind === 'file',
      persisted: persisted !== null,
      claudeLines: claude === null ? null : linesOf(claude),
    };
  },
});

/** A copy of a file, if it exists. */
const copyFile = defineEdit({
  id: 'workflow.copy',
  input: z.object({ from: z.string(), to: z.string() }),
  async texts({ view }, { from, to }) {
    const text = await view.read(from);
    return ok(text === null ? {} : { [to]: text });
  },
});

export const findConventions = defineProcedure({
  id: 'workflow.conventions',
  input: z.object({ file: workflowFileSchema }),
  output: stageResult,
  async perform(run, { file }) {
    const { conventions, docs_path: docs } = resolved(file);
    const facts = await readFacts(run, conventionSources, { value: conventions, docs });
    const step = conventionStep(facts);
    if (step.do === 'copy') {
      const from = step.from === 'persisted' ? `${docs}conventions.md` : 'CLAUDE.md';
      const edit = editCall(copyFile, { from, to: CONVENTIONS_FILE });
      await run.do('copy', { kind: 'write', edit, lines: [] });
    }
    // Shown with the question.
    const line = facts.claudeLines === null ? '' : String(facts.claudeLines);
    return { on: CONVENTION_EVENT[step.do], line };
  },
});
