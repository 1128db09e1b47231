// .harness/state.json: its fields in version 2.0 and in version 1, and the value of a missing one. The file keeps what it was given: defaults
// are applied when it is read and never written back, and unknown fields survive.
import { RUN_STYLES } from './run-options.ts';
import { z } from 'zod';
import { MODEL_NAMES } from '../../../model/config.ts';
import { branchOf, docsPathOf, taskSlugOf } from './slug.ts';

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
export const RESULTS = ['PASS', 'FAIL'] as const;
export type LayerResult = (typeof RESULTS)[number];
export const FIX_STATES = ['proposed', 'applied', 'rejected', 'stopped'] as const;
export type FixState = (typeof FIX_STATES)[number];

const text = z.string().nullish();
const count = z.int().min(0).nullish();
const many = z.int().min(1).nullish();
const model = z.enum(MODEL_NAMES).nullish();
const result = z.enum(RESULTS).nullish();

const autofixSchema = z.looseObject({
  last_patch_path: z.string(),
  applied: z.enum(FIX_STATES),
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
/** Fields of every version. */
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
  /** Missing until set-up has ended: a partial file is written as soon as docs_path is known. */
  phase: z.enum(PHASES).nullish(),
  verify: verifySchema.nullish(),
  autofix: autofixSchema.nullish(),
  /** null: not looked for yet · `skipped`: by a user's choice · `file:<path>` */
  conventions: z
    .string()
    .regex(/^(?:skipped|file:.+)$/, 'expected null, "skipped" or "file:<path>"')
    .nullish(),
  /** Only in the partial file. */
  slug: text,
});
export type StateFile = z.output<typeof stateFileSchema>;

/** Version 1: a file without `version`. It has phases of its own, no run style, no Layer 2 and no auto-fix; some files have no verify step. */
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
export const hasVersion = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'version' in value;
/** Checks a file of either version and changes nothing: its fields keep their order. */
export const workflowFileSchema = z.custom<WorkflowFile>().check((context) => {
  const { value } = context;
  const { error } = (hasVersion(value) ? stateFileSchema : v1FileSchema).safeParse(value);
  for (const { path, message } of error?.issues ?? [])
    context.issues.push({ code: 'custom', path, message, input: value });
});

/** The file with every field, defaults applied. */
export type WorkflowState = ReturnType<typeof resolved>;

export function resolved(file: WorkflowFile) {
  const v2 = isV1(file) ? null : file;
  const verify: z.output<typeof verifySchema> = file.verify ?? {};
  const slug = (): string => v2?.slug ?? taskSlugOf(file.task ?? '');
  return {
    task: file.task ?? '',
    mode: file.mode ?? 'standard',
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
    /** null: not known yet; it is stored when the session is resumed. */
    has_git: file.has_git ?? null,
    repo_name: file.repo_name ?? '',
    repo_path: file.repo_path ?? '',
    /** As version 2.0 names it, also for version 1; null: set-up has not ended. */
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

/** `scope` where there is no limit. */
export const NO_LIMIT = '(no limit)';

const PHASE_OF_V1: { readonly [P in V1Phase]: Phase } = {
  plan_ready: 'plan_ready',
  gen_ready: 'generate_ready',
  verify_ready: 'verify_ready',
  verifying: 'verifying',
  verify_done: 'verify_done',
  eval_ready: 'evaluate_ready',
  completed: 'completed',
};
/** Version 1 has no name for some phases: the one where that part of the work starts is written instead. */
const v1PhaseOf = (phase: Phase): V1Phase => {
  const isReached = (one: V1Phase): boolean => PHASES.indexOf(PHASE_OF_V1[one]) <= PHASES.indexOf(phase);
  return V1_PHASES.findLast(isReached) ?? 'plan_ready';
};
export const inPhase = (file: WorkflowFile, phase: Phase): WorkflowFile =>
  isV1(file) ? { ...file, phase: v1PhaseOf(phase) } : { ...file, phase };

type Known = Pick<WorkflowState, 'task' | 'cli_flags' | 'user_lang' | 'docs_path' | 'created_at'> & {
  readonly has_git: boolean;
  readonly slug: string;
};

/** Written by set-up as soon as docs_path is known, so that a crash before mode and models are chosen loses nothing. */
export function partialState(known: Known): StateFile {
  const { task, cli_flags, user_lang, has_git, created_at, docs_path, slug } = known;
  return { version: '2.0', task, cli_flags, user_lang, has_git, created_at, docs_path, slug };
}

type Chosen = Pick<
  WorkflowState,
  'mode' | 'run_style' | 'model_config' | 'repo_name' | 'repo_path' | 'scope' | 'lang' | 'updated_at'
> &
  Pick<WorkflowState, 'build_cmd' | 'test_cmd' | 'lint_cmd' | 'type_check_cmd'>;

/** The file that every session starts with, its fields in the documented order. */
export function newState(known: Known, chosen: Chosen): StateFile {
  const { task, cli_flags, user_lang, has_git, slug, docs_path, created_at } = known;
  const { mode, run_style, model_config, repo_name, repo_path, scope, lang, updated_at } = chosen;
  const { build_cmd, test_cmd, lint_cmd, type_check_cmd } = chosen;
  const layers = { layer1_result: null, layer1_retries: 0, layer2_result: null, layer2_retries: 0 };
  return {
    version: '2.0',
    task,
    mode,
    run_style,
    model_config,
    cli_flags,
    user_lang,
    has_git,
    repo_name,
    repo_path,
    phase: 'plan_ready',
    round: 1,
    max_rounds: 3,
    max_files: 20,
    scope,
    branch: branchOf(slug),
    lang,
    build_cmd,
    test_cmd,
    lint_cmd,
    type_check_cmd,
    verify: { ...layers, todo_blocking: false, autofix_attempted: false },
    autofix: null,
    docs_path,
    conventions: null,
    created_at,
    updated_at,
  };
}
