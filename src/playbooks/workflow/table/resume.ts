// Where a run on an existing state.json continues, as two tables: by phase, and what a named step changes of that. The first row that fits
// counts. Of anything outside the file only facts are known.
import { z } from 'zod';
import { Bug } from '../../../model/bug.ts';
import { isV1, resolved, type Phase, type WorkflowFile } from '../file/state.ts';
import { newCounters } from './counters.ts';
import { entered, type TableState } from './next.ts';
import { afterWrites, GUARDS, isMet, knownOf, type EffectName, type Known } from './rules.ts';
import type { StageName } from './stages.ts';
import type { RunStyle, NamedStep } from '../file/run-options.ts';

export const startFactsSchema = z.object({
  /** Whether `{docs_path}spec.md` and its neighbours exist. */
  spec: z.boolean(),
  changes: z.boolean(),
  verifyReport: z.boolean(),
  /** A qa_report.md with a verdict. */
  report: z.boolean(),
  /** The file that `conventions: "file:<path>"` names. */
  conventions: z.boolean(),
  /** The file at `autofix.last_patch_path`, with a patch in it. */
  patch: z.boolean(),
  hasGit: z.boolean(),
  /** Whether the path validator allows docs_path as the file has it. */
  isDocsPathValid: z.boolean(),
});
export type StartFacts = z.output<typeof startFactsSchema>;

/** No document of a session exists. */
export const NO_DOCUMENTS = {
  spec: false,
  changes: false,
  verifyReport: false,
  report: false,
  conventions: false,
  patch: false,
} as const satisfies Partial<StartFacts>;

type Seen = Known & { readonly facts: StartFacts };
const COMMANDS = ['build_cmd', 'test_cmd', 'lint_cmd', 'type_check_cmd'] as const;
const RESUME_GUARDS = {
  ...GUARDS,
  /** `skipped`: the user has decided already. */
  'conventions settled': ({ state: { conventions }, file, facts }: Seen) =>
    isV1(file) || conventions === 'skipped' || (conventions !== null && facts.conventions),
  'spec there': ({ facts }: Seen) => facts.spec,
  'patch there': ({ facts }: Seen) => facts.patch,
  'report there': ({ facts }: Seen) => facts.report,
  proposed: ({ state }: Seen) => state.autofix?.applied === 'proposed',
  applied: ({ state }: Seen) => state.autofix?.applied === 'applied',
  rejected: ({ state }: Seen) => state.autofix?.applied === 'rejected',
  stopped: ({ state }: Seen) => state.autofix?.applied === 'stopped',
  'auto-fix tried': ({ state }: Seen) => state.autofix !== null,
  /** Layer 1 passed, or there was nothing to run. */
  verified: ({ state }: Seen) =>
    state.verify.layer1_result === 'PASS' ||
    (state.verify.layer1_result === null && COMMANDS.every((name) => state[name] === null)),
} as const;
type ResumeGuard = keyof typeof RESUME_GUARDS;

export type ResumeRow = {
  /** null: set-up has not ended. */
  readonly in: readonly (Phase | null)[];
  /** All of them; none: always. */
  readonly when?: readonly (ResumeGuard | `not ${ResumeGuard}`)[];
  /** `set-up`: no session is under way · `refused`: what the step needs is missing. */
  readonly to: StageName | 'set-up' | 'refused';
  readonly set?: readonly EffectName[];
};

export const RESUME: readonly ResumeRow[] = [
  { in: [null], to: 'set-up' }, // what it wrote so far is kept
  { in: ['plan_ready'], when: ['conventions settled'], to: 'plan-ready' },
  { in: ['plan_ready'], to: 'conventions' },
  { in: ['planning', 'plan_done'], when: ['spec there'], to: 'spec-gate' },
  { in: ['planning', 'plan_done'], to: 'plan-ready' },
  { in: ['generate_ready'], to: 'generate-ready' },
  { in: ['generating', 'generate_done'], to: 'verify-ready', set: ['layer 1: reset'] },
  { in: ['verify_ready', 'verifying', 'verify_done'], when: ['not verify step'], to: 'evaluate-ready' },
  // Retries are not reset after a patch. In the file a patch of an earlier round looks the same: then the gate comes earlier, never later.
  { in: ['verify_ready', 'verifying'], when: ['applied'], to: 'reverify-ready', set: ['layer 1: clear'] },
  { in: ['verify_ready', 'verifying'], to: 'verify-ready', set: ['layer 1: reset'] },
  { in: ['verify_done'], when: ['proposed', 'patch there'], to: 'auto-fix-gate' }, // an open question is asked again
  { in: ['verify_done'], when: ['proposed'], to: 'propose-fix' }, // nothing to decide about yet; the attempt is not spent
  // To verify again would never end with style phase, and a gate about a failure that was fixed since would ask for nothing. With style auto
  // and without an auto-fix it is verified again: the tree may have changed.
  { in: ['verify_done'], when: ['verified', 'not auto'], to: 'evaluate-ready' },
  { in: ['verify_done'], when: ['verified', 'auto-fix tried'], to: 'evaluate-ready' },
  { in: ['verify_done'], when: ['applied'], to: 'reverify-ready', set: ['layer 1: clear'] },
  { in: ['verify_done'], when: ['stopped'], to: 'verify-gate', set: ['layer 1: clamp'] }, // no more retries than allowed
  { in: ['verify_done'], when: ['rejected'], to: 'verify-gate' },
  { in: ['verify_done'], to: 'verify-ready', set: ['layer 1: reset'] },
  { in: ['evaluate_ready'], to: 'evaluate-ready' },
  { in: ['evaluating', 'evaluate_done'], when: ['report there'], to: 'verdict' },
  { in: ['evaluating', 'evaluate_done'], to: 'evaluate-ready' },
  { in: ['completed'], to: 'set-up' },
];

