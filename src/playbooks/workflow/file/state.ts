// .harness/state.json 2.0 with exactly the fields of reference 004 (Step 1.11), and what a missing one means. The file itself keeps what
// it was given: defaults are worked out when it is read and never written back (Backward compat), unknown fields survive.
import { z } from 'zod';
import { MODEL_NAMES, type ModelName } from '../../../model/config.ts';
import { branchOf, docsPathOf, slugOf } from './slug.ts';

export const PHASES = [
  'plan_ready',
  'planning',
  'plan_done',
  'generate_ready',
  'generating',
  'generate_done',
  'verify_ready',
  'verifying',
  'verify_done',
  'evaluate_ready',
  'evaluating',
  'evaluate_done',
  'completed',
] as const;
export type Phase = (typeof PHASES)[number];
export const MODES = ['single', 'standard', 'multi'] as const;
export type Mode = (typeof MODES)[number];
export const RUN_STYLES = ['auto', 'phase', 'step'] as const;
export type RunStyle = (typeof RUN_STYLES)[number];
export type Model = ModelName;
export const RESULTS = ['PASS', 'FAIL'] as const;
export type LayerResult = (typeof RESULTS)[number];
export const APPLIED = ['proposed', 'applied', 'rejected', 'stopped'] as const;
export type Applied = (typeof APPLIED)[number];

const text = z.string().nullish();
const count = z.int().min(0).nullish();
const many = z.int().min(1).nullish();
const model = z.enum(MODEL_NAMES).nullish();
const result = z.enum(RESULTS).nullish();

const autofixSchema = z.looseObject({
  last_patch_path: z.string(),
  applied: z.enum(APPLIED),
  /** ISO 8601. */
  triggered_at: z.string(),
});
const verifySchema = z.looseObject({
  layer1_result: result,
  layer1_retries: count,
  layer2_result: result,
  layer2_retries: count,
  todo_blocking: z.boolean().nullish(),
  autofix_attempted: z.boolean().nullish(),
});
/** What every version has. */
const common = {
  task: z.string(),
  mode: z.enum(MODES).nullish(),
  model_config: z
    .looseObject({ preset: text, executor: model, advisor: model, evaluator: model, verifier: model })
    .nullish(),
  user_lang: text,
  has_git: z.boolean().nullish(),
  repo_name: text,
  repo_path: text,
  round: many,
  max_rounds: many,
  max_files: many,
  scope: text,
  branch: text,
  lang: text,
  build_cmd: text,
  test_cmd: text,
  lint_cmd: text,
  type_check_cmd: text,
  docs_path: z.string().min(1).nullish(),
  created_at: text,
  updated_at: text,
  skill: text,
};

export const stateFileSchema = z.looseObject({
  version: z.literal('2.0'),
  ...common,
  run_style: z.enum(RUN_STYLES).nullish(),
  cli_flags: z.looseObject({ verifier_model: model, output_dir: text }).nullish(),
  /** Without it set-up has not ended: the file is the partial one that is written as soon as docs_path is known. */
  phase: z.enum(PHASES).nullish(),
  verify: verifySchema.nullish(),
  autofix: autofixSchema.nullish(),
  /** null: not looked for yet · `skipped`: a person said so · `file:<path>` */
  conventions: z
    .string()
    .regex(/^(?:skipped|file:.+)$/, 'expected null, "skipped" or "file:<path>"')
    .nullish(),
  /** Only the partial file has it. */
  slug: text,
});
export type StateFile = z.output<typeof stateFileSchema>;

/** v1: a file without `version`. Its own phases; no run style, no Layer 2, no auto-fix; before 7.1 no verify step either. */
export const V1_PHASES = [
  'plan_ready',
  'gen_ready',
  'verify_ready',
  'verifying',
  'verify_done',
  'eval_ready',
  'completed',
] as const;
export type V1Phase = (typeof V1_PHASES)[number];
export const v1FileSchema = z.looseObject({
  version: z.undefined().optional(),
  ...common,
  task: text,
  phase: z.enum(V1_PHASES),
  verify: z.looseObject({ layer1_result: result, layer1_retries: count }).nullish(),
});
export type V1File = z.output<typeof v1FileSchema>;

