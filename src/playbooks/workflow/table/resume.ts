// Where a session on an existing state.json goes on (reference 004, Session Recovery, Resume), as two tables: by phase, and what a named
// step changes of that. Rows are looked through from the top. Of what lies outside the file only facts are known.
import { Bug } from '../../../model/bug.ts';
import { entered, type S } from './next.ts';
import { freshMem, type Step } from './mem.ts';
import { afterWrites, GUARDS, knownOf, type EffectName, type Known } from './rules.ts';
import type { StageName } from './stages.ts';
import { isV1, resolved, type Phase, type RunStyle, type WorkflowFile } from '../file/state.ts';

/** What lies there. */
export type Facts = {
  /** `{docs_path}spec.md` and its neighbours. */
  readonly spec: boolean;
  readonly changes: boolean;
  readonly verifyReport: boolean;
  /** A qa_report.md with a verdict, of this evaluation: one that an earlier evaluation left is none. */
  readonly report: boolean;
  /** The file that `conventions: "file:<path>"` names. */
  readonly conventions: boolean;
  /** At `autofix.last_patch_path`, not an empty one. */
  readonly patch: boolean;
  readonly hasGit: boolean;
  /** What the path validator says of docs_path as the file has it: it is never worked out anew from cli_flags. */
  readonly isDocsPathValid: boolean;
};

/** No paper of a session lies there. */
export const NO_PAPERS = {
  spec: false,
  changes: false,
  verifyReport: false,
  report: false,
  conventions: false,
  patch: false,
} as const satisfies Partial<Facts>;

type Seen = Known & { readonly facts: Facts };
const COMMANDS = ['build_cmd', 'test_cmd', 'lint_cmd', 'type_check_cmd'] as const;
const RESUME_GUARDS = {
  ...GUARDS,
  /** "Skipped" means that a person has decided already. */
  'conventions settled': ({ state: { conventions }, file, facts }: Seen) =>
    isV1(file) || conventions === 'skipped' || (conventions !== null && facts.conventions),
  'spec there': ({ facts }: Seen) => facts.spec,
  'patch there': ({ facts }: Seen) => facts.patch,
  'report there': ({ facts }: Seen) => facts.report,
  proposed: ({ state }: Seen) => state.autofix?.applied === 'proposed',
  applied: ({ state }: Seen) => state.autofix?.applied === 'applied',
  rejected: ({ state }: Seen) => state.autofix?.applied === 'rejected',
  stopped: ({ state }: Seen) => state.autofix?.applied === 'stopped',
  'no auto-fix': ({ state }: Seen) => state.autofix === null,
  /** Layer 1 passed, or there was nothing to run. */
  verified: ({ state }: Seen) =>
    state.verify.layer1_result === 'PASS' ||
    (state.verify.layer1_result === null && COMMANDS.every((name) => state[name] === null)),
} as const;
type Guard = keyof typeof RESUME_GUARDS;

export type ResumeRow = {
  /** null: set-up has not ended. */
  readonly in: readonly (Phase | null)[];
  /** All of them; none: always. */
  readonly when?: readonly (Guard | `not ${Guard}`)[];
  /** `set-up`: no session is under way, Step 1 · `refused`: what the step needs is not there. */
  readonly to: StageName | 'set-up' | 'refused';
  readonly set?: readonly EffectName[];
};

export const RESUME: readonly ResumeRow[] = [
  { in: [null], to: 'set-up' }, // what it knew already is kept
  { in: ['plan_ready'], when: ['conventions settled'], to: 'plan-ready' },
  { in: ['plan_ready'], to: 'conventions' },
  { in: ['planning', 'plan_done'], when: ['spec there'], to: 'spec-gate' },
  { in: ['planning', 'plan_done'], to: 'plan-ready' },
  { in: ['generate_ready'], to: 'generate-ready' },
  { in: ['generating', 'generate_done'], to: 'verify-ready', set: ['layer 1: anew'] },
  { in: ['verify_ready', 'verifying', 'verify_done'], when: ['not verify step'], to: 'evaluate-ready' },
  // "Do NOT reset after Auto-fix Apply". One of an earlier round looks the same in the file: then the gate comes earlier, never later.
  { in: ['verify_ready', 'verifying'], when: ['applied'], to: 'reverify-ready', set: ['layer 1: again'] },
  { in: ['verify_ready', 'verifying'], to: 'verify-ready', set: ['layer 1: anew'] },
  { in: ['verify_done'], when: ['proposed', 'patch there'], to: 'auto-fix-gate' }, // I3
  { in: ['verify_done'], when: ['proposed'], to: 'propose-fix' }, // nothing to decide about yet; the right is not consumed
  // The reference verifies again whatever came of it. With style phase that has no end; and a gate about a failure that was mended
  // since would ask for nothing. With style auto and no auto-fix its letter stands: the tree may have changed.
  { in: ['verify_done'], when: ['verified', 'not auto'], to: 'evaluate-ready' },
  { in: ['verify_done'], when: ['verified', 'not no auto-fix'], to: 'evaluate-ready' },
  { in: ['verify_done'], when: ['applied'], to: 'reverify-ready', set: ['layer 1: again'] },
  { in: ['verify_done'], when: ['stopped'], to: 'verify-gate', set: ['layer 1: clamp'] }, // I4
  { in: ['verify_done'], when: ['rejected'], to: 'verify-gate' },
  { in: ['verify_done'], to: 'verify-ready', set: ['layer 1: anew'] },
  { in: ['evaluate_ready'], to: 'evaluate-ready' },
  { in: ['evaluating', 'evaluate_done'], when: ['report there'], to: 'verdict' },
  { in: ['evaluating', 'evaluate_done'], to: 'evaluate-ready' },
  { in: ['completed'], to: 'set-up' },
];