/** A named step runs itself, but an open question about a patch comes first, and no hard gate is passed over. */
export const NAMED: { readonly [N in NamedStep]: readonly ResumeRow[] } = {
  plan: [
    { in: ['verify_done'], when: ['not proposed'], to: 'plan-ready' },
    { in: ['planning', 'plan_done', 'generate_ready', 'generating', 'generate_done'], to: 'plan-ready' },
    { in: ['verify_ready', 'verifying', 'evaluate_ready', 'evaluating', 'evaluate_done'], to: 'plan-ready' },
  ],
  // In plan_done the spec is confirmed first; an existing verdict comes first, since its fix counts as a round.
  generate: [
    { in: ['verify_done'], when: ['not proposed'], to: 'generate-ready' },
    { in: ['generating', 'generate_done', 'verify_ready', 'verifying', 'evaluate_ready'], to: 'generate-ready' },
    { in: ['evaluating', 'evaluate_done'], when: ['not report there'], to: 'generate-ready' },
  ],
  verify: [
    { in: ['verify_done'], when: ['applied'], to: 'reverify-ready', set: ['layer 1: clear'] },
    { in: ['verify_done'], when: ['not proposed'], to: 'verify-ready', set: ['layer 1: reset'] },
    { in: ['evaluate_ready', 'evaluating', 'evaluate_done'], to: 'verify-ready', set: ['layer 1: reset'] },
  ],
  evaluate: [
    { in: ['verify_done'], when: ['not proposed', 'layer 1 failed'], to: 'verify-gate' },
    { in: ['verify_done'], when: ['not proposed', 'verified'], to: 'evaluate-ready' },
    { in: ['verify_done'], when: ['not proposed'], to: 'refused' }, // an applied patch was not verified
    { in: ['evaluating', 'evaluate_done'], to: 'evaluate-ready' },
  ],
};

/** The style of a run with a named step. */
export const STYLE_OF_STEP: { readonly [N in NamedStep]: RunStyle } = {
  plan: 'phase',
  generate: 'phase',
  verify: 'step',
  evaluate: 'step',
};
/** Without a named step the file's style counts. There `step` names no step, and means the same as `phase`. */
export function styleOf(file: WorkflowFile, step: NamedStep | null): RunStyle {
  if (isV1(file)) return 'auto';
  if (step !== null) return STYLE_OF_STEP[step];
  const { run_style: style } = resolved(file);
  return style === 'step' ? 'phase' : style;
}

export type ResumeResult = { readonly s: TableState } | 'set-up' | 'refused';

/** `style`: of this run, whatever the file says. Version 1 has no named steps and always style auto. */
export function resumed(
  file: WorkflowFile,
  facts: StartFacts,
  step: NamedStep | null = null,
  tables = { RESUME, NAMED },
  style: RunStyle | null = null,
): ResumeResult {
  const only = isV1(file) ? null : step;
  const isGitKnown = isV1(file) || (file.has_git ?? null) !== null;
  const now = isGitKnown ? file : { ...file, has_git: facts.hasGit };
  const known = knownOf(now, newCounters(isV1(file) ? 'auto' : (style ?? styleOf(now, only)), only));
  const seen = { ...known, facts };
  const row = [...(only === null ? [] : tables.NAMED[only]), ...tables.RESUME].find(
    (one) =>
      one.in.includes(known.state.phase) &&
      (one.when ?? []).every((condition) => isMet(condition, RESUME_GUARDS, seen)),
  );
  if (row === undefined) throw new Bug(`no row of the resume table fits phase ${String(known.state.phase)}`);
  if (row.to === 'set-up' || row.to === 'refused') return row.to;
  const after = afterWrites(known, row.set ?? [], NO_EVENT);
  return { s: entered(after.file, row.to, after.mem) };
}
/** The writes of these tables need no event. */
const NO_EVENT = { on: 'begin', at: '' } as const;
