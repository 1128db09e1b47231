// Where the conventions of a project come from: a file that state.json names, a file of an earlier spec phase, a rich CLAUDE.md, or a question.
// As a table; the first row that fits counts.
import { z } from 'zod';
import { defineEdit, defineProcedure, defineSurvey, editCall, readFacts } from '../../../engine/definitions.ts';
import { ok } from '../../../model/result.ts';
import { resolved, workflowFileSchema } from '../file/state.ts';
import { CONVENTIONS_FILE } from '../table/rules.ts';
import { stageResult } from '../table/stage-result.ts';

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
/** The event of each step. */
export const CONVENTION_EVENT = {
  copy: 'conventions: found',
  keep: 'conventions: settled',
  ask: 'conventions: none',
} as const;

type Row = {
  /** state.json names the live file, or a file of the user's own, or says `skipped`. `any`: whatever it says. */
  readonly value: 'live' | 'own' | 'skipped' | 'any';
  readonly live?: boolean;
  readonly persisted?: boolean;
  readonly rich?: boolean;
  readonly step: ConventionStep;
};
export const CONVENTION_TABLE: readonly Row[] = [
  // An existing live file is only replaced by a rich CLAUDE.md, which may be newer.
  { value: 'live', live: true, rich: true, step: { do: 'copy', from: 'CLAUDE.md' } },
  { value: 'live', live: true, step: { do: 'keep' } },
  { value: 'own', live: true, step: { do: 'keep' } },
  { value: 'any', persisted: true, step: { do: 'copy', from: 'persisted' } },
  { value: 'any', rich: true, step: { do: 'copy', from: 'CLAUDE.md' } },
  // The user has decided already.
  { value: 'skipped', step: { do: 'keep' } },
  // A named file that does not exist any more is forgotten: this event writes null.
  { value: 'any', step: { do: 'ask' } },
];

export function conventionStep({ value, live, persisted, claudeLines }: ConventionFacts): ConventionStep {
  const rich = claudeLines !== null && claudeLines >= RICH_LINES;
  const own = value?.startsWith('file:') === true ? 'own' : value;
  const kind = value === `file:${CONVENTIONS_FILE}` ? 'live' : own;
  const fits = (wanted: boolean | undefined, is: boolean): boolean => wanted === undefined || wanted === is;
  const row = CONVENTION_TABLE.find(
    (one) =>
      (one.value === 'any' || one.value === kind) &&
      fits(one.live, live) &&
      fits(one.persisted, persisted) &&
      fits(one.rich, rich),
  );
  return row?.step ?? { do: 'ask' };
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