export type WorkflowFile = StateFile | V1File;
export const isV1 = (file: WorkflowFile): file is V1File => file.version === undefined;
/** As the machine keeps it: what stands in the file, nothing filled in. */
export const workflowFileSchema = {
  parse(value: unknown): WorkflowFile {
    if (hasVersion(value)) stateFileSchema.parse(value);
    else v1FileSchema.parse(value);
    return value as WorkflowFile; // its fields in their own order
  },
};
export const hasVersion = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'version' in value;

/** The file with every field that has a default. Names are the file's own. */
export type WorkflowState = ReturnType<typeof resolved>;

export function resolved(file: WorkflowFile) {
  const v2 = isV1(file) ? null : file;
  const verify: z.output<typeof verifySchema> = file.verify ?? {};
  const slug = (): string => v2?.slug ?? slugOf(file.task ?? '');
  return {
    task: file.task ?? '',
    mode: file.mode ?? 'standard', // (Recommended), Step 1.9
    run_style: v2?.run_style ?? 'auto',
    model_config: {
      preset: file.model_config?.preset ?? 'default',
      executor: file.model_config?.executor ?? null,
      advisor: file.model_config?.advisor ?? null,
      evaluator: file.model_config?.evaluator ?? null,
      verifier: file.model_config?.verifier ?? 'haiku',
    },
    cli_flags: {
      verifier_model: v2?.cli_flags?.verifier_model ?? null,
      output_dir: v2?.cli_flags?.output_dir ?? null,
    },
    user_lang: file.user_lang ?? 'en',
    /** null: to be found out and stored (Session Recovery 6). */
    has_git: file.has_git ?? null,
    repo_name: file.repo_name ?? '',
    repo_path: file.repo_path ?? '',
    /** In the words of 2.0, also for v1; null: set-up has not ended. */
    phase: isV1(file) ? PHASE_OF_V1[file.phase] : (file.phase ?? null),
    round: file.round ?? 1,
    max_rounds: file.max_rounds ?? 3,
    max_files: file.max_files ?? 20,
    scope: file.scope ?? NO_LIMIT,
    branch: file.branch ?? branchOf(slug()),
    lang: file.lang ?? 'unknown',
    build_cmd: file.build_cmd ?? null,
    test_cmd: file.test_cmd ?? null,
    lint_cmd: file.lint_cmd ?? null,
    type_check_cmd: file.type_check_cmd ?? null,
    verify: {
      layer1_result: verify.layer1_result ?? null,
      layer1_retries: verify.layer1_retries ?? 0,
      layer2_result: v2 === null ? null : (verify.layer2_result ?? null),
      layer2_retries: v2 === null ? 0 : (verify.layer2_retries ?? 0),
      todo_blocking: verify.todo_blocking ?? false,
      autofix_attempted: v2 === null ? false : (verify.autofix_attempted ?? false),
    },
    autofix: v2?.autofix ?? null,
    docs_path: file.docs_path ?? docsPathOf(slug()),
    conventions: v2?.conventions ?? null,
    created_at: file.created_at ?? '',
    updated_at: file.updated_at ?? '',
  };
}

/** `scope` where there is none. */
export const NO_LIMIT = '(no limit)';

/** v1 → v2 Phase Mapping. */
const PHASE_OF_V1: { readonly [P in V1Phase]: Phase } = {
  plan_ready: 'plan_ready',
  gen_ready: 'generate_ready',
  verify_ready: 'verify_ready',
  verifying: 'verifying',
  verify_done: 'verify_done',
  eval_ready: 'evaluate_ready',
  completed: 'completed',
};
/** What a v1 file says for a phase that it has no word for: where that part of the work began. */
const V1_PHASE_OF: { readonly [P in Phase]: V1Phase } = {
  plan_ready: 'plan_ready',
  planning: 'plan_ready',
  plan_done: 'plan_ready',
  generate_ready: 'gen_ready',
  generating: 'gen_ready',
  generate_done: 'gen_ready',
  verify_ready: 'verify_ready',
  verifying: 'verifying',
  verify_done: 'verify_done',
  evaluate_ready: 'eval_ready',
  evaluating: 'eval_ready',
  evaluate_done: 'eval_ready',
  completed: 'completed',
};
export const inPhase = (file: WorkflowFile, phase: Phase): WorkflowFile =>
  isV1(file) ? { ...file, phase: V1_PHASE_OF[phase] } : { ...file, phase };
