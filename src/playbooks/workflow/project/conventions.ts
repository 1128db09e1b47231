// Where the conventions of a project come from (reference 004, Step 1.5): a live file, what a spec phase persisted, a rich CLAUDE.md, or a
// question. As a table over what lies there; the first row that fits counts.
import { CONVENTIONS_FILE } from '../table/rules.ts';

/** From so many lines on a CLAUDE.md is rich. */
export const RICH_LINES = 50;

export type ConventionFacts = {
  /** `conventions` of state.json. */
  readonly value: string | null;
  /** The file that `conventions` names is there. */
  readonly live: boolean;
  /** `{docs_path}conventions.md` is there. */
  readonly persisted: boolean;
  /** CLAUDE.md in the root of the repository; null: there is none. */
  readonly claudeLines: number | null;
};

/** `copy`: to `.harness/conventions.md` · `keep`: what state.json says stays · `ask`: scan or skip. */
export type ConventionStep =
  | { readonly do: 'copy'; readonly from: 'persisted' | 'CLAUDE.md' }
  | { readonly do: 'keep' }
  | { readonly do: 'ask' };
/** What the step says to the table of transitions. */
export const CONVENTION_EVENT = {
  copy: 'conventions: found',
  keep: 'conventions: settled',
  ask: 'conventions: none',
} as const;

type Row = {
  /** Of state.json: names the live file, or one of a person's own, or says skipped. `any`: whatever it says. */
  readonly value: 'live' | 'own' | 'skipped' | 'any';
  readonly live?: boolean;
  readonly persisted?: boolean;
  readonly rich?: boolean;
  readonly step: ConventionStep;
};
export const CONVENTION_TABLE: readonly Row[] = [
  // The live file is authoritative: no snapshot overwrites it (M2). The richness flow that follows may only bring what is fresher than
  // it, a rich CLAUDE.md; to ask for a scan whose result is there would ask for nothing.
  { value: 'live', live: true, rich: true, step: { do: 'copy', from: 'CLAUDE.md' } },
  { value: 'live', live: true, step: { do: 'keep' } },
  { value: 'own', live: true, step: { do: 'keep' } },
  // Resume idempotency, and a fresh session or one that skipped: what the spec phase persisted in the folder of this task.
  { value: 'any', persisted: true, step: { do: 'copy', from: 'persisted' } },
  { value: 'any', rich: true, step: { do: 'copy', from: 'CLAUDE.md' } },
  // "Skipped" means that a person has decided already.
  { value: 'skipped', step: { do: 'keep' } },
  // Nothing anywhere. A file that was named and is gone is forgotten in the same write (`conventions: none` writes null).
  { value: 'any', step: { do: 'ask' } },
];

export function conventionStep({ value, live, persisted, claudeLines }: ConventionFacts): ConventionStep {
  const rich = claudeLines !== null && claudeLines >= RICH_LINES;
  const own = value?.startsWith('file:') === true ? 'own' : value;
  const kind = value === `file:${CONVENTIONS_FILE}` ? 'live' : own;
  const isSo = (asked: boolean | undefined, is: boolean): boolean => asked === undefined || asked === is;
  const row = CONVENTION_TABLE.find(
    (one) =>
      (one.value === 'any' || one.value === kind) &&
      isSo(one.live, live) &&
      isSo(one.persisted, persisted) &&
      isSo(one.rich, rich),
  );
  return row?.step ?? { do: 'ask' };
}

/** Lines as `wc -l` counts them, and a last one without its line end. */
export const linesOf = (text: string): number => (text === '' ? 0 : text.replace(/\n$/, '').split('\n').length);

/** Conventions injection rule: the file that is read for a planner; null: it is told nothing. */
export const conventionsFile = (value: string | null): string | null =>
  value?.startsWith('file:') === true ? value.slice('file:'.length) : null;