/** A named step runs itself; yet an open 2nd gate comes first (I3), and no hard gate is stepped over. */
export const NAMED: { readonly [N in Step]: readonly ResumeRow[] } = {
  plan: [
    { in: ['verify_done'], when: ['not proposed'], to: 'plan-ready' },
    { in: ['planning', 'plan_done', 'generate_ready', 'generating', 'generate_done'], to: 'plan-ready' },
    { in: ['verify_ready', 'verifying', 'evaluate_ready', 'evaluating', 'evaluate_done'], to: 'plan-ready' },
  ],
  // In plan_done the spec is confirmed first; a verdict that is there comes first, since its Fix is counted as a round.
  generate: [
    { in: ['verify_done'], when: ['not proposed'], to: 'generate-ready' },
    { in: ['generating', 'generate_done', 'verify_ready', 'verifying', 'evaluate_ready'], to: 'generate-ready' },
    { in: ['evaluating', 'evaluate_done'], when: ['not report there'], to: 'generate-ready' },
  ],
  verify: [
    { in: ['verify_done'], when: ['applied'], to: 'reverify-ready', set: ['layer 1: again'] },
    { in: ['verify_done'], when: ['not proposed'], to: 'verify-ready', set: ['layer 1: anew'] },
    { in: ['evaluate_ready', 'evaluating', 'evaluate_done'], to: 'verify-ready', set: ['layer 1: anew'] },
  ],
  evaluate: [
    { in: ['verify_done'], when: ['not proposed', 'layer 1 failed'], to: 'verify-gate' },
    { in: ['verify_done'], when: ['not proposed', 'verified'], to: 'evaluate-ready' },
    { in: ['verify_done'], when: ['not proposed'], to: 'refused' }, // a patch is in that nobody has verified
    { in: ['evaluating', 'evaluate_done'], to: 'evaluate-ready' },
  ],
};

/** CLI Parsing. Without a step: auto for a new task; a session that is there has its own. */
export const STYLE_OF_STEP: { readonly [N in Step]: RunStyle } = {
  plan: 'phase',
  generate: 'phase',
  verify: 'step',
  evaluate: 'step',
};
/** `step` in the file names no step: then it is the one where the session stands, and what style phase does is just that. */
export function styleOf(file: WorkflowFile, step: Step | null): RunStyle {
  if (isV1(file)) return 'auto';
  if (step !== null) return STYLE_OF_STEP[step];
  const { run_style: style } = resolved(file);
  return style === 'step' ? 'phase' : style;
}

export type Resumed = { readonly s: S } | 'set-up' | 'refused';

/** v1 knows no named steps: "always auto mode". `style`: that of this session, whatever the file says. */
export function resumed(
  file: WorkflowFile,
  facts: Facts,
  step: Step | null = null,
  tables = { RESUME, NAMED },
  style: RunStyle | null = null,
): Resumed {
  const only = isV1(file) ? null : step;
  const isGitKnown = isV1(file) || (file.has_git ?? null) !== null;
  const now = isGitKnown ? file : { ...file, has_git: facts.hasGit }; // Session Recovery 6: found out anew and stored
  const known = knownOf(now, freshMem(isV1(file) ? 'auto' : (style ?? styleOf(now, only)), only));
  const seen = { ...known, facts };
  const fits = (row: ResumeRow): boolean =>
    row.in.includes(known.state.phase) &&
    (row.when ?? []).every((one) =>
      one.startsWith('not ') ? !RESUME_GUARDS[one.slice(4) as Guard](seen) : RESUME_GUARDS[one as Guard](seen),
    );
  const row = [...(only === null ? [] : tables.NAMED[only]), ...tables.RESUME].find(fits);
  if (row === undefined) throw new Bug(`no row of the resume table fits phase ${String(known.state.phase)}`);
  if (row.to === 'set-up' || row.to === 'refused') return row.to;
  const after = afterWrites(known, row.set ?? [], NO_EVENT);
  return { s: entered(after.file, row.to, after.mem) };
}
/** The writes of this table need no event. */
const NO_EVENT = { on: 'begin', at: '' } as const;
